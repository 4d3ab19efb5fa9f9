// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "engines/command/dma_packet.hpp"

#include <cstdint>
#include <optional>

namespace fenceline {

/// What a copy moves, and between which memories.
struct CopyCost {
  CopyRoute route = CopyRoute::device_to_device;
  std::uint64_t bytes = 0;
};

/// D3D12_TEXTURE_DATA_PITCH_ALIGNMENT: rows of a texture in a buffer start at multiples of this.
constexpr std::uint64_t texture_row_pitch = 256;

/// Nothing for a command that is no copy. Results of queries are copied out of their heap. Rows of a texture that cross
/// PCIe do so with their padding to the row pitch; inside video memory the texture's own layout counts.
std::optional<CopyCost> copy_cost(const Command& command);

/// Part of the bandwidth of PCIe that the submission path lets one copy have at most.
double pcie_share(CopyRoute route, const SubmissionCost& cost);

}  // namespace fenceline
