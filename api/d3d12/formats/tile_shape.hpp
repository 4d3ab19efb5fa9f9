// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/formats/format.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

constexpr std::uint64_t tile_bytes = D3D12_TILED_RESOURCE_TILE_SIZE_IN_BYTES;

/// Texels that one tile of memory holds, each direction a power of two times the block.
struct TileShape {
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::uint32_t depth = 1;
};

/// The standard shape of a tile of 64 KiB (D3D12_TILED_RESOURCE_TILE_SIZE_IN_BYTES), as GetResourceTiling tells it.
TileShape tile_shape_64k(const Format& format, D3D12_RESOURCE_DIMENSION dimension, std::uint32_t samples);
/// The shape of a tile of 4 KiB, by which small textures are measured.
TileShape tile_shape_4k(const Format& format, D3D12_RESOURCE_DIMENSION dimension, std::uint32_t samples);

}  // namespace fenceline::d3d12
