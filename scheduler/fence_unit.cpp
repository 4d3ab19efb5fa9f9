// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fence_unit.hpp"

#include "sim/now.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

FenceUnit::FenceUnit(sc_core::sc_module_name module_name, FenceKind kind, EventLog& log)
    : sc_module(module_name), kind_(kind), log_(log), log_value_(log.name("value")), agenda_("agenda") {}

FenceId FenceUnit::create(const std::string& fence_name, std::uint64_t initial_value) {
  Fence fence;
  fence.name = fence_name;
  fence.log_name = log_.own_name(std::string(name()) + "." + fence_name);
  fence.value = initial_value;
  fences_.push_back(std::move(fence));
  return static_cast<FenceId>(fences_.size() - 1);
}

void FenceUnit::signal(FenceId id, std::uint64_t value, Signaller by, std::uint64_t dpc_ps) {
  const std::uint64_t now = now_ps();
  const bool from_cpu = by == Signaller::cpu;
  Fence& fence = fences_[static_cast<std::uint32_t>(id)];
  fence.value = value;
  ++fence.signals;
  if (!from_cpu && interrupts_at(id, value)) ++fence.interrupts;
  if (log_.enabled()) log_.counter({fence.log_name, log_value_, now, value});

  std::vector<Wait> satisfied;
  take_satisfied(fence.waits, value, satisfied);
  if (from_cpu || dpc_ps <= now) {
    take_satisfied(fence.cpu_waits, value, satisfied);
    resample(fence);
  } else if (interrupts_at(id, value)) {
    // Reached now, whatever becomes of the value until the operating system looks.
    Released released{static_cast<std::uint32_t>(id), by, {}};
    take_satisfied(fence.cpu_waits, value, released.waits);
    // Where nobody goes on, the value that it monitors stays as it is, or changes with an earlier interrupt.
    if (!released.waits.empty()) {
      agenda_.at<&FenceUnit::handled>(dpc_ps, this, released_.add(std::move(released)));
    }
  }
  tell(satisfied, by);
}

/// The operating system has handled the interrupt of a signal.
void FenceUnit::handled(std::uint64_t slot) {
  Released released = std::move(released_[slot]);
  released_.remove(slot);
  resample(fences_[released.fence]);
  tell(released.waits, released.by);
}

/// DxgkDdiUpdateMonitoredValues.
void FenceUnit::resample(Fence& fence) {
  fence.monitored_value = fence.cpu_waits.empty() ? nobody_waits : fence.cpu_waits.front().value - 1;
}

void FenceUnit::take_satisfied(std::vector<Wait>& waits, std::uint64_t value, std::vector<Wait>& satisfied) {
  while (!waits.empty() && waits.front().value <= value) {
    satisfied.push_back(waits.front());
    std::pop_heap(waits.begin(), waits.end(), later);
    waits.pop_back();
  }
}

void FenceUnit::tell(std::vector<Wait>& waits, Signaller by) {
  std::sort(waits.begin(), waits.end(), [](const Wait& a, const Wait& b) { return a.sequence < b.sequence; });
  for (const Wait& wait : waits) wait.waiter->fence_reached(wait.token, by);
}

bool FenceUnit::wait(FenceId id, std::uint64_t value, FenceWaiter& waiter, std::uint64_t token) {
  Fence& fence = fences_[static_cast<std::uint32_t>(id)];
  return add(fence.waits, fence, {value, next_sequence_++, &waiter, token});
}

bool FenceUnit::cpu_wait(FenceId id, std::uint64_t value, FenceWaiter& waiter, std::uint64_t token) {
  Fence& fence = fences_[static_cast<std::uint32_t>(id)];
  if (add(fence.cpu_waits, fence, {value, next_sequence_++, &waiter, token})) return true;
  fence.monitored_value = std::min(fence.monitored_value, value - 1);
  return false;
}

bool FenceUnit::add(std::vector<Wait>& waits, const Fence& fence, const Wait& wait) {
  if (fence.value >= wait.value) return true;
  waits.push_back(wait);
  std::push_heap(waits.begin(), waits.end(), later);
  return false;
}

}  // namespace fenceline
