// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/pgo/constants_key.hpp"
#include "api/workload/workload.hpp"
#include "engines/command/command.hpp"

#include <optional>
#include <variant>

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

// What a command of a list has bound for its shaders.

/// The key of its root constants; 0: it has none.
template <class Info>
ConstantsKey bound_constants(const Info&) {
  return 0;
}
inline ConstantsKey bound_constants(const DrawCommand& draw) { return constants_key(draw.root_constants); }
inline ConstantsKey bound_constants(const DrawIndexedCommand& draw) { return constants_key(draw.root_constants); }
inline ConstantsKey bound_constants(const DispatchCommand& dispatch) { return constants_key(dispatch.root_constants); }
inline ConstantsKey bound_constants(const ExecuteIndirectCommand& execute) {
  return std::visit([](const auto& info) { return bound_constants(info); }, execute.command);
}

/// What it says of its shaders; null: it runs none.
template <class Info>
const ShaderInputs* shader_inputs(const Info&) {
  return nullptr;
}
inline const ShaderInputs* shader_inputs(const DrawCommand& draw) { return &draw.inputs; }
inline const ShaderInputs* shader_inputs(const DrawIndexedCommand& draw) { return &draw.inputs; }
inline const ShaderInputs* shader_inputs(const DispatchCommand& dispatch) { return &dispatch.inputs; }
inline const ShaderInputs* shader_inputs(const ExecuteIndirectCommand& execute) {
  return std::visit([](const auto& info) { return &info.inputs; }, execute.command);
}

}  // namespace fenceline
