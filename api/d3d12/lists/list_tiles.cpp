// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, the function that copies tiles.
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/formats/tile_region.hpp"
#include "api/d3d12/lists/graphics_command_list.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {
namespace {

constexpr UINT to_tiles = D3D12_TILE_COPY_FLAG_LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE;
constexpr UINT to_buffer = D3D12_TILE_COPY_FLAG_SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER;

/// What of a subresource lies in one of its tiles.
D3D12_BOX box_of(const TexelGrid& grid, const TileShape& shape, const TilePlace& place) {
  const auto range = [](UINT at, UINT size, std::uint64_t all) {
    const std::uint64_t first = std::uint64_t{at} * size;
    return std::pair{static_cast<UINT>(first), static_cast<UINT>(std::min(first + size, all))};
  };
  const auto [left, right] = range(place.x, shape.width, grid.texels.width);
  const auto [top, bottom] = range(place.y, shape.height, grid.texels.height);
  const auto [front, back] = range(place.z, shape.depth, grid.texels.depth);
  return {left, top, front, right, bottom, back};
}

/// Bytes of the buffer from where the tile begins to the end of the part.
std::uint64_t bytes_in_buffer(const CopyTileParts::Part& part) {
  const ElementBox box = elements_of(part.grid, part.box);
  return (box.slices - 1) * part.grid.slice_pitch + (box.rows - 1) * part.grid.row_pitch +
         box.columns * part.grid.element_bytes;
}

}  // namespace

void GraphicsCommandList::CopyTiles(ID3D12Resource* tiled_resource, const D3D12_TILED_RESOURCE_COORDINATE* start,
                                    const D3D12_TILE_REGION_SIZE* size, ID3D12Resource* buffer_resource, UINT64 offset,
                                    D3D12_TILE_COPY_FLAGS flags) {
  const char* const method = "CopyTiles";
  if (!begin(not_in_bundles, method)) return;
  const auto* const tiled = com_cast<Resource>(tiled_resource);
  const auto* const buffer = com_cast<Resource>(buffer_resource);
  if (tiled == nullptr || buffer == nullptr || start == nullptr || size == nullptr) {
    return invalid(method, "expected a reserved resource, a region and a buffer, found null");
  }
  if (tiled->tiles() == nullptr || !buffer->is_buffer()) {
    return invalid(method, tiled->tiles() == nullptr ? "the tiled resource is not reserved" : "expected a buffer");
  }
  constexpr UINT known = to_tiles | to_buffer | D3D12_TILE_COPY_FLAG_NO_HAZARD;
  const auto direction = static_cast<UINT>(flags) & (to_tiles | to_buffer);
  if ((static_cast<UINT>(flags) & ~known) != 0 || direction == (to_tiles | to_buffer)) {
    return invalid(method, fmt::format("expected one direction (2 or 4) and NO_HAZARD (1) at most, found {:#x}",
                                       static_cast<UINT>(flags)));
  }
  const TileLayout& layout = *tiled->tiles();
  std::vector<TileRun> runs;
  const Verdict verdict = add_region(layout, *start, *size, runs);
  if (!verdict.ok()) return invalid(method, verdict.message);
  if (runs.empty()) return;
  const std::uint64_t before_last = (tile_count(runs) - 1) * tile_bytes;
  if (offset > buffer->bytes() || before_last > buffer->bytes() - offset) {
    return invalid(method, fmt::format("the buffer has {} bytes, and {} tiles from {} on are asked for",
                                       buffer->bytes(), tile_count(runs), offset));
  }
  CopyTileParts copy;
  copy.tiles = tiled->at(0);
  copy.buffer = buffer->at(0);
  copy.to_buffer = direction != to_tiles;  // NONE is that, too
  std::set<UINT> subresources;
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;
  std::uint64_t end = offset;
  std::uint64_t at = offset;
  for (const TileRun& run : runs) {
    for (UINT tile = run.first; tile < run.first + run.count; ++tile, at += tile_bytes) {
      const TilePlace place = layout.place(tile);
      if (!place.packed) subresources.insert(place.subresource);
      for (UINT mip = place.subresource; place.packed && mip < layout.subresources(); ++mip) subresources.insert(mip);
      const std::uint64_t first = tile * tile_bytes;
      if (place.packed || tiled->is_buffer()) {
        const std::uint64_t all = place.packed ? layout.tiles() * tile_bytes : tiled->bytes();
        const CopyTileParts::Span span{first, at, std::min(tile_bytes, all - first)};
        bytes += span.count;
        end = at + span.count;
        copy.spans.push_back(span);
      } else {
        const TexelGrid grid = grid_of(tiled->layout(), place.subresource);
        const CopyTileParts::Part part{grid, box_of(grid, layout.shape(), place), at};
        const ElementBox box = elements_of(grid, part.box);
        bytes += copied_bytes(grid, part.box);
        rows += box.rows * box.slices;
        end = at + bytes_in_buffer(part);
        copy.parts.push_back(part);
      }
    }
  }
  if (end > buffer->bytes()) {
    return invalid(method, fmt::format("the buffer has {} bytes, and {} from {} on are needed", buffer->bytes(),
                                       end - offset, offset));
  }
  for (const UINT subresource : subresources) {
    needs(*tiled, copy.to_buffer ? D3D12_RESOURCE_STATE_COPY_SOURCE : D3D12_RESOURCE_STATE_COPY_DEST, subresource);
  }
  needs(*buffer, copy.to_buffer ? D3D12_RESOURCE_STATE_COPY_DEST : D3D12_RESOURCE_STATE_COPY_SOURCE);
  const CopyRoute route = copy.to_buffer ? route_between(*tiled, *buffer) : route_between(*buffer, *tiled);
  if (rows == 0) return recording_->add(CopyBuffer{route, bytes}, std::move(copy));
  recording_->add(CopyTexture{route, bytes / rows, rows}, std::move(copy));
}

}  // namespace fenceline::d3d12
