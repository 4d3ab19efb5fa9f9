// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/formats/resource_desc.hpp"
#include "api/d3d12/formats/tile_shape.hpp"

#include <cstdint>
#include <vector>

namespace fenceline::d3d12 {

/// Can a reserved resource be like that, on a device of tiled resources tier 3? The rules of check_resource_desc, and:
/// textures of 2 or 3 dimensions, in 64KB_UNDEFINED_SWIZZLE and a format with D3D12_FORMAT_SUPPORT2_TILED, arrays only
/// where every mip fills a tile in all directions. E_OUTOFMEMORY for more than 2^40 bytes, the most that a resource may
/// have of the GPU's address space.
Verdict check_reserved_desc(const D3D12_RESOURCE_DESC& desc);

/// A tile by its subresource.
struct TilePlace {
  UINT subresource = 0;  ///< of packed mips: the first of them
  UINT x = 0;            ///< in tiles; of packed mips: from their first tile on
  UINT y = 0;
  UINT z = 0;
  bool packed = false;
};

/// How a reserved resource is divided into tiles of 64 KiB, as ID3D12Device::GetResourceTiling tells it: subresource
/// after subresource, within one row by row of tiles. Mips that are less than a tile in some direction, and those after
/// them, are packed: they lie one behind the other without padding in tiles at the end of the resource.
class TileLayout {
 public:
  /// `desc` is one that check_reserved_desc allows.
  explicit TileLayout(const D3D12_RESOURCE_DESC& desc);

  /// Of the whole resource.
  UINT tiles() const { return tiles_; }
  /// Of all mips that are not packed, in texels; of a buffer in bytes. Told also where every mip is packed, as drivers
  /// do against the documentation.
  const TileShape& shape() const { return shape_; }
  const D3D12_PACKED_MIP_INFO& packed() const { return packed_; }
  UINT slices() const { return slices_; }
  UINT subresources() const { return mips() * slices_; }
  bool is_packed(UINT subresource) const { return subresource % mips() >= packed_.NumStandardMips && !buffer_; }
  /// Of packed mips: zeros, and D3D12_PACKED_TILE (0xffffffff).
  D3D12_SUBRESOURCE_TILING tiling(UINT subresource) const;
  /// Bytes from the resource's start to the subresource's first, every tile counted with all its 64 KiB.
  std::uint64_t offset(UINT subresource) const;
  /// Which tile that is. `tile` is less than tiles().
  TilePlace place(UINT tile) const;

 private:
  struct Mip {
    UINT start = 0;  // tile from the slice's first on
    UINT width = 0;  // in tiles
    UINT16 height = 0;
    UINT16 depth = 0;
    std::uint64_t packed_offset = 0;  // of a packed one, in bytes from the first packed tile on
  };
  UINT mips() const { return static_cast<UINT>(mips_.size()); }

  bool buffer_;
  UINT slices_;
  UINT slice_tiles_ = 0;  // that are not packed
  UINT tiles_ = 0;
  TileShape shape_;
  D3D12_PACKED_MIP_INFO packed_{};
  std::vector<Mip> mips_;
};

}  // namespace fenceline::d3d12
