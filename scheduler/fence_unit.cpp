// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fence_unit.hpp"

#include <algorithm>

namespace fenceline {

FenceUnit::FenceUnit(sc_core::sc_module_name module_name, EventLog& log)
    : sc_module(module_name), log_(log), log_value_(log.name("value")) {}

FenceId FenceUnit::create(const std::string& fence_name, std::uint64_t initial_value) {
  fences_.push_back({fence_name, log_.own_name(std::string(name()) + "." + fence_name), initial_value, 0, {}});
  return static_cast<FenceId>(fences_.size() - 1);
}

void FenceUnit::signal(FenceId id, std::uint64_t value, Signaller by) {
  Fence& fence = fences_[static_cast<std::uint32_t>(id)];
  fence.value = value;
  ++fence.signals;
  if (log_.enabled()) log_.counter({fence.log_name, log_value_, sc_core::sc_time_stamp().value(), value});

  std::vector<Wait> satisfied;
  while (!fence.waits.empty() && fence.waits.front().value <= value) {
    satisfied.push_back(fence.waits.front());
    std::pop_heap(fence.waits.begin(), fence.waits.end(), later);
    fence.waits.pop_back();
  }
  std::sort(satisfied.begin(), satisfied.end(), [](const Wait& a, const Wait& b) { return a.sequence < b.sequence; });
  for (const Wait& wait : satisfied) wait.waiter->fence_reached(wait.token, by);
}

bool FenceUnit::wait(FenceId id, std::uint64_t value, FenceWaiter& waiter, std::uint64_t token) {
  Fence& fence = fences_[static_cast<std::uint32_t>(id)];
  if (fence.value >= value) return true;
  fence.waits.push_back({value, next_sequence_++, &waiter, token});
  std::push_heap(fence.waits.begin(), fence.waits.end(), later);
  return false;
}

}  // namespace fenceline
