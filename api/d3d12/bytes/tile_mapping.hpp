// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/heap_memory.hpp"
#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/formats/resource_desc.hpp"
#include "api/d3d12/formats/tile_layout.hpp"
#include "api/d3d12/formats/tile_region.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace fenceline::d3d12 {

/// Tiles of a reserved resource, one behind the other, that become unmapped or mapped to tiles of a heap.
struct TileMapping {
  TileRun tiles;
  bool mapped = false;
  UINT heap_tile = 0;   ///< that the first one is mapped to
  bool reuses = false;  ///< all are mapped to that one, else each to the next
};

/// The arrays of ID3D12CommandQueue::UpdateTileMappings, as the program gives them.
struct TileMappingArguments {
  UINT regions = 0;
  const D3D12_TILED_RESOURCE_COORDINATE* starts = nullptr;
  const D3D12_TILE_REGION_SIZE* sizes = nullptr;
  UINT ranges = 0;
  const D3D12_TILE_RANGE_FLAGS* flags = nullptr;
  const UINT* heap_starts = nullptr;
  const UINT* counts = nullptr;
};

/// What such a call asks for, in the order in which it takes place; skipped tiles are left out. `heap_tiles` are those
/// of the heap, 0 without one. What arrays that are null stand for: the documentation of UpdateTileMappings; offsets in
/// the heap: 0. E_INVALIDARG where a region or a range does not fit: the call does nothing. S_OK with a message where
/// the call is wrong and takes place as far as it says: regions and ranges of different lengths, whose rest is ignored,
/// and a box that NumTiles does not count right.
Verdict find_tile_mappings(const TileLayout& layout, const TileMappingArguments& arguments, std::uint64_t heap_tiles,
                           std::vector<TileMapping>& mappings);

/// Does it now.
void map_tiles(TileTable& table, const std::vector<TileMapping>& mappings, const std::shared_ptr<HeapMemory>& heap);

/// ID3D12CommandQueue::CopyTileMappings, now: as if by way of a copy, should the two overlap. Both have as many tiles.
void copy_tile_mappings(TileTable& to, const std::vector<TileRun>& to_runs, const TileTable& from,
                        const std::vector<TileRun>& from_runs);

}  // namespace fenceline::d3d12
