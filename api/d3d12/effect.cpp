// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/effect.hpp"

#include <cstring>

namespace fenceline::d3d12 {
namespace {

struct Apply {
  void operator()(const CopyBytes& copy) const { std::memmove(copy.to.data(), copy.from.data(), copy.count); }
  void operator()(const CopyTexels& copy) const {
    copy_texels(copy.to.data(), copy.to_grid, copy.x, copy.y, copy.z, copy.from.data(), copy.from_grid, copy.box);
  }
  void operator()(const FillTexels& fill) const {
    const TexelGrid& grid = fill.grid;
    for (UINT z = fill.box.front; z < fill.box.back; ++z) {
      for (UINT y = fill.box.top; y < fill.box.bottom; ++y) {
        std::byte* row = fill.to.data() + grid.offset + z * grid.slice_pitch + y * grid.row_pitch;
        for (UINT x = fill.box.left; x < fill.box.right; ++x) {
          std::memcpy(row + std::uint64_t{x} * grid.element_bytes, fill.value.data(), grid.element_bytes);
        }
      }
    }
  }
  void operator()(const WriteWord& write) const { std::memcpy(write.to.data(), &write.value, sizeof write.value); }
  void operator()(const ResolveQueries& resolve) const {
    if (!resolve.binary) {
      std::memcpy(resolve.to.data(), resolve.from.data(), resolve.count);
      return;
    }
    for (std::uint64_t at = 0; at < resolve.count; at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, resolve.from.data() + at, sizeof word);
      word = word != 0 ? 1 : 0;
      std::memcpy(resolve.to.data() + at, &word, sizeof word);
    }
  }
};

}  // namespace

void apply(const Effect& effect) { std::visit(Apply{}, effect); }

}  // namespace fenceline::d3d12
