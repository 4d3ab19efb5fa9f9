// SPDX-License-Identifier: Apache-2.0
#include "api/workload/play/budget_waits.hpp"

#include "api/machine.hpp"
#include "api/timeline/each_step.hpp"
#include "api/workload/program.hpp"

#include <cstddef>
#include <set>

namespace fenceline {

BudgetWaits::BudgetWaits(Machine& machine, const Program& program, std::function<void(std::uint64_t)> wake)
    : wake_(std::move(wake)) {
  std::set<std::string> processes;
  for (std::size_t thread = 0; thread < program.cpu_timelines.size(); ++thread) {
    for_each_step(program.cpu_timelines[thread], [&](const Step& step, const std::string&) {
      if (step.kind != Step::Kind::wait_for_budget_change) return;
      const std::string& process = process_of(program, step);
      events_[{process, thread}] = {};
      processes.insert(process);
    });
  }
  for (const std::string& process : processes) {
    machine.on_budget_change(process, [this, process, life = std::weak_ptr<bool>(life_)](std::uint64_t) {
      if (life.expired()) return;
      for (auto one = events_.lower_bound({process, 0}); one != events_.end() && one->first.first == process; ++one) {
        Event& event = one->second;
        event.set = !event.awaited;
        if (std::exchange(event.awaited, false)) wake_(one->first.second);
      }
    });
  }
}

void BudgetWaits::begin() {
  for (auto& [key, event] : events_) event = {};
}

bool BudgetWaits::wait(std::uint64_t thread, const std::string& process) {
  Event& event = events_[{process, thread}];
  const bool was_set = std::exchange(event.set, false);
  event.awaited = !was_set;
  return was_set;
}

}  // namespace fenceline
