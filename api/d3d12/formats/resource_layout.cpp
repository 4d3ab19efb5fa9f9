// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/resource_layout.hpp"

namespace fenceline::d3d12 {

ResourceLayout::ResourceLayout(const D3D12_RESOURCE_DESC& desc) {
  const bool row_major =
      desc.Dimension != D3D12_RESOURCE_DIMENSION_BUFFER && desc.Layout == D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  const std::uint32_t count = subresource_count(desc);
  subresources_.reserve(count);
  for (std::uint32_t index = 0; index < count; ++index) {
    SubresourceLayout layout;
    layout.shape = subresource_shape(desc, index);
    layout.offset = bytes_;
    layout.row_pitch = row_major ? row_major_pitch(layout.shape) : layout.shape.row_bytes;
    layout.slice_pitch = layout.row_pitch * layout.shape.rows;
    layout.bytes = layout.slice_pitch * layout.shape.texels.depth;
    bytes_ += layout.bytes;
    subresources_.push_back(layout);
  }
}

ResourceLayout::ResourceLayout(const D3D12_RESOURCE_DESC& desc, const TileLayout& tiles) : ResourceLayout(desc) {
  for (SubresourceLayout& layout : subresources_) {
    const auto index = static_cast<std::uint32_t>(&layout - subresources_.data());
    const SubresourceShape& shape = layout.shape;
    layout.offset = tiles.offset(index);
    if (desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER || tiles.is_packed(index)) continue;
    const D3D12_SUBRESOURCE_TILING tiling = tiles.tiling(index);
    const TileShape& tile = tiles.shape();
    layout.tiles = {static_cast<std::uint16_t>(tile.width / shape.block_width),
                    static_cast<std::uint16_t>(tile.height / shape.block_height),
                    static_cast<std::uint16_t>(tile.depth), tiling.WidthInTiles, tiling.HeightInTiles};
    layout.row_pitch = tile_bytes / layout.tiles.rows / layout.tiles.slices;
    layout.slice_pitch = tile_bytes / layout.tiles.slices;
  }
  bytes_ = tiles.tiles() * tile_bytes;
}

}  // namespace fenceline::d3d12
