// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/tile_layout.hpp"

#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/format_support.hpp"
#include "api/d3d12/formats/subresource_shape.hpp"
#include "sim/rounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40;  // MaxGPUVirtualAddressBitsPerResource

bool is_buffer(const D3D12_RESOURCE_DESC& desc) { return desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER; }

TileShape shape_of(const D3D12_RESOURCE_DESC& desc) {
  if (is_buffer(desc)) return {static_cast<std::uint32_t>(tile_bytes), 1, 1};
  return tile_shape_64k(*find_format(desc.Format), desc.Dimension, desc.SampleDesc.Count);
}

/// Tiered hardware guarantees standard tiles from one tile in each direction on (tier 2); the rest is packed.
bool fills_a_tile(const Extent& texels, const TileShape& tile) {
  return texels.width >= tile.width && texels.height >= tile.height && texels.depth >= tile.depth;
}

std::uint64_t tiles_of(const Extent& texels, const TileShape& tile) {
  return divided_up(texels.width, tile.width) * divided_up(texels.height, tile.height) *
         divided_up(texels.depth, tile.depth);
}

/// Without padding: ResourceLayout's way.
std::uint64_t packed_bytes(const D3D12_RESOURCE_DESC& desc, UINT mip) {
  const SubresourceShape shape = subresource_shape(desc, mip);
  return shape.row_bytes * shape.rows * shape.texels.depth;
}

}  // namespace

Verdict check_reserved_desc(const D3D12_RESOURCE_DESC& desc) {
  if (desc.Alignment != 0 && desc.Alignment != D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT) {
    return invalid("Alignment of a reserved resource: expected 0 or 65536, found {}", desc.Alignment);
  }
  D3D12_RESOURCE_DESC plain = desc;
  plain.Alignment = 0;  // 64 KiB is a tile, for several samples, too
  Verdict verdict = check_resource_desc(plain);
  if (!verdict.ok()) return verdict;
  if ((desc.Flags & D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER) != 0) {
    return invalid("Flags: ALLOW_CROSS_ADAPTER needs a heap of the resource's own");
  }
  if (is_buffer(desc)) {
    if (desc.Width <= most_bytes) return {};
    return {E_OUTOFMEMORY, fmt::format("Width: expected at most {}, found {}", most_bytes, desc.Width)};
  }
  if (desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE1D) return invalid("1D textures cannot be reserved");
  if (desc.Layout != D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE) {
    return invalid("Layout of a reserved texture: expected 64KB_UNDEFINED_SWIZZLE (2), found {}",
                   static_cast<UINT>(desc.Layout));
  }
  if ((format_support(desc.Format).support2 & D3D12_FORMAT_SUPPORT2_TILED) == 0) {
    return invalid("Format: {} cannot be tiled", find_format(desc.Format)->name);
  }
  const TileShape tile = shape_of(desc);
  const UINT mips = mip_count(desc);
  if (array_size(desc) > 1 && !fills_a_tile(mip_extent(desc, mips - 1), tile)) {
    return invalid("DepthOrArraySize: expected 1 where a mip is less than a tile of {} x {}, found {}", tile.width,
                   tile.height, desc.DepthOrArraySize);
  }
  std::uint64_t tiles = 0;
  for (UINT mip = 0; mip < mips; ++mip) tiles += tiles_of(mip_extent(desc, mip), tile);
  if (tiles * array_size(desc) <= most_bytes / tile_bytes) return {};
  return {E_OUTOFMEMORY,
          fmt::format("expected at most {} tiles, found {}", most_bytes / tile_bytes, tiles * array_size(desc))};
}

TileLayout::TileLayout(const D3D12_RESOURCE_DESC& desc)
    : buffer_(is_buffer(desc)), slices_(array_size(desc)), shape_(shape_of(desc)), mips_(mip_count(desc)) {
  UINT standard = 0;
  std::uint64_t packed = 0;
  for (Mip& mip : mips_) {
    const auto index = static_cast<UINT>(&mip - mips_.data());
    const Extent texels = mip_extent(desc, index);
    if (standard == index && (buffer_ || fills_a_tile(texels, shape_))) {
      mip.start = slice_tiles_;
      mip.width = static_cast<UINT>(divided_up(texels.width, shape_.width));
      mip.height = static_cast<UINT16>(divided_up(texels.height, shape_.height));
      mip.depth = static_cast<UINT16>(divided_up(texels.depth, shape_.depth));
      slice_tiles_ += mip.width * mip.height * mip.depth;
      ++standard;
    } else {
      mip.packed_offset = packed;
      packed += packed_bytes(desc, index);
    }
  }
  tiles_ = slice_tiles_ * slices_;
  if (buffer_) return;  // has no mips to tell of
  packed_.NumStandardMips = static_cast<UINT8>(standard);
  packed_.NumPackedMips = static_cast<UINT8>(mips() - standard);
  if (packed_.NumPackedMips == 0) return;
  packed_.NumTilesForPackedMips = static_cast<UINT>(divided_up(packed, tile_bytes));
  packed_.StartTileIndexInOverallResource = tiles_;
  tiles_ += packed_.NumTilesForPackedMips;
}

D3D12_SUBRESOURCE_TILING TileLayout::tiling(UINT subresource) const {
  if (is_packed(subresource)) return {0, 0, 0, D3D12_PACKED_TILE};
  const Mip& mip = mips_[subresource % mips()];
  return {mip.width, mip.height, mip.depth, subresource / mips() * slice_tiles_ + mip.start};
}

std::uint64_t TileLayout::offset(UINT subresource) const {
  if (!is_packed(subresource)) return tiling(subresource).StartTileIndexInOverallResource * tile_bytes;
  return packed_.StartTileIndexInOverallResource * tile_bytes + mips_[subresource % mips()].packed_offset;
}

TilePlace TileLayout::place(UINT tile) const {
  if (packed_.NumPackedMips > 0 && tile >= packed_.StartTileIndexInOverallResource) {
    return {packed_.NumStandardMips, tile - packed_.StartTileIndexInOverallResource, 0, 0, true};
  }
  const UINT slice = tile / slice_tiles_;
  const UINT in_slice = tile % slice_tiles_;
  UINT index = 0;
  while (index + 1 < mips() && !is_packed(index + 1) && mips_[index + 1].start <= in_slice) ++index;
  const Mip& mip = mips_[index];
  const UINT at = in_slice - mip.start;
  return {slice * mips() + index, at % mip.width, at / mip.width % mip.height, at / (mip.width * mip.height), false};
}

}  // namespace fenceline::d3d12
