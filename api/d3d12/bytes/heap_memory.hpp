// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/contents/stream_bytes.hpp"
#include "api/d3d12/bytes/pageable_memory.hpp"
#include "api/d3d12/bytes/queued_tiles.hpp"
#include "api/d3d12/bytes/tile_table.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace fenceline::d3d12 {

/// The bytes of a heap, in the process's own memory: zero until written, and taken from the system page by page as they
/// are touched. Shared by the heap, the resources in it and the commands that work on them.
///
/// A reserved resource has no bytes but a table that says for each of its tiles in which heap's memory it lies; data()
/// of it is null, and read() and write() find their way.
class HeapMemory final : public ActedMemory, public std::enable_shared_from_this<HeapMemory> {
 public:
  /// Whose memory it is, for captures.
  struct Origin {
    std::function<std::string()> name;  ///< of the object that it belongs to; empty: none
    const char* unnamed = "memory";     ///< in place of a name
    D3D12_HEAP_PROPERTIES heap{};       ///< on which it lies
    std::uint64_t bytes = 0;            ///< of what the program sees of it
  };
  /// Null when the system has no room for it. A GPU virtual address is given where `addressable`. `pageable` is what
  /// it is on the machine; null: nothing.
  static std::shared_ptr<HeapMemory> make(std::uint64_t bytes, bool addressable,
                                          std::shared_ptr<PageableMemory> pageable = nullptr);
  /// Of a reserved resource with so many tiles of 64 KiB, none of them mapped.
  static std::shared_ptr<HeapMemory> reserve(std::uint64_t tiles, bool addressable);
  ~HeapMemory() override;
  HeapMemory(const HeapMemory&) = delete;
  HeapMemory& operator=(const HeapMemory&) = delete;

  std::byte* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }
  /// D3D12_GPU_VIRTUAL_ADDRESS of the first byte; 0 where there is none.
  std::uint64_t address() const { return address_; }
  /// On the machine; null: it is nothing there of its own.
  const std::shared_ptr<PageableMemory>& pageable() const { return pageable_; }
  /// Of a reserved resource; null of a heap.
  TileTable* tiles() const { return tiles_.get(); }
  /// What its tiles are about to be mapped to, with the host's lock.
  QueuedTiles& queued_tiles() { return queued_tiles_; }

  /// The object has the memory, and calls `left_by` before it ends. Any thread may call both.
  void belongs_to(const void* owner, Origin origin);
  void left_by(const void* owner);

  std::string name() const override;
  HeapType heap() const override;
  bool cpu_visible() const override;
  std::uint64_t size() const override;
  const std::byte* first_byte() const override { return data_; }

  /// Bytes from `offset` on, also where they lie in tiles. In a heap they are within its bytes.
  void read(std::uint64_t offset, std::uint64_t count, std::byte* to) const;
  void write(std::uint64_t offset, std::uint64_t count, const std::byte* from) const;

 private:
  HeapMemory(std::byte* data, std::uint64_t bytes, std::unique_ptr<TileTable> tiles)
      : data_(data), bytes_(bytes), tiles_(std::move(tiles)) {}
  static std::shared_ptr<HeapMemory> placed(std::shared_ptr<HeapMemory> memory, bool addressable);

  std::byte* data_;
  std::uint64_t bytes_;
  std::uint64_t address_ = 0;
  std::unique_ptr<TileTable> tiles_;
  QueuedTiles queued_tiles_;
  std::shared_ptr<PageableMemory> pageable_;
  const void* owner_ = nullptr;  // null: it is gone, and the origin's name is what it was called last
  Origin origin_;
  bool shared_ = false;  // several objects have been it
};

/// The memory that holds the GPU virtual address; null where none does.
std::shared_ptr<HeapMemory> memory_at(std::uint64_t address);

}  // namespace fenceline::d3d12
