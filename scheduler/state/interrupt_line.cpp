// SPDX-License-Identifier: Apache-2.0
#include "scheduler/state/interrupt_line.hpp"

#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace fenceline {

InterruptLine::InterruptLine(const SchedulerConfig& config, std::size_t nodes)
    : at_once_(config.hardware_scheduling),
      latency_ps_(ps_of_us(config.isr_us) + ps_of_us(config.dpc_us)),
      jitter_us_(config.interrupt_jitter_us),
      random_(config.seed),
      last_ps_(nodes),
      ignored_(nodes) {}

std::uint64_t InterruptLine::next_latency_ps() {
  if (jitter_us_ <= 0) return latency_ps_;
  const double uniform = (static_cast<double>(random_() >> 11) + 0.5) / 9007199254740992.0;
  return latency_ps_ + ps_of_us(-std::log(uniform) * jitter_us_);
}

std::uint64_t InterruptLine::raise(EngineReport report) {
  const std::uint64_t latency_ps = at_once_ ? 0 : next_latency_ps();
  report.due_ps = std::max(last_ps_[report.node], now_ps() + latency_ps);
  last_ps_[report.node] = report.told_ps = report.due_ps;
  if (ignored_[report.node]) report.due_ps = ~std::uint64_t{0};
  const std::uint64_t handled_ps = last_ps_[report.node];
  reports_.push_back(std::move(report));
  return handled_ps;
}

std::vector<EngineReport> InterruptLine::take_of(std::uint32_t node) {
  const auto others = std::stable_partition(reports_.begin(), reports_.end(),
                                            [&](const EngineReport& report) { return report.node == node; });
  std::vector<EngineReport> taken(std::make_move_iterator(reports_.begin()), std::make_move_iterator(others));
  reports_.erase(reports_.begin(), others);
  return taken;
}

std::vector<EngineReport> InterruptLine::take_due() {
  const auto is_due = [](const EngineReport& report) { return report.due_ps <= now_ps(); };
  if (std::none_of(reports_.begin(), reports_.end(), is_due)) return {};
  std::vector<EngineReport> due;
  if (std::all_of(reports_.begin(), reports_.end(), is_due)) {  // nearly always
    due.swap(reports_);
  } else {
    const auto later = std::stable_partition(reports_.begin(), reports_.end(), is_due);
    due.assign(std::make_move_iterator(reports_.begin()), std::make_move_iterator(later));
    reports_.erase(reports_.begin(), later);
  }
  std::sort(due.begin(), due.end(), [](const EngineReport& a, const EngineReport& b) {
    if (a.due_ps != b.due_ps) return a.due_ps < b.due_ps;
    return a.node != b.node ? a.node < b.node : a.fence_id < b.fence_id;
  });
  return due;
}

std::vector<const EngineReport*> InterruptLine::take_fresh() {
  std::vector<const EngineReport*> fresh;
  for (EngineReport& report : reports_) {
    if (std::exchange(report.fresh, false) && !report.preempted && !report.page_fault) fresh.push_back(&report);
  }
  std::sort(fresh.begin(), fresh.end(), [](const EngineReport* a, const EngineReport* b) {
    return a->node != b->node ? a->node < b->node : a->fence_id < b->fence_id;
  });
  return fresh;
}

}  // namespace fenceline
