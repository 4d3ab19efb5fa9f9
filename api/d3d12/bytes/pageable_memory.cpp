// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/pageable_memory.hpp"

#include "api/d3d12/core/device_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {

PageableMemory::PageableMemory(DeviceCore& device, const Desc& desc)
    : allocations_(device.allocations_in_memory()),
      memory_(device.video_memory()),
      group_(memory_->group_of(desc.heap, desc.flags)),
      bytes_(desc.bytes) {
  const bool resident = (desc.flags & D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT) == 0;
  count_ = resident ? 1 : 0;
  count_use(resident);
  if (group_ != VideoMemory::Group::local) return;
  place_ = std::make_shared<DeviceAllocations::Place>();
  place_->config.bytes = desc.bytes;
  place_->config.priority = desc.priority;
  place_->config.not_resident = !resident;
  place_->config.fill = allocations_->fills_new() && (desc.flags & D3D12_HEAP_FLAG_CREATE_NOT_ZEROED) == 0;
}

PageableMemory::PageableMemory(DeviceCore& device)
    : allocations_(device.allocations_in_memory()), memory_(device.video_memory()) {}

PageableMemory::~PageableMemory() {
  count_use(false);
  if (place_ != nullptr) allocations_->remove(std::move(place_));
}

void PageableMemory::placed_at(std::uint64_t address) {
  if (place_ == nullptr) return;
  place_->config.address = address;
  place_->config.name = fmt::format("memory at {:#x}", address);
  allocations_->add(place_);
}

bool PageableMemory::is_of(const DeviceCore& device) const { return allocations_ == device.allocations_in_memory(); }

void PageableMemory::count_up() {
  ++count_;
  count_use(true);
}

bool PageableMemory::count_down() {
  if (count_ == 0) return false;
  count_use(--count_ > 0);
  return true;
}

void PageableMemory::count_use(bool used) {
  if (std::exchange(used_, used) == used) return;
  if (used) {
    memory_->add(group_, bytes_);
  } else {
    memory_->remove(group_, bytes_);
  }
}

std::uint32_t default_residency_priority(D3D12_RESOURCE_FLAGS flags, std::uint64_t bytes) {
  constexpr unsigned written = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL |
                               D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  if ((static_cast<unsigned>(flags) & written) == 0) return normal_residency_priority;
  constexpr std::uint64_t step = 10'000'000;
  constexpr std::uint64_t most = 0xFFFF;
  return D3D12_RESIDENCY_PRIORITY_HIGH + static_cast<std::uint32_t>(std::min(bytes / step, most));
}

}  // namespace fenceline::d3d12
