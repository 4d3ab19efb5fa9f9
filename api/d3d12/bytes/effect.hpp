// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/heap_memory.hpp"
#include "api/d3d12/bytes/texel_copy.hpp"
#include "api/d3d12/bytes/texel_resolve.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <variant>
#include <vector>

namespace fenceline::d3d12 {

/// Bytes from `offset` on. Keeps them, whatever becomes of the resource.
struct Bytes {
  std::shared_ptr<HeapMemory> memory;
  std::uint64_t offset = 0;
  /// Not of a reserved resource.
  std::byte* data() const { return memory->data() + offset; }
  /// They are those of a reserved resource.
  bool reserved() const { return memory->tiles() != nullptr; }
  void read(std::uint64_t count, std::byte* to) const { memory->read(offset, count, to); }
  void write(std::uint64_t count, const std::byte* from) const { memory->write(offset, count, from); }
  template <class T>
  T value() const {
    std::array<std::byte, sizeof(T)> bytes{};
    read(bytes.size(), bytes.data());
    T value{};
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
};

/// CopyBufferRegion, and CopyResource of what lies alike.
struct CopyBytes {
  Bytes to;
  Bytes from;
  std::uint64_t count = 0;
};
/// CopyTextureRegion, CopyResource of each subresource of what lies differently, and a resolve that only decompresses.
struct CopyTexels {
  Bytes to;
  Bytes from;
  TexelGrid to_grid;
  TexelGrid from_grid;
  std::uint32_t x = 0, y = 0, z = 0;
  D3D12_BOX box{};
  bool masks_depth = false;  ///< of each 32 bits the upper 8 become 0; the whole destination is written
};
/// A clear: every element of the boxes becomes `value`.
struct FillTexels {
  Bytes to;
  TexelGrid grid;
  D3D12_BOX box{};
  std::array<std::byte, 16> value{};
};
/// ResolveSubresource and ResolveSubresourceRegion: `box` of the source goes to (x, y).
struct ResolveTexels {
  Bytes to;
  Bytes from;
  TexelGrid to_grid;
  TexelGrid from_grid;
  std::uint32_t x = 0, y = 0;
  D3D12_BOX box{};
  SampleFormat format;
  std::uint32_t samples = 1;
  D3D12_RESOLVE_MODE mode = D3D12_RESOLVE_MODE_AVERAGE;
};
/// WriteBufferImmediate.
struct WriteWord {
  Bytes to;
  std::uint32_t value = 0;
};
/// ResolveQueryData of results that lie in a heap of 8-byte words.
struct ResolveQueries {
  Bytes to;
  Bytes from;
  std::uint64_t count = 0;  ///< bytes
  bool binary = false;      ///< every word becomes 0 or 1
};

/// CopyTiles: parts of a reserved resource, each in a tile, and where each is in a buffer.
struct CopyTileParts {
  struct Part {
    TexelGrid grid;               ///< of a texture's subresource
    D3D12_BOX box{};              ///< within one tile of it
    std::uint64_t in_buffer = 0;  ///< where the tile begins, in bytes
  };
  /// What is not divided into tiles: buffers, and packed mips.
  struct Span {
    std::uint64_t in_tiles = 0;
    std::uint64_t in_buffer = 0;
    std::uint64_t count = 0;  ///< bytes
  };
  Bytes tiles;
  Bytes buffer;
  bool to_buffer = true;
  std::vector<Part> parts;
  std::vector<Span> spans;
};

/// What a command does to bytes: once its work is over (CommandEffects::ended), before its `completion_ns` have passed.
using Effect = std::variant<CopyBytes, CopyTexels, FillTexels, ResolveTexels, WriteWord, ResolveQueries, CopyTileParts>;

/// Does it now.
void apply(const Effect& effect);
/// Does an effect that reads or writes a reserved resource now (effect_tiled.cpp): the tiles are those that are mapped
/// now.
void apply_tiled(const Effect& effect);
/// The tiles that an effect on a reserved resource writes, by number, each once (effect_tiled.cpp).
std::vector<std::uint64_t> written_tiles(const Effect& effect);

}  // namespace fenceline::d3d12
