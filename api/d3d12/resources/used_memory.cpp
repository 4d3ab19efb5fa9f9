// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/resources/used_memory.hpp"

#include "api/d3d12/resources/resource.hpp"
#include "sim/members.hpp"

#include <iterator>

namespace fenceline::d3d12 {
namespace {

/// Null: it is gone.
std::shared_ptr<HeapMemory> memory_of(const std::shared_ptr<Whereabouts<Resource>>& resource) {
  if (resource == nullptr) return nullptr;
  return resource->ask([](const Resource& one) { return one.memory(); });
}

}  // namespace

const UsedMemory::Allocations& UsedMemory::of(const std::shared_ptr<HeapMemory>& memory) {
  const auto [known, is_new] = known_.try_emplace(memory);
  if (!is_new) return known->second;
  if (memory->tiles() == nullptr) {
    add(known->second, *memory, false);
    return known->second;
  }
  if (!asks_tiles_) return known->second;
  found_tiles_ = true;
  for (const auto& heap : memory->queued_tiles().heaps()) add(known->second, *heap, true);
  return known->second;
}

void UsedMemory::add(Allocations& all, const HeapMemory& memory, bool in_tiles) {
  const std::shared_ptr<PageableMemory>& pageable = memory.pageable();
  if (pageable == nullptr || !pageable->allocation()) return;
  all.push_back({*pageable->allocation(), in_tiles});
  kept_.push_back(pageable);
}

const UsedMemory::Allocations& UsedMemory::at(std::uint64_t address) {
  static const Allocations none;
  const auto after = by_address_.upper_bound(address);
  if (after != by_address_.begin()) {
    const HeapMemory& before = *std::prev(after)->second;
    if (address - before.address() < before.bytes()) return of(std::prev(after)->second);
  }
  const std::shared_ptr<HeapMemory> memory = memory_at(address);
  if (memory == nullptr) return none;
  by_address_.emplace(memory->address(), memory);
  return of(memory);
}

const UsedMemory::Allocations& UsedMemory::shown(std::uint64_t table, UINT parameter, const TableReads& reads) {
  const auto [known, is_new] = shown_.try_emplace({table, parameter, &reads});
  Allocations& all = known->second;
  if (!is_new) return all;
  const auto add = [&all](const Allocations& some) {
    for (const UsedAllocation& one : some) add_once(all, one);
  };
  for (const TableRead& read : reads) {
    if (read.parameter != parameter) continue;
    for (const DescriptorHeaps::Shown& view : descriptors_.shown(table, read.first, read.count)) {
      for (const auto& resource : {view.resource, view.counter}) {
        if (const std::shared_ptr<HeapMemory> memory = memory_of(resource)) add(of(memory));
      }
      if (view.address != 0) add(at(view.address));
    }
  }
  return all;
}

}  // namespace fenceline::d3d12
