// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/paging/residency.hpp"
#include "scheduler/state/scheduler_state.hpp"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace fenceline {

/// Tells when a process's budget of video memory has become another one (docs/residency.md, rule 17a).
class BudgetWatch {
 public:
  /// A process, whose budget is so many bytes now.
  using Told = std::function<void(std::uint32_t process, std::uint64_t bytes)>;

  BudgetWatch(SchedulerState& state, Residency& residency) : s_(state), residency_(residency) {}

  /// Does something that may change budgets, then tells of each that has changed, in order of the processes.
  template <class Change>
  void around(const Change& change) {
    const std::vector<std::uint64_t> before = residency_.budgets();
    change();
    compare(before);
  }
  void on_change(Told told) { told_.push_back(std::move(told)); }

 private:
  void compare(const std::vector<std::uint64_t>& before);

  SchedulerState& s_;
  Residency& residency_;
  std::vector<Told> told_;
};

}  // namespace fenceline
