// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/tile_region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {
namespace {

void append(std::vector<TileRun>& runs, UINT first, UINT count) {
  if (count == 0) return;
  if (!runs.empty() && runs.back().first + runs.back().count == first) {
    runs.back().count += count;
  } else {
    runs.push_back({first, count});
  }
}

bool fits(std::uint64_t first, std::uint64_t count, std::uint64_t all) { return first <= all && count <= all - first; }

Verdict add_box(const TileLayout& layout, const D3D12_TILED_RESOURCE_COORDINATE& start,
                const D3D12_TILE_REGION_SIZE& size, std::vector<TileRun>& runs) {
  const D3D12_SUBRESOURCE_TILING tiling = layout.tiling(start.Subresource);
  const UINT height = std::max<UINT>(size.Height, 1);
  const UINT depth = std::max<UINT>(size.Depth, 1);
  // Layers of an array are the same mip of its next slices.
  const bool solid = layout.slices() == 1;
  const UINT mips = layout.subresources() / layout.slices();
  const UINT layers = solid ? tiling.DepthInTiles : layout.slices() - start.Subresource / mips;
  if (!fits(start.X, size.Width, tiling.WidthInTiles) || !fits(start.Y, height, tiling.HeightInTiles) ||
      !fits(start.Z, depth, layers)) {
    return invalid("a box of {} x {} x {} tiles at ({}, {}, {}) in subresource {} of {} x {} x {}", size.Width, height,
                   depth, start.X, start.Y, start.Z, start.Subresource, tiling.WidthInTiles, tiling.HeightInTiles,
                   layers);
  }
  for (UINT z = start.Z; z < start.Z + depth; ++z) {
    const UINT first = solid ? tiling.StartTileIndexInOverallResource + z * tiling.HeightInTiles * tiling.WidthInTiles
                             : layout.tiling(start.Subresource + z * mips).StartTileIndexInOverallResource;
    for (UINT y = start.Y; y < start.Y + height; ++y)
      append(runs, first + y * tiling.WidthInTiles + start.X, size.Width);
  }
  const std::uint64_t count = std::uint64_t{size.Width} * height * depth;
  if (count == size.NumTiles) return {};
  return {S_OK, fmt::format("expected NumTiles {}, the box's, found {}", count, size.NumTiles)};
}

}  // namespace

Verdict add_region(const TileLayout& layout, const D3D12_TILED_RESOURCE_COORDINATE& start,
                   const D3D12_TILE_REGION_SIZE& size, std::vector<TileRun>& runs) {
  if (start.Subresource >= layout.subresources()) {
    return invalid("expected a subresource below {}, found {}", layout.subresources(), start.Subresource);
  }
  const bool packed = layout.is_packed(start.Subresource);
  if (size.UseBox != FALSE) {
    if (packed) return invalid("subresource {} is packed: expected UseBox FALSE", start.Subresource);
    return add_box(layout, start, size, runs);
  }
  const D3D12_SUBRESOURCE_TILING tiling = layout.tiling(start.Subresource);
  const UINT width = packed ? layout.packed().NumTilesForPackedMips : tiling.WidthInTiles;
  const UINT height = packed ? 1 : tiling.HeightInTiles;
  const UINT depth = packed ? 1 : tiling.DepthInTiles;
  if (start.X >= width || start.Y >= height || start.Z >= depth) {
    return invalid("({}, {}, {}) in subresource {} of {} x {} x {} tiles", start.X, start.Y, start.Z, start.Subresource,
                   width, height, depth);
  }
  const UINT first = packed ? layout.packed().StartTileIndexInOverallResource : tiling.StartTileIndexInOverallResource;
  const UINT at = first + (start.Z * height + start.Y) * width + start.X;
  if (!fits(at, size.NumTiles, layout.tiles())) {
    return invalid("{} tiles from tile {} on, of {}", size.NumTiles, at, layout.tiles());
  }
  append(runs, at, size.NumTiles);
  return {};
}

std::uint64_t tile_count(const std::vector<TileRun>& runs) {
  std::uint64_t count = 0;
  for (const TileRun& run : runs) count += run.count;
  return count;
}

}  // namespace fenceline::d3d12
