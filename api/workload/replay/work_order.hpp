// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/timeline/timeline.hpp"
#include "api/workload/workload.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// A step at its place in the order of a workload's work (docs/replay.md).
struct WorkEvent {
  static constexpr std::uint32_t no_queue = ~std::uint32_t{0};
  Step::Kind kind = Step::Kind::execute;
  std::uint32_t timeline = 0;            ///< in which the step stands: those of queues, then those of CPU threads
  StepPlace place;                       ///< there
  std::uint32_t queue = no_queue;        ///< that comes to it; none: a CPU thread does
  std::uint32_t fence = Step::no_fence;  ///< that it signals or waits for; of several that count frames the first
  std::uint64_t value = 0;               ///< to which
  std::uint64_t at_ps = 0;               ///< when, without the GPU's time and that of calls
  std::uint64_t took_ps = 0;             ///< of that, its own
  std::size_t submitted = 0;             ///< of a queue's: so many came before it was submitted
  std::size_t reached_by = 0;  ///< of a wait: so many had come when the fence was at its value; 0: from the beginning
};

/// The order of all steps, and the timelines in which they stand.
struct WorkOrder {
  std::vector<Timeline> timelines;  ///< of queues, then of CPU threads
  std::vector<WorkEvent> events;
  std::size_t queues = 0;  ///< timelines of queues

  const Step& step_of(const WorkEvent& event) const {
    return timelines[event.timeline].blocks[event.place.block].steps[event.place.step];
  }
};

/// The event signals its fence.
bool signals(const WorkEvent& event);
/// The event waits for its fence.
inline bool waits(const WorkEvent& event) {
  return event.kind == Step::Kind::queue_wait || event.kind == Step::Kind::fence_wait;
}

/// By fence of the workload: the swap chain whose frames it counts, if it does: queues' own ones, then the others.
std::vector<std::optional<std::uint32_t>> frame_chains(const Workload& workload);
/// Throws ConfigError: with the place of a wait that would last for ever, or what is wrong with a step.
WorkOrder order_of(const Workload& workload, const std::string& file);
/// Where the fences stand when the first `events` of the order have come, by fence of the workload.
std::vector<std::uint64_t> fence_values(const Workload& workload, const WorkOrder& order, std::size_t events);

}  // namespace fenceline
