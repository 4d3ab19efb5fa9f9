// SPDX-License-Identifier: Apache-2.0
#include "engines/command/command.hpp"

#include "sim/rounding.hpp"

#include <algorithm>
#include <type_traits>

namespace fenceline {

CopyCost CopyTexture::cost() const {
  const bool over_pcie = route != CopyRoute::device_to_device;
  return {route, (over_pcie ? rounded_up(row_bytes, texture_row_pitch) : row_bytes) * rows};
}

std::optional<CopyCost> copy_cost(const Command& command) {
  return std::visit(
      [](const auto& one) -> std::optional<CopyCost> {
        if constexpr (std::decay_t<decltype(one)>::traits.work == CommandWork::copy) return one.cost();
        return std::nullopt;
      },
      command);
}

std::optional<std::uint64_t> access_bytes(const Command& command) {
  return std::visit(
      [](const auto& one) -> std::optional<std::uint64_t> {
        if constexpr (std::decay_t<decltype(one)>::traits.work == CommandWork::access) return one.accessed_bytes();
        return std::nullopt;
      },
      command);
}

std::uint64_t argument_bytes(const IndirectCall& call) {
  constexpr std::uint64_t count_bytes = 4;
  return std::max(call.count, call.max_count) * call.stride_bytes + (call.count_buffer ? count_bytes : 0);
}

std::string_view label_of(const CommandStream& stream, const Command& command) {
  if (const auto* draw = std::get_if<Draw>(&command)) return stream.graphics_pipelines[draw->pipeline].name;
  if (const auto* indexed = std::get_if<DrawIndexed>(&command)) {
    return stream.graphics_pipelines[indexed->draw.pipeline].name;
  }
  if (const auto* dispatch = std::get_if<Dispatch>(&command)) return stream.compute_pipelines[dispatch->pipeline].name;
  return name_of(command);
}

}  // namespace fenceline
