// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"
#include "engines/command/command.hpp"

#include <optional>

namespace fenceline {

// Commands that say numbers in place of resources, as those of captured programs do. Nothing: the command names
// resources, or needs none.
template <class Info>
std::optional<Command> command_of_numbers(const Info&) {
  return {};
}
inline std::optional<Command> command_of_numbers(const CopyBufferCommand& copy) {
  if (!copy.route) return {};
  return CopyBuffer{*copy.route, copy.bytes.value_or(0)};
}
inline std::optional<Command> command_of_numbers(const CopyTextureCommand& copy) {
  if (!copy.route) return {};
  return CopyTexture{*copy.route, copy.row_bytes, copy.rows};
}
inline std::optional<Command> command_of_numbers(const ClearCommand& clear) {
  if (!clear.bytes) return {};
  return Clear{*clear.bytes};
}
inline std::optional<Command> command_of_numbers(const ResolveCommand& resolve) {
  if (!resolve.bytes) return {};
  return Resolve{*resolve.bytes, resolve.samples};
}
inline std::optional<Command> command_of_numbers(const ResolveQueryDataCommand& resolve) {
  if (!resolve.route) return {};
  return ResolveQueryData{*resolve.route, resolve.bytes.value_or(0)};
}
inline std::optional<Command> command_of_numbers(const SetPredicationCommand& set) {
  if (!set.unnamed_buffer) return {};
  return SetPredication{set.skip.value_or(false), true};
}
inline std::optional<Command> command_of_numbers(const BeginRenderPassCommand& begin) {
  if (!begin.clear_bytes) return {};
  return BeginRenderPass{*begin.clear_bytes};
}
inline std::optional<Command> command_of_numbers(const EndRenderPassCommand& end) {
  if (!end.resolve_bytes) return {};
  return EndRenderPass{*end.resolve_bytes};
}
inline std::optional<Command> command_of_numbers(const DiscardCommand& discard) {
  if (!discard.resource.empty()) return {};
  return Discard{};
}

}  // namespace fenceline
