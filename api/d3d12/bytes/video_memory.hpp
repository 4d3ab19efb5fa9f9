// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/budget_listeners.hpp"
#include "api/d3d12/d3d12.hpp"
#include "api/machine_config.hpp"
#include "scheduler/residency/budget.hpp"

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
    std::uint64_t bytes;        ///< of the group
    std::uint64_t budget;       ///< all of that, but of an adapter's own memory that peers have a part of
    std::uint64_t usage;        ///< of heaps, committed resources and swap chains that are to be resident
    std::uint64_t available;    ///< for reservation: half the group (an assumption; Windows says what it likes)
    std::uint64_t reservation;  ///< what the process has asked for
  };

  explicit VideoMemory(const VideoMemoryConfig& config);

  Info info(Group group) const;
  bool unified() const { return unified_; }  ///< UMA: the system's memory is the local one, and there is no other
  /// The group in which heaps of such properties lie.
  Group group_of(const D3D12_HEAP_PROPERTIES& heap, D3D12_HEAP_FLAGS flags) const;
  /// Other processes that the program says are there.
  BudgetPeers peers() const { return {peers_, peers_have_focus_}; }
  /// These from now on. True: the budget has changed. With the host's lock.
  bool share_with(const BudgetPeers& peers);
  /// Who hears when it has.
  BudgetListeners& listeners() { return listeners_; }
  /// More than is available: false, and nothing done, or that (VideoMemoryConfig::over_reservation).
  bool reserve(Group group, std::uint64_t bytes);
  void add(Group group, std::uint64_t bytes) { of(group).used += bytes; }
  void remove(Group group, std::uint64_t bytes) { of(group).used -= bytes; }

 private:
  struct Segment {
    std::uint64_t bytes = 0;
    std::atomic<std::uint64_t> budget{0};
    std::atomic<std::uint64_t> used{0};
    std::atomic<std::uint64_t> reserved{0};
  };
  Segment& of(Group group) { return segments_[static_cast<std::size_t>(group)]; }
  const Segment& of(Group group) const { return segments_[static_cast<std::size_t>(group)]; }

  std::array<Segment, 2> segments_;
  std::uint32_t focus_percent_;
  bool unified_;
  bool clamps_;
  std::atomic<std::uint32_t> peers_{0};
  std::atomic<bool> peers_have_focus_{false};
  BudgetListeners listeners_;
};

}  // namespace fenceline::d3d12
