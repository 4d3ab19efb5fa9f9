// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/machine_config.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace fenceline::d3d12 {

/// What the process uses and reserves of an adapter's memory, by segment group: what DXGI and DXCore tell of it. The
/// sizes are the machine's. What is refused or moved for lack of room is the machine's to say. Any thread may call.
class VideoMemory {
 public:
  enum class Group : std::size_t {
    local,      ///< the adapter's own
    non_local,  ///< the system's
  };
  /// Bytes, as in DXGI_QUERY_VIDEO_MEMORY_INFO.
  struct Info {
    std::uint64_t budget;       ///< all of the group, since no other process is simulated
    std::uint64_t usage;        ///< of heaps, committed resources and swap chains that are to be resident
    std::uint64_t available;    ///< for reservation: half the budget (an assumption; Windows says what it likes)
    std::uint64_t reservation;  ///< what the process has asked for
  };

  explicit VideoMemory(const VideoMemoryConfig& config);

  Info info(Group group) const;
  /// False, and nothing done, for more than is available.
  bool reserve(Group group, std::uint64_t bytes);
  void add(Group group, std::uint64_t bytes) { of(group).used += bytes; }
  void remove(Group group, std::uint64_t bytes) { of(group).used -= bytes; }

 private:
  struct Segment {
    std::uint64_t bytes = 0;
    std::atomic<std::uint64_t> used{0};
    std::atomic<std::uint64_t> reserved{0};
  };
  Segment& of(Group group) { return segments_[static_cast<std::size_t>(group)]; }
  const Segment& of(Group group) const { return segments_[static_cast<std::size_t>(group)]; }

  std::array<Segment, 2> segments_;
};

/// The group in which heaps of such properties lie.
VideoMemory::Group group_of(const D3D12_HEAP_PROPERTIES& heap, D3D12_HEAP_FLAGS flags);

}  // namespace fenceline::d3d12
