// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/formats/format.hpp"
#include "tests/d3d12/resources/reserved_app.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace fenceline::testing::tiles {

using d3d12::find_format;
using d3d12::Format;
using Raw = std::vector<std::uint8_t>;
using Coordinate = D3D12_TILED_RESOURCE_COORDINATE;
using Size = D3D12_TILE_REGION_SIZE;
using Flags = D3D12_TILE_RANGE_FLAGS;

/// Bytes of two heaps.
using Heaps = std::array<Raw, 2>;
/// A tile of one of them.
struct Page {
  int heap = -1;  // none
  UINT tile = 0;
};

/// A subresource, counted in elements.
struct Part {
  UINT width, height, depth;
  bool packed;
  UINT across, down, deep;  // in tiles
  UINT first_tile;
  UINT64 packed_offset;
};

/// A reserved resource as its definition says it. What is in a tile lies in CopyTiles' order.
class Model {
 public:
  Model(const D3D12_RESOURCE_DESC& desc, const D3D12_TILE_SHAPE& shape, Heaps& heaps)
      : heaps_(heaps), format_(*find_format(desc.Format)), buffer_(desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER) {
    width_ = shape.WidthInTexels / format_.block_width;
    height_ = shape.HeightInTexels / format_.block_height;
    depth_ = shape.DepthInTexels;
    const bool solid = desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    UINT tiles = 0;
    UINT64 packed_bytes = 0;
    for (UINT slice = 0; slice < (solid ? 1U : desc.DepthOrArraySize); ++slice) {
      for (UINT mip = 0; mip < desc.MipLevels; ++mip) {
        const UINT texels_x = std::max(1U, static_cast<UINT>(desc.Width >> mip));
        const UINT texels_y = std::max(1U, desc.Height >> mip);
        const UINT texels_z = solid ? std::max(1, desc.DepthOrArraySize >> mip) : 1;
        Part part{ceil_div(texels_x, format_.block_width),
                  ceil_div(texels_y, format_.block_height),
                  texels_z,
                  false,
                  0,
                  0,
                  0,
                  tiles,
                  packed_bytes};
        part.packed = !buffer_ && (texels_x < shape.WidthInTexels || texels_y < shape.HeightInTexels ||
                                   texels_z < shape.DepthInTexels);
        if (part.packed) {
          packed_bytes += UINT64{part.width} * part.height * part.depth * format_.block_bytes;
        } else {
          part.across = ceil_div(part.width, width_);
          part.down = ceil_div(part.height, height_);
          part.deep = ceil_div(part.depth, depth_);
          tiles += part.across * part.down * part.deep;
        }
        parts.push_back(part);
      }
    }
    packed_first = tiles;
    pages.resize(tiles + ceil_div(packed_bytes, 65536));
  }

  UINT element() const { return format_.block_bytes; }
  const Format& format() const { return format_; }
  bool is_buffer() const { return buffer_; }

  /// Where a byte of an element lies; null where nothing is mapped.
  std::uint8_t* at(UINT part_index, UINT x, UINT y, UINT z, UINT byte) {
    const Part& part = parts[part_index];
    if (part.packed) {
      const UINT64 place = part.packed_offset + ((UINT64{z} * part.height + y) * part.width + x) * element() + byte;
      return in_page(packed_first + static_cast<UINT>(place / 65536), static_cast<UINT>(place % 65536));
    }
    const UINT tile = (z / depth_ * part.down + y / height_) * part.across + x / width_;
    const UINT place = ((z % depth_ * height_ + y % height_) * width_ + x % width_) * element() + byte;
    return in_page(part.first_tile + tile, place);
  }
  std::uint8_t* in_page(UINT page, UINT place) {
    const Page& of = pages.at(page);
    return of.heap < 0 ? nullptr : &heaps_.at(static_cast<std::size_t>(of.heap)).at(of.tile * 65536 + place);
  }
  std::uint8_t get(UINT part, UINT x, UINT y, UINT z, UINT byte) {
    const std::uint8_t* const found = at(part, x, y, z, byte);
    return found != nullptr ? *found : 0;
  }
  void set(UINT part, UINT x, UINT y, UINT z, UINT byte, std::uint8_t value) {
    std::uint8_t* const found = at(part, x, y, z, byte);
    if (found != nullptr) *found = value;
  }

  /// The tiles of a region, one by one.
  std::vector<UINT> walk(const Coordinate& start, const Size& size) const {
    const Part& part = parts.at(start.Subresource);
    std::vector<UINT> tiles;
    if (size.UseBox == FALSE) {
      const UINT in_part = (start.Z * part.down + start.Y) * part.across + start.X;
      const UINT first = part.packed ? packed_first + start.X : part.first_tile + in_part;
      for (UINT i = 0; i < size.NumTiles; ++i) tiles.push_back(first + i);
      return tiles;
    }
    for (UINT z = 0; z < size.Depth; ++z) {
      for (UINT y = 0; y < size.Height; ++y) {
        for (UINT x = 0; x < size.Width; ++x) {
          tiles.push_back(part.first_tile + ((start.Z + z) * part.down + start.Y + y) * part.across + start.X + x);
        }
      }
    }
    return tiles;
  }

  /// Calls `element(x, y, z, place in the tile)` for the elements of a tile that are there.
  template <class Element>
  void in_tile(UINT tile, Element&& element_at) const {
    for (UINT index = 0; index < parts.size(); ++index) {
      const Part& part = parts[index];
      if (part.packed || tile < part.first_tile || tile >= part.first_tile + part.across * part.down * part.deep) {
        continue;
      }
      const UINT at = tile - part.first_tile;
      const UINT first_x = at % part.across * width_;
      const UINT first_y = at / part.across % part.down * height_;
      const UINT first_z = at / part.across / part.down * depth_;
      for (UINT z = 0; z < depth_ && first_z + z < part.depth; ++z) {
        for (UINT y = 0; y < height_ && first_y + y < part.height; ++y) {
          for (UINT x = 0; x < width_ && first_x + x < part.width; ++x) {
            element_at(index, first_x + x, first_y + y, first_z + z, ((z * height_ + y) * width_ + x) * element());
          }
        }
      }
    }
  }

  std::vector<Part> parts;
  std::vector<Page> pages;
  UINT packed_first = 0;

 private:
  Heaps& heaps_;
  const Format& format_;
  bool buffer_;
  UINT width_, height_, depth_;  // of a tile, in elements
};

}  // namespace fenceline::testing::tiles
