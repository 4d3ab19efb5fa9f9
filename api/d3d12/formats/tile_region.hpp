// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/formats/resource_desc.hpp"
#include "api/d3d12/formats/tile_layout.hpp"

#include <cstdint>
#include <vector>

namespace fenceline::d3d12 {

/// Tiles of a reserved resource, one behind the other.
struct TileRun {
  UINT first = 0;
  UINT count = 0;
};

/// Appends the tiles of a region in the order in which D3D12 walks through them: of a box x, then y, then z, which is
/// the depth of a 3D texture and the slices of an array; else from the start on to the resource's end, over rows, mips
/// and slices. E_INVALIDARG where some of them do not exist; then nothing is appended. Rows and layers of a box that
/// are given as 0 are one, as D3D12's own examples leave them out. S_OK with a message where NumTiles does not count a
/// box right, which then holds.
Verdict add_region(const TileLayout& layout, const D3D12_TILED_RESOURCE_COORDINATE& start,
                   const D3D12_TILE_REGION_SIZE& size, std::vector<TileRun>& runs);

/// In all runs.
std::uint64_t tile_count(const std::vector<TileRun>& runs);

}  // namespace fenceline::d3d12
