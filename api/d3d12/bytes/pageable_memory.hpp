// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/video_memory.hpp"
#include "api/d3d12/core/device_allocations.hpp"
#include "api/d3d12/d3d12.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace fenceline::d3d12 {

class DeviceCore;

/// The memory of something that D3D12 counts as resident: an allocation where it lies in the adapter's own memory, else
/// a count alone. While its count is not 0, DXGI counts its bytes as used. From its last user's end on its room is
/// free.
class PageableMemory {
 public:
  struct Desc {
    D3D12_HEAP_PROPERTIES heap{D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0};
    D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE;
    std::uint64_t bytes = 0;
    std::uint32_t priority = normal_residency_priority;
  };
  /// Of a heap, or of a committed resource's own one.
  PageableMemory(DeviceCore& device, const Desc& desc);
  /// Bytes that nobody counts: descriptors, and results of queries.
  explicit PageableMemory(DeviceCore& device);
  ~PageableMemory();
  PageableMemory(const PageableMemory&) = delete;
  PageableMemory& operator=(const PageableMemory&) = delete;

  /// It has got that GPU virtual address; 0: none.
  void placed_at(std::uint64_t address);
  /// Of that device's machine; a heap that has been opened by a shared handle may be another's.
  bool is_of(const DeviceCore& device) const;

  // With the host's lock, on the machine that has heard of it.
  /// Nothing: it is none.
  std::optional<std::uint32_t> allocation() const { return place_ != nullptr ? place_->number : std::nullopt; }
  /// Its count is not 0.
  bool is_wanted() const { return used_; }
  /// The count of what is no allocation: MakeResident's and Evict's. False: there was none to take away.
  void count_up();
  bool count_down();
  /// An allocation's count has become other than 0, or 0.
  void count_use(bool used);

 private:
  std::shared_ptr<DeviceAllocations> allocations_;
  std::shared_ptr<DeviceAllocations::Place> place_;  // null: it is no allocation
  std::shared_ptr<VideoMemory> memory_;
  VideoMemory::Group group_ = VideoMemory::Group::non_local;
  std::uint64_t bytes_ = 0;
  std::uint32_t count_ = 1;
  bool used_ = false;
};

/// D3D12_RESIDENCY_PRIORITY with which a committed resource begins: what the GPU writes has HIGH and one more for each
/// 10 MB, all else NORMAL. Source: win32 docs, "Residency", default priorities.
std::uint32_t default_residency_priority(D3D12_RESOURCE_FLAGS flags, std::uint64_t bytes);

}  // namespace fenceline::d3d12
