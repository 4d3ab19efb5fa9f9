// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/heap_memory.hpp"

#include "api/d3d12/bytes/block_pool.hpp"
#include "api/d3d12/formats/tile_shape.hpp"
#include "sim/rounding.hpp"

#include <algorithm>
#include <cstring>
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

/// What memories belong to.
std::mutex& origins() {
  static auto* const mutex = new std::mutex;  // memory may outlive static objects
  return *mutex;
}

}  // namespace

/// Gives it its place in the address space.
std::shared_ptr<HeapMemory> HeapMemory::placed(std::shared_ptr<HeapMemory> memory, bool addressable) {
  if (!addressable) return memory;
  AddressSpace& space = address_space();
  const std::lock_guard<std::mutex> lock(space.mutex);
  memory->address_ = space.next;
  // A gap: nothing runs into the next.
  space.next += rounded_up(memory->bytes_, alignment) + alignment;
  space.memories.emplace(memory->address_, memory);
  return memory;
}

std::shared_ptr<HeapMemory> HeapMemory::make(std::uint64_t bytes, bool addressable,
                                             std::shared_ptr<PageableMemory> pageable) {
  std::byte* const data = BlockPool::instance().take(bytes);
  if (data == nullptr) return nullptr;
  std::shared_ptr<HeapMemory> memory(new HeapMemory(data, bytes, nullptr));
  memory->pageable_ = std::move(pageable);
  memory = placed(std::move(memory), addressable);
  if (memory->pageable_ != nullptr) memory->pageable_->placed_at(memory->address_);
  return memory;
}

std::shared_ptr<HeapMemory> HeapMemory::reserve(std::uint64_t tiles, bool addressable) {
  auto table = std::make_unique<TileTable>(tiles);
  return placed(std::shared_ptr<HeapMemory>(new HeapMemory(nullptr, tiles * tile_bytes, std::move(table))),
                addressable);
}

HeapMemory::~HeapMemory() {
  if (data_ != nullptr) BlockPool::instance().give_back(data_, bytes_);
  if (address_ == 0) return;
  AddressSpace& space = address_space();
  const std::lock_guard<std::mutex> lock(space.mutex);
  space.memories.erase(address_);
}

void HeapMemory::belongs_to(const void* owner, Origin origin) {
  const std::lock_guard<std::mutex> lock(origins());
  shared_ = shared_ || origin_.bytes > 0;
  owner_ = owner;
  origin_ = std::move(origin);
}

void HeapMemory::left_by(const void* owner) {
  const std::lock_guard<std::mutex> lock(origins());
  if (owner_ != owner) return;
  owner_ = nullptr;
  origin_.name = [last = origin_.name()] { return last; };
}

std::string HeapMemory::name() const {
  const std::lock_guard<std::mutex> lock(origins());
  const std::string name = origin_.name ? origin_.name() : std::string();
  return name.empty() ? origin_.unnamed : name;
}

HeapType HeapMemory::heap() const {
  const std::lock_guard<std::mutex> lock(origins());
  const D3D12_HEAP_PROPERTIES& heap = origin_.heap;
  const bool custom = heap.Type == D3D12_HEAP_TYPE_CUSTOM;
  if (heap.Type == D3D12_HEAP_TYPE_READBACK || (custom && heap.CPUPageProperty == D3D12_CPU_PAGE_PROPERTY_WRITE_BACK)) {
    return HeapType::readback;
  }
  const bool combined = custom && heap.CPUPageProperty == D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE;
  return heap.Type == D3D12_HEAP_TYPE_UPLOAD || combined ? HeapType::upload : HeapType::default_heap;
}

bool HeapMemory::cpu_visible() const {
  if (heap() != HeapType::default_heap) return true;
  const std::lock_guard<std::mutex> lock(origins());
  return shared_;
}

std::uint64_t HeapMemory::size() const {
  const std::lock_guard<std::mutex> lock(origins());
  return origin_.bytes == 0 ? bytes_ : std::min(origin_.bytes, bytes_);
}

void HeapMemory::read(std::uint64_t offset, std::uint64_t count, std::byte* to) const {
  if (tiles_ != nullptr) return tiles_->read(offset, count, to);
  std::memcpy(to, data_ + offset, count);
}

void HeapMemory::write(std::uint64_t offset, std::uint64_t count, const std::byte* from) const {
  if (tiles_ != nullptr) return tiles_->write(offset, count, from);
  std::memcpy(data_ + offset, from, count);
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
