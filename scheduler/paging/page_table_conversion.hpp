// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/paging/context_holds.hpp"
#include "scheduler/paging/device_list.hpp"
#include "scheduler/residency/segment.hpp"
#include "scheduler/state/scheduler_state.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// The page tables of processes while what is demoted gets pages of 4 KiB: their contexts are suspended
/// (docs/residency.md, rule 34).
class PageTableConversion {
 public:
  PageTableConversion(SchedulerState& state, ContextHolds& holds) : s_(state), holds_(holds) {}

  /// These moves are about to be made, of what the devices know. True: contexts are suspended until the end.
  bool begin(const std::vector<PagingMove>& moves, const std::vector<DeviceList>& devices);
  /// Nothing of these contexts is on hardware, or there are none.
  bool stopped() const;
  /// The moves are over, one way or another.
  void end();
  /// The context is new: of a process whose page table is being converted it waits, too.
  void created(std::uint32_t context);

 private:
  template <class Call>
  void for_each(Call&& call) const;

  SchedulerState& s_;
  ContextHolds& holds_;
  std::vector<std::uint32_t> processes_;  // increasing
};

}  // namespace fenceline
