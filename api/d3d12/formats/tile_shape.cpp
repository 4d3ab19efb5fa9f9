// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/tile_shape.hpp"

namespace fenceline::d3d12 {
namespace {

/// Of an element of that many bytes, a power of two: the smallest that is not less.
unsigned log2_bytes(unsigned bytes) {
  unsigned log = 0;
  while ((1U << log) < bytes) ++log;
  return log;
}

/// `tile` is the logarithm of the tile's bytes. The direction that is halved next as elements grow is the last of the
/// texture's in 2D, and the last, then the middle, then the first one in 3D.
TileShape shape(const Format& format, D3D12_RESOURCE_DIMENSION dimension, std::uint32_t samples, unsigned tile) {
  const unsigned elements = tile - log2_bytes(format.block_bytes);  // logarithm of the elements in a tile
  TileShape found;
  switch (dimension) {
    case D3D12_RESOURCE_DIMENSION_TEXTURE2D: {
      unsigned width = (elements + 1) / 2;
      unsigned height = elements / 2;
      // Samples take the place of texels, of the width first.
      bool wide = true;
      for (std::uint32_t left = samples; left > 1; left /= 2) {
        --(wide ? width : height);
        wide = !wide;
      }
      found = {1U << width, 1U << height, 1};
      break;
    }
    case D3D12_RESOURCE_DIMENSION_TEXTURE3D:
      found = {1U << ((elements + 2) / 3), 1U << ((elements + 1) / 3), 1U << (elements / 3)};
      break;
    default: found = {1U << elements, 1, 1}; break;
  }
  found.width *= format.block_width;
  found.height *= format.block_height;
  return found;
}

}  // namespace

TileShape tile_shape_64k(const Format& format, D3D12_RESOURCE_DIMENSION dimension, std::uint32_t samples) {
  return shape(format, dimension, samples, 16);
}

TileShape tile_shape_4k(const Format& format, D3D12_RESOURCE_DIMENSION dimension, std::uint32_t samples) {
  return shape(format, dimension, samples, 12);
}

}  // namespace fenceline::d3d12
