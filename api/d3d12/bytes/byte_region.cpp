// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/byte_region.hpp"

#include <algorithm>

namespace fenceline::d3d12 {
namespace {

/// Of `count` pieces of `bytes`, one every `pitch` from `first` on: the number of the first that ends behind `begin`.
std::uint64_t first_behind(std::uint64_t begin, std::uint64_t first, std::uint64_t bytes, std::uint64_t pitch,
                           std::uint64_t count) {
  if (begin < first + bytes) return 0;
  return count == 1 ? 1 : (begin - first - bytes) / pitch + 1;
}

/// Some byte of the region is in [begin, end).
bool touches(const ByteRegion& region, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t slice_bytes = (region.rows - 1) * region.row_pitch + region.row_bytes;
  std::uint64_t slice = first_behind(begin, region.begin, slice_bytes, region.slice_pitch, region.slices);
  for (; slice < region.slices; ++slice) {
    const std::uint64_t first = region.begin + slice * region.slice_pitch;
    if (first >= end) return false;
    const std::uint64_t row = first_behind(begin, first, region.row_bytes, region.row_pitch, region.rows);
    if (row < region.rows && first + row * region.row_pitch < end) return true;
  }
  return false;
}

}  // namespace

ByteRegion region_of(const TexelGrid& grid, const D3D12_BOX& box, std::uint64_t base) {
  const auto blocks = [](UINT from, UINT to, std::uint32_t block) {
    return std::uint64_t{(to + block - 1) / block} - from / block;
  };
  ByteRegion region;
  region.begin = base + grid.offset + box.front * grid.slice_pitch + box.top / grid.block_height * grid.row_pitch +
                 std::uint64_t{box.left / grid.block_width} * grid.element_bytes;
  region.row_bytes = blocks(box.left, box.right, grid.block_width) * grid.element_bytes;
  region.rows = blocks(box.top, box.bottom, grid.block_height);
  region.row_pitch = grid.row_pitch;
  region.slices = box.back - box.front;
  region.slice_pitch = grid.slice_pitch;
  if (region.rows == 1) {
    region.rows = region.slices;
    region.row_pitch = region.slice_pitch;
    region.slices = 1;
  }
  if (region.row_pitch == region.row_bytes) {
    region.row_bytes *= region.rows;
    region.rows = region.slices;
    region.row_pitch = region.slice_pitch;
    region.slices = 1;
    if (region.row_pitch == region.row_bytes) {
      region.row_bytes *= region.rows;
      region.rows = 1;
    }
  }
  return region;
}

bool overlap(const ByteRegion& one, const ByteRegion& other) {
  if (one.empty() || other.empty() || one.begin >= other.end() || other.begin >= one.end()) return false;
  const bool fewer = one.rows * one.slices <= other.rows * other.slices;
  const ByteRegion& few = fewer ? one : other;
  const ByteRegion& many = fewer ? other : one;
  for (std::uint64_t slice = 0; slice < few.slices; ++slice) {
    for (std::uint64_t row = 0; row < few.rows; ++row) {
      const std::uint64_t begin = few.begin + slice * few.slice_pitch + row * few.row_pitch;
      if (touches(many, begin, begin + few.row_bytes)) return true;
    }
  }
  return false;
}

}  // namespace fenceline::d3d12
