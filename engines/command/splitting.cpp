// SPDX-License-Identifier: Apache-2.0
#include "engines/command/splitting.hpp"

#include <algorithm>
#include <map>
#include <variant>

namespace fenceline {
namespace {

bool in_bundle(const StreamSplits& splits, std::size_t command) {
  const auto behind = std::upper_bound(splits.bundles.begin(), splits.bundles.end(), command,
                                       [](std::size_t at, const auto& bundle) { return at < bundle.second; });
  return behind != splits.bundles.end() && behind->first < command;
}

/// Outside of render passes: whether the list may be split before the command.
bool is_offset(const StreamSplits& splits, std::size_t command) {
  if (splits.offsets && !std::binary_search(splits.offsets->begin(), splits.offsets->end(), command)) return false;
  return !in_bundle(splits, command);
}

}  // namespace

std::size_t piece_end(const CommandStream& stream, std::size_t from, std::size_t most) {
  const std::size_t size = stream.commands.size();
  if (size - from <= most) return size;
  bool in_pass = false;  // no piece begins inside one
  std::size_t end = from;
  for (std::size_t at = from; at < size; ++at) {
    const bool fits = at - from <= most;
    if (at > from && !in_pass && is_offset(stream.splits, at)) {
      if (!fits) return end > from ? end : at;
      end = at;
    }
    if (!fits && end > from) return end;
    if (std::holds_alternative<BeginRenderPass>(stream.commands[at])) in_pass = true;
    if (std::holds_alternative<EndRenderPass>(stream.commands[at])) in_pass = false;
  }
  return end > from ? end : size;
}

bool in_render_pass(const CommandStream& stream, std::size_t command) {
  bool inside = false;
  for (std::size_t i = 0; i < command; ++i) {
    if (std::holds_alternative<BeginRenderPass>(stream.commands[i])) inside = true;
    if (std::holds_alternative<EndRenderPass>(stream.commands[i])) inside = false;
  }
  return inside;
}

std::vector<std::uint32_t> leaking_slots(const CommandStream& stream, std::size_t from, std::size_t end) {
  std::map<std::uint32_t, bool> bound;
  for (const PatchLocation& patch : stream.splits.patches) {
    if (patch.command >= end) break;
    bound[patch.slot] = patch.command < from && patch.bound;
  }
  std::vector<std::uint32_t> leaking;
  for (const auto& [slot, leaks] : bound) {
    if (leaks) leaking.push_back(slot);
  }
  return leaking;
}

}  // namespace fenceline
