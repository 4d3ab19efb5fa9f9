// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/format.hpp"
#include "api/d3d12/subresource.hpp"
#include "api/d3d12/tile_layout.hpp"

#include <cstdint>
#include <vector>

namespace fenceline::d3d12 {

/// The elements of a subresource: what is left of its format, its plane and its mip once only bytes count.
struct SubresourceShape {
  FormatPlane plane{};
  std::uint8_t block_width = 1;  ///< texels of the plane that share an element
  std::uint8_t block_height = 1;
  Extent texels;                      ///< of the plane, rounded up to whole blocks
  std::uint32_t rows = 0;             ///< of blocks, in a slice
  std::uint64_t row_bytes = 0;        ///< of one row
  std::uint64_t pitch_row_bytes = 0;  ///< what a row pitch has to hold: more than row_bytes for the chroma of NV11
};

/// The shape of a subresource of a valid description; `index` is less than subresource_count.
SubresourceShape subresource_shape(const D3D12_RESOURCE_DESC& desc, std::uint32_t index);

/// Of a ROW_MAJOR texture, which adapters share: the smallest multiple of 128 bytes that holds a row. Source:
/// windows-driver-docs, D3DKMT_CROSS_ADAPTER_RESOURCE_PITCH_ALIGNMENT.
std::uint64_t row_major_pitch(const SubresourceShape& shape);

/// A subresource that is divided into tiles of 64 KiB, which lie one behind the other, row after row and layer after
/// layer of them. Within a tile its elements lie as ID3D12GraphicsCommandList::CopyTiles has them in a buffer.
struct ElementTiles {
  std::uint16_t columns = 0;  ///< of elements in a tile; 0: the subresource is not divided
  std::uint16_t rows = 0;
  std::uint16_t slices = 0;
  std::uint32_t across = 0;  ///< tiles in a row of them
  std::uint32_t down = 0;    ///< rows of tiles in a layer
};

/// Where a subresource's bytes are in our memory.
struct SubresourceLayout {
  SubresourceShape shape;
  std::uint64_t offset = 0;       ///< in bytes from the resource's start
  std::uint64_t row_pitch = 0;    ///< shape.row_bytes; of a tile's row where there are tiles
  std::uint64_t slice_pitch = 0;  ///< row_pitch times the rows
  std::uint64_t bytes = 0;        ///< of all slices and samples
  ElementTiles tiles;
};

/// How we keep a resource, whatever layout it asks for, but for ROW_MAJOR textures: its subresources by index one
/// behind the other, each row after row of whole blocks, slice after slice, without padding. With several samples a
/// texel's samples lie one behind the other, which makes its element so much larger. Depth and stencil are planes of 32
/// and 8 bits. Of a reserved texture the mips that are not packed are divided into tiles.
class ResourceLayout {
 public:
  explicit ResourceLayout(const D3D12_RESOURCE_DESC& desc);
  /// Of a reserved resource: bytes() are those of all its tiles.
  ResourceLayout(const D3D12_RESOURCE_DESC& desc, const TileLayout& tiles);

  const std::vector<SubresourceLayout>& subresources() const { return subresources_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::vector<SubresourceLayout> subresources_;
  std::uint64_t bytes_ = 0;
};

}  // namespace fenceline::d3d12
