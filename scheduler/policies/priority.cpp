// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policies/priority.hpp"

#include "sim/config/fields.hpp"

namespace fenceline {

void describe(Fields& f, ProcessConfig& c) {
  f.required("name", c.name, "what queues call it");
  f.optional(
      "priority", c.priority,
      "D3DKMT_SCHEDULINGPRIORITYCLASS: idle and realtime are bands of their own, the others levels of the normal "
      "band");
  f.optional("realtime_level", c.realtime_level, "level of its queues inside the realtime band, where it is in it",
             between(0, highest_realtime_level));
  f.optional("focus", c.focus, "its window has the focus: its normal contexts move to the focus band");
}

Rank rank_of(const ContextPriority& context, const ProcessConfig& process) {
  if (context.paging) return paging_rank;
  constexpr int high = 100;  // D3D12_COMMAND_QUEUE_PRIORITY_HIGH
  constexpr int global_realtime = 10000;
  Rank rank;
  if (context.queue_priority >= global_realtime) {
    rank.band = PriorityBand::realtime;
    rank.level = context.realtime_level.value_or(highest_realtime_level);
  } else if (process.priority == ProcessPriority::realtime) {
    rank.band = PriorityBand::realtime;
    rank.level = context.realtime_level.value_or(process.realtime_level);
  } else if (process.priority == ProcessPriority::idle) {
    rank.band = PriorityBand::idle;
  } else {
    rank.band = process.focus ? PriorityBand::focus : PriorityBand::normal;
    rank.level =
        static_cast<std::uint32_t>(process.priority) - static_cast<std::uint32_t>(ProcessPriority::below_normal);
  }
  rank.in_process = context.in_process.value_or(context.queue_priority >= high ? 1 : 0);
  return rank;
}

}  // namespace fenceline
