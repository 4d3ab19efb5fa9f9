// SPDX-License-Identifier: Apache-2.0
#include "scheduler/paging/page_table_conversion.hpp"

#include "sim/members.hpp"

#include <algorithm>

namespace fenceline {

template <class Call>
void PageTableConversion::for_each(Call&& call) const {
  if (processes_.empty()) return;
  s_.contexts.for_each([&](std::uint32_t index, const Context& context) {
    if (contains(processes_, SchedulerState::process_index(context))) call(index);
  });
}

bool PageTableConversion::begin(const std::vector<PagingMove>& moves, const std::vector<DeviceList>& devices) {
  for (std::uint32_t process = 0; process < devices.size(); ++process) {
    const bool is_converted = std::any_of(moves.begin(), moves.end(), [&](const PagingMove& move) {
      return move.converts && devices[process].knows(move.allocation);
    });
    if (is_converted) processes_.push_back(process);
  }
  for_each([this](std::uint32_t context) { holds_.suspend(context, Suspender::conversion); });
  return !processes_.empty();
}

bool PageTableConversion::stopped() const {
  bool stopped = true;
  for_each([&](std::uint32_t context) { stopped = stopped && holds_.stopped(context); });
  return stopped;
}

void PageTableConversion::end() {
  for_each([this](std::uint32_t context) { holds_.resume(context, Suspender::conversion); });
  processes_.clear();
}

void PageTableConversion::created(std::uint32_t context) {
  if (processes_.empty() || !contains(processes_, SchedulerState::process_index(s_.contexts[context]))) return;
  holds_.suspend(context, Suspender::conversion);
}

}  // namespace fenceline
