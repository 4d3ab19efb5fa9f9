// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/formats/resource_layout.hpp"

#include <cstddef>
#include <cstdint>

namespace fenceline::d3d12 {

/// The elements of a subresource or of a footprint in memory: what a copy reads or writes. Where it is divided into
/// tiles, pitches are those within a tile, and only effects (effect_tiled.cpp) find their way.
struct TexelGrid {
  std::uint64_t offset = 0;         ///< of the first element, in bytes from the memory's start
  std::uint64_t row_pitch = 0;      ///< in bytes, of a row of blocks
  std::uint64_t slice_pitch = 0;    ///< in bytes
  std::uint32_t element_bytes = 1;  ///< of a texel with all its samples, or of a block
  std::uint32_t block_width = 1;    ///< in texels
  std::uint32_t block_height = 1;
  Extent texels;  ///< rounded up to whole blocks
  ElementTiles tiles;
};

/// A subresource in our memory, the index less than the layout's count.
TexelGrid grid_of(const ResourceLayout& layout, std::uint32_t index);
/// A footprint in a buffer; its format is one that D3D12 knows.
TexelGrid grid_of(const D3D12_PLACED_SUBRESOURCE_FOOTPRINT& footprint);

/// The whole grid as a box.
D3D12_BOX whole_box(const TexelGrid& grid);

/// A box counted in elements; all zeros of an empty one.
struct ElementBox {
  std::uint64_t x = 0;
  std::uint64_t y = 0;
  std::uint64_t z = 0;
  std::uint64_t columns = 0;
  std::uint64_t rows = 0;
  std::uint64_t slices = 0;
};
ElementBox elements_of(const TexelGrid& grid, const D3D12_BOX& box);

/// Moves the bytes of a box of the source to texel (x, y, z) of the destination: element by element, also between a
/// compressed format and an integer one of its block's size. An empty box moves nothing; a box that ends within a block
/// moves the whole block. The copy is one that check_copy allows, and the two do not overlap. Neither is divided into
/// tiles.
void copy_texels(std::byte* destination, const TexelGrid& to, std::uint32_t x, std::uint32_t y, std::uint32_t z,
                 const std::byte* source, const TexelGrid& from, const D3D12_BOX& box);

/// The bytes that such a copy moves.
std::uint64_t copied_bytes(const TexelGrid& from, const D3D12_BOX& box);

}  // namespace fenceline::d3d12
