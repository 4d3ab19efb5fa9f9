// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/texel_copy.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

/// Bytes of memory that lie in equal rows, and these in equal slices.
struct ByteRegion {
  std::uint64_t begin = 0;  ///< of the first one
  std::uint64_t row_bytes = 0;
  std::uint64_t rows = 1;  ///< of a slice
  std::uint64_t row_pitch = 0;
  std::uint64_t slices = 1;
  std::uint64_t slice_pitch = 0;

  bool empty() const { return row_bytes == 0 || rows == 0 || slices == 0; }
  /// There is nothing between its first and its last byte that does not belong to it.
  bool contiguous() const { return rows == 1 && slices == 1; }
  /// Behind the last byte.
  std::uint64_t end() const { return begin + (slices - 1) * slice_pitch + (rows - 1) * row_pitch + row_bytes; }
  bool operator==(const ByteRegion& other) const {
    return begin == other.begin && row_bytes == other.row_bytes && rows == other.rows && row_pitch == other.row_pitch &&
           slices == other.slices && slice_pitch == other.slice_pitch;
  }
};

inline ByteRegion region_of(std::uint64_t begin, std::uint64_t bytes) { return {begin, bytes}; }
/// What a copy of that box reads or writes: whole blocks. `base` is added to the grid's offset. Rows without a gap in
/// between are one.
ByteRegion region_of(const TexelGrid& grid, const D3D12_BOX& box, std::uint64_t base);

/// Some byte belongs to both.
bool overlap(const ByteRegion& one, const ByteRegion& other);

}  // namespace fenceline::d3d12
