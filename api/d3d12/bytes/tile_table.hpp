// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/pageable_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace fenceline::d3d12 {

class HeapMemory;

/// The page table of a reserved resource: where each of its tiles of 64 KiB lies. Simulations alone change and read it,
/// with the host's lock. A mapped tile keeps the heap's memory, whatever becomes of the heap.
class TileTable {
 public:
  /// What a tile is mapped to.
  struct Tile {
    std::shared_ptr<std::byte> bytes;          ///< of a heap's memory, which is kept with them; null: not mapped
    const PageableMemory* pageable = nullptr;  ///< that memory's; null: it is always there
    HeapMemory* heap = nullptr;                ///< that memory; null: not mapped
  };

  /// Nothing is mapped.
  explicit TileTable(std::uint64_t tiles);

  std::uint64_t tiles() const { return tiles_; }
  /// Of a tile beyond the last one: not mapped.
  Tile at(std::uint64_t tile) const;
  /// `tile` is less than tiles(), and what it is mapped to has all its bytes.
  void map(std::uint64_t tile, Tile to);

  /// Bytes from `offset` on, as tiled resources tier 2 has it: what is not mapped, or is in a heap that has been
  /// evicted, reads as 0, and drops what is written.
  void read(std::uint64_t offset, std::uint64_t count, std::byte* to) const;
  void write(std::uint64_t offset, std::uint64_t count, const std::byte* from) const;

 private:
  static constexpr std::uint64_t group_tiles = 256;
  using Group = std::vector<Tile>;  // empty: nothing of it has been mapped
  template <class Piece>
  void for_each_piece(std::uint64_t offset, std::uint64_t count, Piece&& piece) const;

  std::uint64_t tiles_;
  std::vector<Group> groups_;
};

}  // namespace fenceline::d3d12
