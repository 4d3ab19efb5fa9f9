// SPDX-License-Identifier: Apache-2.0
#include "scheduler/priority.hpp"

namespace fenceline {

void describe(Fields& f, ProcessConfig& c) {
  f.required("name", c.name, "what queues call it");
  f.optional("priority", c.priority, "band of its contexts");
  f.optional("focus", c.focus, "its window has the focus: its normal contexts move to the focus band");
}

Rank rank_of(int queue_priority, const ProcessConfig& process) {
  constexpr int high = 100;  // D3D12_COMMAND_QUEUE_PRIORITY_HIGH
  constexpr int global_realtime = 10000;
  Rank rank;
  if (queue_priority >= global_realtime) {
    rank.band = PriorityBand::realtime;
    rank.level = highest_realtime_level;
  } else if (process.priority == ProcessPriority::realtime) {
    rank.band = PriorityBand::realtime;
  } else if (process.priority == ProcessPriority::idle) {
    rank.band = PriorityBand::idle;
  } else if (process.focus) {
    rank.band = PriorityBand::focus;
  }
  rank.in_process = queue_priority >= high ? 1 : 0;
  return rank;
}

}  // namespace fenceline
