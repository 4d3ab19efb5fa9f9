// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/formats/subresource_shape.hpp"
#include "api/d3d12/formats/tile_layout.hpp"

#include <cstdint>
#include <vector>

namespace fenceline::d3d12 {

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
