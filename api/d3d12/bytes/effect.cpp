// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/effect.hpp"

#include <cstring>

namespace fenceline::d3d12 {
namespace {

/// Whether it reads or writes a reserved resource.
struct OfTiles {
  template <class Copy>
  bool operator()(const Copy& copy) const {
    return copy.to.reserved() || copy.from.reserved();
  }
  bool operator()(const FillTexels& fill) const { return fill.to.reserved(); }
  bool operator()(const WriteWord& write) const { return write.to.reserved(); }
  bool operator()(const CopyTileParts&) const { return true; }
};

void mask_depth(std::byte* to, const TexelGrid& grid) {
  for (std::uint32_t y = 0; y < grid.texels.height; ++y) {
    std::byte* const row = to + grid.offset + y * grid.row_pitch;
    for (std::uint64_t at = 3; at < grid.texels.width * grid.element_bytes; at += 4) row[at] = std::byte{0};
  }
}

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
  void operator()(const ResolveTexels& resolve) const {
    const std::uint32_t bytes = resolve.to_grid.element_bytes;
    for (UINT y = resolve.box.top; y < resolve.box.bottom; ++y) {
      for (UINT x = resolve.box.left; x < resolve.box.right; ++x) {
        const std::byte* from = resolve.from.data() + resolve.from_grid.offset + y * resolve.from_grid.row_pitch +
                                std::uint64_t{x} * resolve.from_grid.element_bytes;
        std::byte* to = resolve.to.data() + resolve.to_grid.offset +
                        (resolve.y + y - resolve.box.top) * resolve.to_grid.row_pitch +
                        (std::uint64_t{resolve.x} + x - resolve.box.left) * bytes;
        const Element element = resolve_texel(resolve.format, resolve.mode, from, resolve.samples, bytes);
        std::memcpy(to, element.data(), bytes);
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
  void operator()(const CopyTileParts&) const {}  // is one of tiles
};

}  // namespace

void apply(const Effect& effect) {
  if (std::visit(OfTiles{}, effect)) {
    apply_tiled(effect);
  } else {
    std::visit(Apply{}, effect);
  }
  const auto* const copy = std::get_if<CopyTexels>(&effect);
  if (copy != nullptr && copy->masks_depth && !copy->to.reserved()) mask_depth(copy->to.data(), copy->to_grid);
}

}  // namespace fenceline::d3d12
