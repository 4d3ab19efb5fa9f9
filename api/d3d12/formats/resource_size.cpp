// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/resource_size.hpp"

#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/subresource_shape.hpp"
#include "api/d3d12/formats/tile_shape.hpp"
#include "sim/rounding.hpp"

namespace fenceline::d3d12 {
namespace {

constexpr std::uint64_t small_tile = D3D12_SMALL_RESOURCE_PLACEMENT_ALIGNMENT;
constexpr std::uint64_t tile_64k = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
constexpr std::uint64_t msaa_alignment = D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT;

bool multisampled(const D3D12_RESOURCE_DESC& desc) { return desc.SampleDesc.Count > 1; }

/// The tile of one of its planes, which for a format of one plane is the format's own.
TileShape tile_of(const D3D12_RESOURCE_DESC& desc, const FormatPlane& plane) {
  const Format& format = *find_format(plane.format);
  return multisampled(desc) ? tile_shape_64k(format, desc.Dimension, desc.SampleDesc.Count)
                            : tile_shape_4k(format, desc.Dimension, 1);
}

std::uint64_t tiles(const Extent& texels, const TileShape& tile) {
  return divided_up(texels.width, tile.width) * divided_up(texels.height, tile.height) *
         divided_up(texels.depth, tile.depth);
}

bool less_than_a_tile(const Extent& texels, const TileShape& tile) {
  return texels.width < tile.width && texels.height < tile.height &&
         (texels.depth < tile.depth || (texels.depth == 1 && tile.depth == 1));
}

/// Of one plane of one slice, all mips.
std::uint64_t slice_tiles(const D3D12_RESOURCE_DESC& desc, std::uint32_t plane) {
  std::uint64_t total = 0;
  std::uint64_t tail_bytes = 0;
  for (std::uint32_t mip = 0; mip < mip_count(desc); ++mip) {
    const SubresourceShape shape = subresource_shape(desc, subresource_index(desc, {mip, 0, plane}));
    const TileShape tile = tile_of(desc, shape.plane);
    if (mip > 0 && less_than_a_tile(shape.texels, tile)) {
      tail_bytes += shape.row_bytes * shape.rows * shape.texels.depth;
    } else {
      total += tiles(shape.texels, tile);
    }
  }
  return total + divided_up(tail_bytes, small_tile);
}

std::uint64_t texture_bytes(const D3D12_RESOURCE_DESC& desc) {
  if (desc.Layout == D3D12_TEXTURE_LAYOUT_ROW_MAJOR) {
    const SubresourceShape shape = subresource_shape(desc, 0);
    constexpr std::uint64_t height_alignment = 4;  // D3DKMT_CROSS_ADAPTER_RESOURCE_HEIGHT_ALIGNMENT
    return row_major_pitch(shape) * rounded_up(shape.rows, height_alignment);
  }
  std::uint64_t slice = 0;
  for (std::uint32_t plane = 0; plane < plane_count(desc.Format); ++plane) slice += slice_tiles(desc, plane);
  return slice * array_size(desc) * (multisampled(desc) ? tile_64k : small_tile);
}

}  // namespace

bool may_be_small(const D3D12_RESOURCE_DESC& desc) {
  const UINT targets = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL;
  if (desc.Layout != D3D12_TEXTURE_LAYOUT_UNKNOWN) return false;
  if (multisampled(desc) || (desc.Flags & targets) != 0) return false;
  const SubresourceShape shape = subresource_shape(desc, 0);
  return tiles(shape.texels, tile_of(desc, shape.plane)) <= 16;
}

D3D12_RESOURCE_ALLOCATION_INFO allocation_of(const D3D12_RESOURCE_DESC& desc) {
  if (desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER) return {rounded_up(desc.Width, tile_64k), tile_64k};
  std::uint64_t alignment = desc.Alignment;
  if (alignment == 0) alignment = multisampled(desc) ? msaa_alignment : tile_64k;
  return {rounded_up(texture_bytes(desc), alignment), alignment};
}

}  // namespace fenceline::d3d12
