// SPDX-License-Identifier: Apache-2.0
#include "tests/api/replay/random_workload.hpp"

#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace fenceline::testing {
namespace {

constexpr std::size_t lists_of_queue = 3;

class Maker {
 public:
  explicit Maker(std::uint64_t n) : random_(n) {}

  Workload make() {
    workload_.name = "random";
    const std::size_t queues = 1 + below(4);
    for (std::size_t i = 0; i < queues; ++i) add_queue();
    workload_.cpus.resize(below(4));
    for (std::size_t i = 0; i < workload_.cpus.size(); ++i) workload_.cpus[i].name = "thread " + std::to_string(i);
    given_.resize(queues);
    slept_us_.resize(workload_.cpus.size());
    const std::size_t steps = 3 + below(30);
    for (std::size_t i = 0; i < steps; ++i) {
      if (below(8) == 0) {
        add_ring();
      } else if (!workload_.cpus.empty() && below(3) > 0) {
        add_to_cpu(below(workload_.cpus.size()));
      } else {
        add_to_queue(below(queues));
      }
    }
    for (const Fence& fence : fences_) {
      if (fence.value == 0 || below(3) > 0) continue;
      const std::string name = "deadline " + std::to_string(workload_.deadlines.size());
      workload_.deadlines.push_back({name, fence.name, 1, 1, fence.value, 50.0 * static_cast<double>(below(20)), 100});
    }
    return workload_;
  }

 private:
  struct Fence {
    std::string name;
    std::uint64_t value = 0;
    std::optional<std::size_t> cpu = {};    // that signals it
    std::optional<std::size_t> queue = {};  // by way of this one; without a CPU thread: whose own timeline does
  };

  std::size_t below(std::size_t limit) { return random_() % limit; }

  void add_queue() {
    QueueInfo queue;
    queue.name = std::string(1, static_cast<char>('a' + workload_.queues.size()));
    queue.type = static_cast<QueueType>(below(2));  // direct or compute
    for (std::size_t i = 0; i < lists_of_queue; ++i) {
      ComputePipeline pipeline;
      pipeline.name = queue.name + " kernel " + std::to_string(i);
      pipeline.group.registers_per_thread = 0;
      pipeline.work.cycles = 1000 * (1 + below(200));
      workload_.compute_pipelines.emplace_back(pipeline);
      CommandListInfo list;
      list.name = queue.name + " " + std::to_string(i);
      list.type = command_list_type(queue.type);
      DispatchCommand dispatch;
      dispatch.pipeline = pipeline.name;
      dispatch.x = 1 + below(4);
      list.commands.emplace_back(dispatch);
      workload_.command_lists.push_back(list);
    }
    workload_.queues.push_back(queue);
  }

  ExecuteStep execute_on(std::size_t queue) {
    ExecuteStep step;
    const std::size_t lists = 1 + below(2);
    for (std::size_t i = 0; i < lists; ++i) {
      step.lists.push_back(workload_.queues[queue].name + " " + std::to_string(below(lists_of_queue)));
    }
    return step;
  }
  bool may_present(std::size_t queue) const { return workload_.queues[queue].type == QueueType::direct; }
  PresentStep present() {
    PresentStep step;
    step.interval = 0;
    return step;
  }

  std::size_t fence_of(std::optional<std::size_t> cpu, std::optional<std::size_t> queue) {
    for (std::size_t i = 0; i < fences_.size(); ++i) {
      if (fences_[i].cpu == cpu && fences_[i].queue == queue) return i;
    }
    fences_.push_back({"fence " + std::to_string(fences_.size()), 0, cpu, queue});
    FenceInfo info;
    info.name = fences_.back().name;
    workload_.fences.push_back(info);
    return fences_.size() - 1;
  }
  FenceValue next_value(std::size_t fence) { return {fences_[fence].name, ++fences_[fence].value}; }
  /// Some value that a fence has had so far.
  std::optional<FenceValue> some_value() {
    if (fences_.empty()) return {};
    const Fence& fence = fences_[below(fences_.size())];
    return FenceValue{fence.name, below(fence.value + 1)};
  }

  /// To its own timeline, to which nothing is added once CPU threads have given it something.
  void add_to_queue(std::size_t queue) {
    if (given_[queue]) return;
    auto& timeline = workload_.queues[queue].timeline;
    switch (below(5)) {
      case 0: timeline.emplace_back(SignalStep{next_value(fence_of({}, queue))}); break;
      case 1:
        if (const auto value = some_value()) timeline.emplace_back(WaitStep{*value});
        break;
      case 2:
        if (may_present(queue)) timeline.emplace_back(present());
        break;
      case 3: {
        QueueRepeat repeat;
        repeat.count = 1 + below(5);
        repeat.steps.emplace_back(execute_on(queue));
        const std::size_t fence = fence_of({}, queue);
        repeat.steps.emplace_back(SignalStep{{fences_[fence].name, fences_[fence].value + 1, 1}});
        fences_[fence].value += repeat.count;
        timeline.emplace_back(repeat);
        break;
      }
      default: timeline.emplace_back(execute_on(queue)); break;
    }
  }

  void add_to_cpu(std::size_t cpu) {
    auto& timeline = workload_.cpus[cpu].timeline;
    const std::size_t queue = below(workload_.queues.size());
    if (given_[queue].value_or(cpu) != cpu) return;  // two would give it steps in an order that nobody knows
    const std::string& name = workload_.queues[queue].name;
    switch (below(10)) {
      case 0: timeline.emplace_back(CpuWork{static_cast<double>(below(300))}); break;
      case 1:
        slept_us_[cpu] += below(400);
        timeline.emplace_back(CpuSleepUntil{static_cast<double>(slept_us_[cpu])});
        break;
      case 2: timeline.emplace_back(CpuFenceSignal{next_value(fence_of(cpu, {}))}); break;
      case 3:
        if (const auto value = some_value()) timeline.emplace_back(CpuFenceWait{*value});
        break;
      case 4:
        if (const auto value = some_value()) give(queue, cpu, CpuQueueWait{*value, name});
        break;
      case 5: give(queue, cpu, CpuQueueSignal{next_value(fence_of(cpu, queue)), name}); break;
      case 6:
        if (may_present(queue)) give(queue, cpu, CpuPresent{present(), name});
        break;
      case 7: add_frames(cpu, queue); break;
      default: give(queue, cpu, CpuExecute{execute_on(queue), name}); break;
    }
  }

  template <class Given>
  void give(std::size_t queue, std::size_t cpu, const Given& step) {
    given_[queue] = cpu;
    workload_.cpus[cpu].timeline.emplace_back(step);
  }

  /// A loop that keeps a beat, and waits for what it has submitted two frames ago.
  void add_frames(std::size_t cpu, std::size_t queue) {
    given_[queue] = cpu;
    const std::string& name = workload_.queues[queue].name;
    CpuRepeat repeat;
    repeat.count = 1 + below(5);
    const std::size_t fence = fence_of(cpu, queue);
    const std::uint64_t before = fences_[fence].value;
    const std::size_t period = 50 + below(200);
    CpuSleepUntil sleep;
    sleep.us = static_cast<double>(slept_us_[cpu]);
    sleep.us_step = static_cast<double>(period);
    repeat.steps.emplace_back(sleep);
    repeat.steps.emplace_back(CpuWork{static_cast<double>(below(150))});
    repeat.steps.emplace_back(CpuExecute{execute_on(queue), name});
    if (may_present(queue)) repeat.steps.emplace_back(CpuPresent{present(), name});
    repeat.steps.emplace_back(CpuQueueSignal{{fences_[fence].name, before + 1, 1}, name});
    repeat.steps.emplace_back(CpuFenceWait{{fences_[fence].name, before + 1, 1, 2}});
    fences_[fence].value += repeat.count;
    slept_us_[cpu] += period * (repeat.count - 1);
    workload_.cpus[cpu].timeline.emplace_back(repeat);
  }

  /// Two queues' own timelines: one that fills at most two ahead of another that draws.
  void add_ring() {
    if (workload_.queues.size() < 2) return;
    const std::size_t first = below(workload_.queues.size());
    const std::size_t second = (first + 1) % workload_.queues.size();
    if (given_[first] || given_[second]) return;
    const std::size_t filled = fence_of({}, first);
    const std::size_t drawn = fence_of({}, second);
    QueueRepeat fill;
    QueueRepeat draw;
    fill.count = draw.count = 2 + below(5);
    fill.steps.emplace_back(WaitStep{{fences_[drawn].name, fences_[drawn].value + 1, 1, 2}});
    fill.steps.emplace_back(execute_on(first));
    fill.steps.emplace_back(SignalStep{{fences_[filled].name, fences_[filled].value + 1, 1}});
    draw.steps.emplace_back(WaitStep{{fences_[filled].name, fences_[filled].value + 1, 1}});
    draw.steps.emplace_back(execute_on(second));
    if (may_present(second)) draw.steps.emplace_back(present());
    draw.steps.emplace_back(SignalStep{{fences_[drawn].name, fences_[drawn].value + 1, 1}});
    fences_[filled].value += fill.count;
    fences_[drawn].value += draw.count;
    workload_.queues[first].timeline.emplace_back(fill);
    workload_.queues[second].timeline.emplace_back(draw);
  }

  std::mt19937_64 random_;
  Workload workload_;
  std::vector<Fence> fences_;
  std::vector<std::optional<std::size_t>> given_;  // by queue: the CPU thread that gives it steps
  std::vector<std::uint64_t> slept_us_;            // by CPU thread
};

}  // namespace

Workload random_workload(std::uint64_t n) { return Maker(n).make(); }

}  // namespace fenceline::testing
