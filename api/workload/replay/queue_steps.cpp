// SPDX-License-Identifier: Apache-2.0
#include "api/workload/replay/queue_steps.hpp"

#include "api/workload/replay/shifted_step.hpp"

#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

namespace fenceline {
namespace {

[[noreturn]] void unexpected() { throw std::logic_error("a step of the order that is not what its kind says"); }

struct AsQueueStep {
  template <class One>
  QueueStep operator()(const One& step) const {
    if constexpr (std::is_base_of_v<ExecuteStep, One>) {
      return static_cast<const ExecuteStep&>(step);
    } else if constexpr (std::is_base_of_v<PresentStep, One>) {
      return static_cast<const PresentStep&>(step);
    } else if constexpr (std::is_same_v<One, SignalStep> || std::is_same_v<One, CpuQueueSignal>) {
      return SignalStep{static_cast<const FenceValue&>(step)};
    } else if constexpr (std::is_same_v<One, WaitStep> || std::is_same_v<One, CpuQueueWait>) {
      return WaitStep{static_cast<const FenceValue&>(step)};
    } else if constexpr (std::is_base_of_v<BeginEventStep, One>) {
      return static_cast<const BeginEventStep&>(step);
    } else if constexpr (std::is_base_of_v<EndEventStep, One>) {
      return static_cast<const EndEventStep&>(step);
    } else if constexpr (std::is_base_of_v<SetMarkerStep, One>) {
      return static_cast<const SetMarkerStep&>(step);
    } else {
      unexpected();
    }
  }
};

struct AsCpuStep {
  template <class One>
  CpuStep operator()(const One& step) const {
    return step;
  }
};

struct GivenByCpu {
  const std::string& queue;
  CpuStep operator()(const ExecuteStep& step) const { return CpuExecute{step, queue}; }
  CpuStep operator()(const SignalStep& step) const { return CpuQueueSignal{step, queue}; }
  CpuStep operator()(const WaitStep& step) const { return CpuQueueWait{step, queue}; }
  CpuStep operator()(const PresentStep& step) const { return CpuPresent{step, queue}; }
  CpuStep operator()(const BeginEventStep& step) const { return CpuBeginEvent{step, queue}; }
  CpuStep operator()(const EndEventStep& step) const { return CpuEndEvent{step, queue}; }
  CpuStep operator()(const SetMarkerStep& step) const { return CpuSetMarker{step, queue}; }
  CpuStep operator()(const QueueRepeat&) const { unexpected(); }
};

}  // namespace

QueueStep queue_step_at(const Workload& workload, const WorkOrder& order, const WorkEvent& event) {
  if (event.timeline < order.queues) {
    return with_step_at<QueueRepeat>(workload.queues[event.timeline].timeline, event.place, AsQueueStep());
  }
  return with_step_at<CpuRepeat>(workload.cpus[event.timeline - order.queues].timeline, event.place, AsQueueStep());
}

CpuStep cpu_step_at(const Workload& workload, const WorkOrder& order, const WorkEvent& event) {
  if (event.timeline < order.queues) unexpected();
  return with_step_at<CpuRepeat>(workload.cpus[event.timeline - order.queues].timeline, event.place, AsCpuStep());
}

CpuStep given_by_cpu(const QueueStep& step, const std::string& queue) { return std::visit(GivenByCpu{queue}, step); }

}  // namespace fenceline
