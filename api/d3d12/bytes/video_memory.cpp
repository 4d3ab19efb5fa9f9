// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/video_memory.hpp"

#include "api/d3d12/bytes/heap_desc.hpp"

#include <algorithm>

namespace fenceline::d3d12 {

VideoMemory::VideoMemory(const VideoMemoryConfig& config)
    : focus_percent_(config.focus_budget_percent),
      unified_(config.unified),
      clamps_(config.over_reservation == OverReservation::clamp) {
  constexpr std::uint64_t mib = 1 << 20;
  of(Group::local).bytes = config.dedicated_mib * mib;
  of(Group::non_local).bytes = unified_ ? 0 : config.shared_mib * mib;
  for (Segment& one : segments_) one.budget = one.bytes;
}

VideoMemory::Info VideoMemory::info(Group group) const {
  const Segment& segment = of(group);
  return {segment.bytes, segment.budget, segment.used, segment.bytes / 2, segment.reserved};
}

bool VideoMemory::share_with(const BudgetPeers& peers) {
  peers_ = peers.count;
  peers_have_focus_ = peers.have_focus;
  BudgetView view;
  view.dedicated_bytes = of(Group::local).bytes;
  view.focus_percent = focus_percent_;
  const std::uint64_t budget = local_budget(with_peers(view, peers));
  return of(Group::local).budget.exchange(budget) != budget;
}

bool VideoMemory::reserve(Group group, std::uint64_t bytes) {
  const std::uint64_t most = info(group).available;
  if (bytes > most && !clamps_) return false;
  of(group).reserved = std::min(bytes, most);
  return true;
}

VideoMemory::Group VideoMemory::group_of(const D3D12_HEAP_PROPERTIES& heap, D3D12_HEAP_FLAGS flags) const {
  return in_system_memory(heap, flags, unified_) ? VideoMemory::Group::non_local : VideoMemory::Group::local;
}

}  // namespace fenceline::d3d12
