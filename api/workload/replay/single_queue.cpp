// SPDX-License-Identifier: Apache-2.0
#include "api/workload/replay/single_queue.hpp"

#include "api/workload/beats.hpp"
#include "api/workload/replay/open_events.hpp"
#include "api/workload/replay/queue_steps.hpp"
#include "api/workload/replay/work_order.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace fenceline {
namespace {

constexpr const char* single_name = "single";

/// The name, or where a fence has it already the first of "name_", "name__" that none has.
std::string free_fence_name(const Workload& workload, std::string name) {
  const auto taken = [&](const FenceInfo& fence) { return fence.name == name; };
  while (std::any_of(workload.fences.begin(), workload.fences.end(), taken)) name += '_';
  return name;
}

/// Queues that come to something, in the workload's order.
std::vector<const QueueInfo*> used_queues(const Workload& workload, const WorkOrder& order) {
  std::set<std::uint32_t> used;
  for (const WorkEvent& event : order.events) {
    if (event.queue != WorkEvent::no_queue) used.insert(event.queue);
  }
  std::vector<const QueueInfo*> queues;
  queues.reserve(used.size());
  for (const std::uint32_t queue : used) queues.push_back(&workload.queues[queue]);
  return queues;
}

/// What all of them have; else the default.
template <class Value>
Value agreed(const std::vector<const QueueInfo*>& queues, Value QueueConfig::*member) {
  const auto differs = [&](const QueueInfo* queue) { return queue->*member != queues.front()->*member; };
  if (queues.empty() || std::any_of(queues.begin(), queues.end(), differs)) return QueueConfig().*member;
  return queues.front()->*member;
}

std::string agreed_output(const Workload& workload, const WorkOrder& order) {
  std::set<std::string> outputs;
  for (const WorkEvent& event : order.events) {
    if (event.kind != Step::Kind::present) continue;
    const std::uint32_t chain = order.step_of(event).swap_chain;
    const auto add = [&](const auto& one) {
      if (one.composed_by.empty()) outputs.insert(one.output);
    };
    if (chain < order.queues) {
      add(workload.queues[chain]);
    } else {
      add(workload.swap_chains[chain - order.queues]);
    }
  }
  return outputs.size() == 1 ? *outputs.begin() : "";
}

QueueInfo one_for(const Workload& workload, const WorkOrder& order) {
  const std::vector<const QueueInfo*> queues = used_queues(workload, order);
  QueueInfo one;
  one.name = single_name;
  one.type = QueueType::direct;
  one.priority = agreed(queues, &QueueConfig::priority);
  one.path = agreed(queues, &QueueConfig::path);
  one.process = queues.empty() ? "" : queues.front()->process;
  one.in_process_priority = agreed(queues, &QueueConfig::in_process_priority);
  one.realtime_level = agreed(queues, &QueueConfig::realtime_level);
  one.quantum_us = agreed(queues, &QueueConfig::quantum_us);
  one.grace_us = agreed(queues, &QueueConfig::grace_us);
  one.grace_same_priority_us = agreed(queues, &QueueConfig::grace_same_priority_us);
  one.node_mask = agreed(queues, &QueueConfig::node_mask);
  one.disable_gpu_timeout =
      std::any_of(queues.begin(), queues.end(), [](const QueueInfo* queue) { return queue->disable_gpu_timeout; });
  one.output = agreed_output(workload, order);
  return one;
}

/// Puts the steps of an order where one queue and the CPU threads have them.
class OneQueue {
 public:
  OneQueue(const Workload& workload, const WorkOrder& order)
      : workload_(workload),
        order_(order),
        queue_(one_for(workload, order)),
        turns_{free_fence_name(workload, "single order")},
        events_(workload.queues.size()),
        steps_of_cpus_(workload.cpus.size()) {
    for (const QueueInfo& queue : workload.queues) processes_.insert(queue.process);
    for (const FenceInfo& fence : workload.fences) reached_.push_back(fence.initial_value);
    frames_.resize(workload.queues.size() + workload.swap_chains.size());
    frame_chains_ = frame_chains(workload);
  }

  Workload make() {
    for (const WorkEvent& event : order_.events) {
      if (event.kind == Step::Kind::present && stays(event)) frames_[chain_of(event)].push_back(++frames_presented_);
      if (event.kind == Step::Kind::close_swap_chain) continue;
      if (waits(event) && (is_of_window(event.fence) || ends_with_its_swap_chain(event))) continue;
      if (event.queue == WorkEvent::no_queue) {
        add_of_cpu(event);
      } else if (event.kind == Step::Kind::begin_event || event.kind == Step::Kind::end_event) {
        events_.add(order_, event);
      } else if (event.kind == Step::Kind::set_marker) {
        markers_.push_back({events_.of(event.queue), queue_step_at(workload_, order_, event)});
      } else if (stays(event)) {
        submit(event);
      }
    }
    give_markers();
    for (; !entered_.empty(); entered_.pop_back()) give(EndEventStep{});
    Workload result = workload_;
    result.swap_chains.clear();
    result.queues = {std::move(queue_)};
    for (CommandListInfo& list : result.command_lists) {
      if (list.type != CommandListType::bundle) list.type = CommandListType::direct;
    }
    for (std::size_t i = 0; i < result.cpus.size(); ++i) result.cpus[i].timeline = std::move(steps_of_cpus_[i]);
    if (processes_.size() > 1) {
      for (FenceInfo& fence : result.fences) fence.process.clear();
    }
    count_frames_of_one(result);
    if (turns_taken_ > 0) result.fences.push_back(turns_);
    return result;
  }

 private:
  static constexpr std::size_t nobody = ~std::size_t{0};  ///< the queue's own timeline

  /// False of what one queue need not do, or cannot.
  bool stays(const WorkEvent& event) {
    if (event.kind == Step::Kind::present) return !is_window(chain_of(event));
    if (event.kind == Step::Kind::queue_wait) return reached_[event.fence] < event.value;
    if (event.kind == Step::Kind::queue_signal) {
      reached_[event.fence] = std::max(reached_[event.fence], event.value);
    }
    return true;
  }

  std::uint32_t chain_of(const WorkEvent& present) const { return order_.step_of(present).swap_chain; }
  bool is_window(std::uint32_t chain) const {
    const std::size_t queues = workload_.queues.size();
    if (chain < queues) return !workload_.queues[chain].composed_by.empty();
    return !workload_.swap_chains[chain - queues].composed_by.empty();
  }
  /// The fence counts the frames of a window.
  bool is_of_window(std::uint32_t fence) const { return frame_chains_[fence] && is_window(*frame_chains_[fence]); }
  /// The wait is for a frame that is not presented before it.
  bool ends_with_its_swap_chain(const WorkEvent& wait) const {
    const std::optional<std::uint32_t> chain = frame_chains_[wait.fence];
    return chain && wait.value > frames_[*chain].size();
  }

  /// What a wait waits for: the one queue's number of a frame, where it is one.
  std::uint64_t value_of(const WorkEvent& event) const {
    const std::optional<std::uint32_t> chain = frame_chains_[event.fence];
    return chain && event.value > 0 ? frames_[*chain][event.value - 1] : event.value;
  }

  /// Fences of frames count the one queue's; those of windows go, with the deadlines that cannot be said any more.
  void count_frames_of_one(Workload& result) const {
    const auto presents = [](const auto& frames) { return !frames.empty(); };
    const bool mixed = std::count_if(frames_.begin(), frames_.end(), presents) > 1;
    std::set<std::string> gone;
    std::set<std::string> without_deadlines;
    for (std::size_t i = 0; i < result.fences.size(); ++i) {
      FenceInfo& fence = result.fences[i];
      if (fence.frames_of.empty()) continue;
      fence.frames_of = single_name;
      const bool of_window = is_of_window(static_cast<std::uint32_t>(i));
      if (of_window) gone.insert(fence.name);
      if (of_window || mixed) without_deadlines.insert(fence.name);
    }
    const auto is_gone = [&](const FenceInfo& fence) { return gone.count(fence.name) > 0; };
    result.fences.erase(std::remove_if(result.fences.begin(), result.fences.end(), is_gone), result.fences.end());
    const auto is_without = [&](const DeadlineInfo& one) { return without_deadlines.count(one.fence) > 0; };
    auto& deadlines = result.deadlines;
    deadlines.erase(std::remove_if(deadlines.begin(), deadlines.end(), is_without), deadlines.end());
  }

  void submit(const WorkEvent& event) {
    const bool given = event.timeline >= order_.queues;
    const std::size_t by = given ? event.timeline - order_.queues : last_;
    if (by != last_) take_turn(by);
    give_markers();
    if (event.kind == Step::Kind::execute) enter(events_.of(event.queue));
    QueueStep step = queue_step_at(workload_, order_, event);
    if (auto* const wait = std::get_if<WaitStep>(&step)) wait->value = value_of(event);
    if (auto* const present = std::get_if<PresentStep>(&step)) present->swap_chain.clear();
    give(step);
  }

  /// It is the one queue's next, submitted by whoever has the turn.
  void give(const QueueStep& step) {
    if (last_ == nobody) {
      queue_.timeline.push_back(step);
      return;
    }
    steps_of_cpus_[last_].push_back(given_by_cpu(step, single_name));
    behind_last_ = steps_of_cpus_[last_].size();
  }

  /// Whoever submits next gives it the markers that came before: nobody takes a turn for them.
  void give_markers() {
    for (const SetIn& marker : std::exchange(markers_, {})) {
      enter(marker.events);
      give(marker.step);
    }
  }

  /// The one queue leaves the regions in which the queue whose work comes next is not, and enters those in which it is.
  void enter(const std::vector<OpenEvents::Event>& wanted) {
    std::size_t same = 0;
    while (same < std::min(entered_.size(), wanted.size()) && entered_[same] == wanted[same].number) ++same;
    for (; entered_.size() > same; entered_.pop_back()) give(EndEventStep{});
    for (std::size_t i = same; i < wanted.size(); ++i) {
      give(wanted[i].step);
      entered_.push_back(wanted[i].number);
    }
  }

  /// It submits what comes next, behind what the last one has submitted.
  void take_turn(std::size_t cpu) {
    if (last_ != nobody) {
      auto& last = steps_of_cpus_[last_];
      const FenceValue turn{turns_.name, ++turns_taken_};
      last.insert(last.begin() + static_cast<std::ptrdiff_t>(behind_last_), CpuFenceSignal{turn});
      steps_of_cpus_[cpu].push_back(CpuFenceWait{turn});
    }
    last_ = cpu;
  }

  void add_of_cpu(const WorkEvent& event) {
    CpuStep step = cpu_step_at(workload_, order_, event);
    if (auto* const wait = std::get_if<CpuFenceWait>(&step)) wait->value = value_of(event);
    if (std::visit([&](auto& one) { return retarget(one); }, step)) {
      steps_of_cpus_[event.timeline - order_.queues].push_back(std::move(step));
    }
  }

  /// What the step is about becomes the one queue, or its process; false: nothing is left of it.
  template <class One>
  bool retarget(One& step) const {
    if constexpr (std::is_same_v<One, CpuCompose> || std::is_same_v<One, CpuSetPriority> ||
                  std::is_same_v<One, CpuWaitForBudgetChange>) {
      return false;
    }
    if constexpr (std::is_same_v<One, CpuInput>) {
      const auto is_it = [&](const QueueInfo& queue) { return queue.name == step.queue; };
      const auto queue = std::find_if(workload_.queues.begin(), workload_.queues.end(), is_it);
      step.queue = single_name;
      return queue->composed_by.empty();
    }
    if constexpr (std::is_same_v<One, CpuMakeResident> || std::is_same_v<One, CpuEvict> ||
                  std::is_same_v<One, CpuCreateDevice> || std::is_same_v<One, CpuSetVideoMemoryReservation>) {
      if (processes_.size() < 2 || processes_.count(step.process) == 0 || step.process == queue_.process) return true;
      step.process = queue_.process;
      return !std::is_same_v<One, CpuSetVideoMemoryReservation>;
    }
    return true;
  }

  const Workload& workload_;
  const WorkOrder& order_;
  QueueInfo queue_;
  FenceInfo turns_;  // of CPU threads that submit
  /// A marker, and the regions in which it is.
  struct SetIn {
    std::vector<OpenEvents::Event> events;
    QueueStep step;
  };
  OpenEvents events_;
  std::vector<SetIn> markers_;          // that the one queue has not been given
  std::vector<std::uint64_t> entered_;  // by number, where the one queue is
  std::uint64_t turns_taken_ = 0;
  std::vector<std::vector<CpuStep>> steps_of_cpus_;
  std::set<std::string> processes_;                         // of queues
  std::vector<std::uint64_t> reached_;                      // by fence: by queues, or from the beginning
  std::vector<std::optional<std::uint32_t>> frame_chains_;  // by fence
  std::vector<std::vector<std::uint64_t>> frames_;          // by swap chain: numbers of its frames on the one
  std::uint64_t frames_presented_ = 0;                      // there
  std::size_t last_ = nobody;                               // that submitted
  std::size_t behind_last_ = 0;                             // of its steps
};

}  // namespace

Workload on_single_queue(const Workload& workload, const std::string& file) {
  if (keeps_beats(workload)) return on_single_queue(with_times_of_beats(workload, file), file);
  const WorkOrder order = order_of(workload, file);
  return OneQueue(workload, order).make();
}

}  // namespace fenceline
