// SPDX-License-Identifier: Apache-2.0
// Residency, the family of functions about budgets and what it all comes to.
#include "scheduler/paging/residency.hpp"
#include "scheduler/residency/budget.hpp"

namespace fenceline {
namespace {

/// Processes with queues, and which of them has the focus.
struct Sharers {
  explicit Sharers(const SchedulerState& state) {
    for (std::uint32_t i = 0; i < state.processes.size(); ++i) {
      if (i == state.system_process || !state.processes[i].has_contexts) continue;
      ++count;
      if (state.processes[i].config.focus) focus = i;
    }
  }
  std::uint32_t count = 0;
  std::uint32_t focus = SchedulerState::none;
};

/// What the process's budget goes by; it has queues, or is about to.
BudgetView budget_view(const SchedulerState& state, const Sharers& sharers, std::uint32_t process) {
  BudgetView view;
  const bool known = process < state.processes.size();
  view.processes = sharers.count + (known && state.processes[process].has_contexts ? 0 : 1);
  view.has_focus = known && state.processes[process].config.focus;
  view.another_has_focus = sharers.focus != SchedulerState::none && sharers.focus != process;
  return view;
}

}  // namespace

std::vector<std::uint64_t> Residency::budgets() const {
  const Sharers sharers(s_);
  std::vector<std::uint64_t> budgets;
  for (std::uint32_t process = 0; process < s_.processes.size(); ++process) {
    BudgetView view = budget_view(s_, sharers, process);
    view.dedicated_bytes = segment_.bytes();
    view.focus_percent = config_.focus_budget_percent;
    budgets.push_back(local_budget(process < devices_.size() ? with_peers(view, devices_[process].peers) : view));
  }
  return budgets;
}

std::uint64_t Residency::budget_bytes(std::uint32_t process) const {
  return process < s_.processes.size() ? budgets()[process] : segment_.bytes();
}

ResidencyStatistics Residency::statistics(std::uint32_t process) const {
  ResidencyStatistics result;
  if (process < devices_.size()) {
    result = devices_[process].figures;
    for (const std::uint32_t one : list_of(devices_, process)) {
      if (segment_[one].where == Residence::resident) result.resident_bytes += segment_[one].bytes;
      if (segment_[one].where == Residence::demoted) result.demoted_bytes += segment_[one].bytes;
    }
  }
  result.usage_bytes = usage_bytes(process);
  result.budget_bytes = budget_bytes(process);
  return result;
}

ResidencyStatistics Residency::statistics() const {
  ResidencyStatistics all;
  for (std::uint32_t process = 0; process < devices_.size(); ++process) {
    const ResidencyStatistics& one = devices_[process].figures;
    all.in_bytes += one.in_bytes;
    all.out_bytes += one.out_bytes;
    all.dropped_bytes += one.dropped_bytes;
    all.initialised_bytes += one.initialised_bytes;
    all.paging_packets += one.paging_packets;
    all.reserved_bytes += one.reserved_bytes;
    all.remote_bytes += one.remote_bytes;
    all.out_of_memory += one.out_of_memory;
    all.evict_underflow += one.evict_underflow;
    all.waited_ps += one.waited_ps;
    all.usage_bytes += usage_bytes(process);
  }
  all.purged_bytes = purged_bytes_;
  all.resident_bytes = segment_.resident_bytes();
  all.demoted_bytes = segment_.bytes_in(Residence::demoted);
  all.budget_bytes = segment_.bytes();
  return all;
}

std::uint64_t Residency::usage_bytes(std::uint32_t process) const {
  return process < devices_.size() ? devices_[process].wanted_bytes : 0;
}

}  // namespace fenceline
