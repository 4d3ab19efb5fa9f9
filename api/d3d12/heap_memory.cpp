// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/heap_memory.hpp"

#include <sys/mman.h>

#include <map>
#include <mutex>

namespace fenceline::d3d12 {
namespace {

/// What lies where in the GPU's address space. Addresses are never used twice, so that stale ones find nothing.
struct AddressSpace {
  std::mutex mutex;
  std::uint64_t next = 0x1'0000'0000;
  std::map<std::uint64_t, std::weak_ptr<HeapMemory>> memories;  // by first address
};

AddressSpace& address_space() {
  static auto* const space = new AddressSpace;  // memory may outlive static objects
  return *space;
}

constexpr std::uint64_t alignment = 4 << 20;  // D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT

}  // namespace

std::shared_ptr<HeapMemory> HeapMemory::make(std::uint64_t bytes, bool addressable) {
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  AddressSpace& space = address_space();
  const std::lock_guard<std::mutex> lock(space.mutex);
  const std::uint64_t address = addressable ? space.next : 0;
  std::shared_ptr<HeapMemory> memory(new HeapMemory(static_cast<std::byte*>(data), bytes, address));
  if (addressable) {
    space.next += (bytes + alignment - 1) / alignment * alignment + alignment;  // a gap: nothing runs into the next
    space.memories.emplace(address, memory);
  }
  return memory;
}

HeapMemory::~HeapMemory() {
  munmap(data_, bytes_);
  AddressSpace& space = address_space();
  const std::lock_guard<std::mutex> lock(space.mutex);
  space.memories.erase(address_);
}

std::shared_ptr<HeapMemory> memory_at(std::uint64_t address) {
  AddressSpace& space = address_space();
  std::shared_ptr<HeapMemory> memory;  // its end, should it come here, takes the lock
  {
    const std::lock_guard<std::mutex> lock(space.mutex);
    const auto after = space.memories.upper_bound(address);
    if (after == space.memories.begin()) return nullptr;
    memory = std::prev(after)->second.lock();
  }
  return memory != nullptr && address - memory->address() < memory->bytes() ? memory : nullptr;
}

}  // namespace fenceline::d3d12
