// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/heap_memory.hpp"
#include "api/d3d12/bytes/pageable_memory.hpp"
#include "api/d3d12/resources/descriptor_heaps.hpp"
#include "api/d3d12/root/table_reads.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace fenceline::d3d12 {

/// An allocation in which bytes lie, by way of tiles that are mapped to it or not.
struct UsedAllocation {
  std::uint32_t number;
  bool in_tiles;
  bool operator==(const UsedAllocation& other) const { return number == other.number && in_tiles == other.in_tiles; }
};

/// In which allocations bytes lie now, for lists that are about to be executed. Many lie in one heap, and many draws
/// have one table: each is looked up once. With the host's lock.
class UsedMemory {
 public:
  using Allocations = std::vector<UsedAllocation>;
  using Kept = std::vector<std::shared_ptr<PageableMemory>>;

  /// What is told of goes into `kept`: as long as it is there its number stays. `asks_tiles`: what reserved resources
  /// lie in is asked, too.
  UsedMemory(const DescriptorHeaps& descriptors, bool asks_tiles, Kept& kept)
      : descriptors_(descriptors), asks_tiles_(asks_tiles), kept_(kept) {}

  /// Of bytes in that memory.
  const Allocations& of(const std::shared_ptr<HeapMemory>& memory);
  /// Of what lies at a GPU virtual address.
  const Allocations& at(std::uint64_t address);
  /// Of what a root parameter's table shows to those who read that of it, each once.
  const Allocations& shown(std::uint64_t table, UINT parameter, const TableReads& reads);

  /// Some of it were a reserved resource's: next time they may lie elsewhere.
  bool found_tiles() const { return found_tiles_; }

 private:
  void add(Allocations& all, const HeapMemory& memory, bool in_tiles);

  const DescriptorHeaps& descriptors_;
  const bool asks_tiles_;
  Kept& kept_;
  bool found_tiles_ = false;
  std::map<std::shared_ptr<HeapMemory>, Allocations> known_;
  std::map<std::uint64_t, std::shared_ptr<HeapMemory>> by_address_;
  std::map<std::tuple<std::uint64_t, UINT, const TableReads*>, Allocations> shown_;
};

}  // namespace fenceline::d3d12
