// SPDX-License-Identifier: Apache-2.0
#include "engines/copy_cost.hpp"

#include "sim/rounding.hpp"

#include <algorithm>

namespace fenceline {

std::optional<CopyCost> copy_cost(const Command& command) {
  if (const auto* buffer = std::get_if<CopyBuffer>(&command)) return CopyCost{buffer->route, buffer->bytes};
  if (const auto* queries = std::get_if<ResolveQueryData>(&command)) return CopyCost{queries->route, queries->bytes};
  const auto* texture = std::get_if<CopyTexture>(&command);
  if (texture == nullptr) return std::nullopt;
  const bool in_buffer = texture->route != CopyRoute::device_to_device;
  const std::uint64_t pitch = rounded_up(texture->row_bytes, texture_row_pitch);
  return CopyCost{texture->route, (in_buffer ? pitch : texture->row_bytes) * texture->rows};
}

double pcie_share(CopyRoute route, const SubmissionCost& cost) {
  switch (route) {
    case CopyRoute::host_to_device: return cost.to_device_share;
    case CopyRoute::device_to_host: return cost.to_host_share;
    case CopyRoute::host_to_host: return std::min(cost.to_device_share, cost.to_host_share);
    case CopyRoute::device_to_device: break;
  }
  return 1;
}

}  // namespace fenceline
