// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/texel_copy.hpp"

#include "sim/rounding.hpp"

#include <cstring>

namespace fenceline::d3d12 {
ElementBox elements_of(const TexelGrid& grid, const D3D12_BOX& box) {
  if (box.left >= box.right || box.top >= box.bottom || box.front >= box.back) return {};
  ElementBox found;
  found.x = box.left / grid.block_width;
  found.y = box.top / grid.block_height;
  found.z = box.front;
  found.columns = divided_up(std::uint64_t{box.right}, grid.block_width) - found.x;
  found.rows = divided_up(std::uint64_t{box.bottom}, grid.block_height) - found.y;
  found.slices = box.back - box.front;
  return found;
}

TexelGrid grid_of(const ResourceLayout& layout, std::uint32_t index) {
  const SubresourceLayout& subresource = layout.subresources()[index];
  const SubresourceShape& shape = subresource.shape;
  TexelGrid grid;
  grid.offset = subresource.offset;
  grid.row_pitch = subresource.row_pitch;
  grid.slice_pitch = subresource.slice_pitch;
  grid.block_width = shape.block_width;
  grid.block_height = shape.block_height;
  grid.texels = shape.texels;
  grid.tiles = subresource.tiles;
  grid.element_bytes = static_cast<std::uint32_t>(shape.row_bytes / (shape.texels.width / shape.block_width));
  return grid;
}

TexelGrid grid_of(const D3D12_PLACED_SUBRESOURCE_FOOTPRINT& footprint) {
  const D3D12_SUBRESOURCE_FOOTPRINT& print = footprint.Footprint;
  const Format& format = *find_format(print.Format);
  TexelGrid grid;
  grid.offset = footprint.Offset;
  grid.row_pitch = print.RowPitch;
  grid.element_bytes = format.block_bytes;
  grid.block_width = format.block_width;
  grid.block_height = format.block_height;
  const std::uint64_t columns = divided_up(std::uint64_t{print.Width}, grid.block_width);
  const std::uint64_t rows = divided_up(std::uint64_t{print.Height}, grid.block_height);
  grid.texels = {columns * grid.block_width, static_cast<std::uint32_t>(rows * grid.block_height), print.Depth};
  grid.slice_pitch = grid.row_pitch * rows;
  return grid;
}

D3D12_BOX whole_box(const TexelGrid& grid) {
  return {0, 0, 0, static_cast<UINT>(grid.texels.width), grid.texels.height, grid.texels.depth};
}

void copy_texels(std::byte* destination, const TexelGrid& to, std::uint32_t x, std::uint32_t y, std::uint32_t z,
                 const std::byte* source, const TexelGrid& from, const D3D12_BOX& box) {
  const ElementBox moved = elements_of(from, box);
  const std::uint64_t row_bytes = moved.columns * from.element_bytes;
  const std::uint64_t to_start =
      to.offset + z * to.slice_pitch + y / to.block_height * to.row_pitch + x / to.block_width * to.element_bytes;
  const std::uint64_t from_start =
      from.offset + moved.z * from.slice_pitch + moved.y * from.row_pitch + moved.x * from.element_bytes;
  for (std::uint64_t slice = 0; slice < moved.slices; ++slice) {
    for (std::uint64_t row = 0; row < moved.rows; ++row) {
      std::memcpy(destination + to_start + slice * to.slice_pitch + row * to.row_pitch,
                  source + from_start + slice * from.slice_pitch + row * from.row_pitch, row_bytes);
    }
  }
}

std::uint64_t copied_bytes(const TexelGrid& from, const D3D12_BOX& box) {
  const ElementBox moved = elements_of(from, box);
  return moved.columns * moved.rows * moved.slices * from.element_bytes;
}

}  // namespace fenceline::d3d12
