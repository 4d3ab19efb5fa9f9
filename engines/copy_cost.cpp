// SPDX-License-Identifier: Apache-2.0
#include "engines/copy_cost.hpp"

namespace fenceline {

std::optional<CopyCost> copy_cost(const Command& command) {
  if (const auto* buffer = std::get_if<CopyBuffer>(&command)) return CopyCost{buffer->route, buffer->bytes};
  const auto* texture = std::get_if<CopyTexture>(&command);
  if (texture == nullptr) return std::nullopt;
  const bool in_buffer = texture->route != CopyRoute::device_to_device;
  const std::uint64_t pitch = (texture->row_bytes + texture_row_pitch - 1) / texture_row_pitch * texture_row_pitch;
  return CopyCost{texture->route, (in_buffer ? pitch : texture->row_bytes) * texture->rows};
}

}  // namespace fenceline
