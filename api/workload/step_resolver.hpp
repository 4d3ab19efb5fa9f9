// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/timeline/timeline.hpp"
#include "api/workload/created_pipelines.hpp"
#include "api/workload/deadline.hpp"
#include "api/workload/recorded_contents.hpp"
#include "api/workload/workload.hpp"
#include "api/workload/workload_names.hpp"
#include "sim/config_errors.hpp"
#include "sim/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fenceline {

/// Turns the steps of one workload into those of a program.
class StepResolver {
 public:
  StepResolver(const Workload& workload, const std::string& file)
      : workload_(workload), file_(file), names_(workload, file) {}

  /// Throws ConfigError for names that are empty or there twice.
  void check_names() const { names_.check(); }
  void check_process(const std::string& name, const std::string& pointer) const {
    names_.processes.index(name, pointer);
  }
  Timeline timeline(const QueueInfo& queue, std::uint32_t index) {
    Timeline result = empty_timeline("queue", queue.name, "queues", index);
    queue_ = index;
    add_steps(queue.timeline, result);
    return result;
  }
  Timeline timeline(const CpuInfo& cpu, std::uint32_t index) {
    Timeline result = empty_timeline("CPU thread", cpu.name, "cpus", index);
    add_steps(cpu.timeline, result);
    return result;
  }

  /// Throws what is wrong with the timelines that were made, step by step: they are not to be used then.
  void throw_errors() const { errors_.throw_any(); }

  /// What CPU threads write: Step::write is a place here.
  std::vector<ContentWrite> take_writes() { return std::move(writes_); }

 private:
  static Timeline empty_timeline(const char* kind, const std::string& name, const char* key, std::uint32_t index) {
    return {fmt::format("{} {}", kind, in_quotes(name)), fmt::format("/{}/{}/timeline", key, index), {}};
  }

  template <class StepVariant>
  void add_steps(const std::vector<StepVariant>& steps, Timeline& timeline) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::string pointer = fmt::format("{}/{}", timeline.pointer, i);
      const auto add = [&](const auto& step) { timeline.blocks.push_back(block(step, pointer)); };
      if (!errors_.keep([&] { std::visit(add, steps[i]); })) continue;
      const StepBlock& block = timeline.blocks.back();
      for (const Step& step : block.steps) {
        const bool counts =
            step.kind == Step::Kind::create_pipeline_states || step.kind == Step::Kind::queue_processing_work;
        const std::uint64_t made = counts ? std::max<std::uint64_t>(1, step.count) : 1;
        steps_ += block.count * std::max<std::uint64_t>(made, step.lists.size());
      }
      if (steps_ > max_program_steps) {
        errors_.add({file_, pointer,
                     fmt::format("at most {} steps in all, repeats unrolled and each list, pipeline state and task a "
                                 "step",
                                 max_program_steps),
                     "more"});
        throw_errors();  // further steps would be as much too many
      }
    }
  }

  /// What grows from iteration to iteration does not where there is one.
  template <class Number>
  void check_outside(Number found, const std::string& pointer) const {
    if (found > 0) throw ConfigError(file_, pointer, "0 outside a repeat", fmt::format("{}", found));
  }

  template <class SimpleStep>
  StepBlock block(const SimpleStep& step, const std::string& pointer) {
    StepBlock result{1, false, false, {}};
    do_each([&] { check_outside(step.from_iteration, pointer + "/from_iteration"); },
            [&] {
              const Step& resolved = result.steps.emplace_back(resolve(step, pointer));
              const bool creates = resolved.kind == Step::Kind::create_pipeline_states;
              check_outside(resolved.value_step, pointer + (creates ? "/first_step" : "/value_step"));
              check_outside(static_cast<double>(resolved.until_step_ps) / 1e6, pointer + "/us_step");
            });
    return result;
  }
  StepBlock block(const QueueRepeat& repeat, const std::string& pointer) { return repeated(repeat, pointer); }
  StepBlock block(const CpuRepeat& repeat, const std::string& pointer) {
    StepBlock result = repeated(repeat, pointer);
    result.until_steady = repeat.until_steady;
    return result;
  }

  template <class Repeat>
  StepBlock repeated(const Repeat& repeat, const std::string& pointer) {
    StepBlock result{repeat.count, true, false, {}};
    for (std::size_t i = 0; i < repeat.steps.size(); ++i) {
      const std::string inner = fmt::format("{}/steps/{}", pointer, i);
      const auto add = [&](const auto& step) { result.steps.push_back(resolve(step, inner)); };
      if (!errors_.keep([&] { std::visit(add, repeat.steps[i]); })) continue;
      errors_.keep([&] { check_last_step(file_, result.steps.back(), repeat.count, inner); });
    }
    return result;
  }

  template <class One>
  static Step of_kind(Step::Kind kind, const One& one) {
    Step step;
    step.kind = kind;
    step.from_iteration = one.from_iteration;
    return step;
  }
  Step with_value(Step::Kind kind, const FenceValue& info, const std::string& pointer) const {
    Step step;
    step.kind = kind;
    step.queue = queue_;
    step.fence = names_.fences.index(info.fence, pointer + "/fence");
    step.value = info.value;
    step.value_step = info.value_step;
    step.from_iteration = info.from_iteration;
    return step;
  }
  Step on_queue(Step step, const std::string& queue, const std::string& pointer) const {
    step.queue = names_.queues.index(queue, pointer + "/queue");
    return step;
  }
  /// Of a CPU thread's, which says the queue.
  template <class One>
  Step with_value_on_queue(Step::Kind kind, const One& one, const std::string& pointer) const {
    Step step;
    do_each([&] { step = with_value(kind, one, pointer); }, [&] { on_queue({}, one.queue, pointer); });
    return on_queue(std::move(step), one.queue, pointer);
  }

  Step resolve(const SignalStep& step, const std::string& pointer) const {
    return with_value(Step::Kind::queue_signal, step, pointer);
  }
  Step resolve(const WaitStep& step, const std::string& pointer) const {
    return with_value(Step::Kind::queue_wait, step, pointer);
  }
  Step resolve(const CpuQueueSignal& step, const std::string& pointer) const {
    return with_value_on_queue(Step::Kind::queue_signal, step, pointer);
  }
  Step resolve(const CpuQueueWait& step, const std::string& pointer) const {
    return with_value_on_queue(Step::Kind::queue_wait, step, pointer);
  }
  Step resolve(const PresentStep& step, const std::string& pointer) const {
    return resolve_present(step, queue_, pointer);
  }
  Step resolve(const CpuPresent& step, const std::string& pointer) const {
    return resolve_present(step, names_.queues.index(step.queue, pointer + "/queue"), pointer);
  }
  Step resolve_present(const PresentStep& present, std::uint32_t queue, const std::string& pointer) const {
    Step step = of_kind(Step::Kind::present, present);
    step.queue = queue;
    step.swap_chain = names_.swap_chains.presented_to(queue, present.swap_chain, pointer);
    step.interval = present.interval;
    step.tearing = present.tearing;
    step.restart = present.restart;
    return step;
  }
  /// Of a marker's step, which says its kind.
  template <class One, MarkerKind kind = One::marker_kind>
  Step resolve(const One& one, const std::string& pointer) const {
    Step step = of_kind(marker_step(kind), one);
    step.queue = queue_;
    if constexpr (std::is_base_of_v<MarkerText, One>) {
      step.name = one.name;
      step.color = one.color;
    }
    if constexpr (is_cpu_marker<One>) return on_queue(std::move(step), one.queue, pointer);
    return step;
  }
  Step resolve(const CpuInput& input, const std::string& pointer) const {
    return on_queue(of_kind(Step::Kind::input, input), input.queue, pointer);
  }
  Step resolve(const CpuCompose& compose, const std::string& pointer) const {
    Step step = of_kind(Step::Kind::compose, compose);
    const auto is_window = [&](const auto& one) { return one.composed_by == compose.queue; };
    Step resolved = on_queue(step, compose.queue, pointer);
    resolved.swap_chain = resolved.queue;
    if (std::none_of(workload_.queues.begin(), workload_.queues.end(), is_window) &&
        std::none_of(workload_.swap_chains.begin(), workload_.swap_chains.end(), is_window)) {
      throw ConfigError(file_, pointer + "/queue", "a queue that others are composed_by", in_quotes(compose.queue));
    }
    return resolved;
  }
  Step resolve(const CpuCloseSwapChain& close, const std::string& pointer) const {
    Step step = of_kind(Step::Kind::close_swap_chain, close);
    step.swap_chain = names_.swap_chains.index(close.swap_chain, pointer + "/swap_chain");
    return step;
  }
  Step resolve(const CpuWaitVblank& wait, const std::string&) const {
    Step step = of_kind(Step::Kind::wait_vblank, wait);
    step.name = wait.output;
    return step;
  }
  Step resolve(const CpuFenceSignal& step, const std::string& pointer) const {
    return with_value(Step::Kind::fence_signal, step, pointer);
  }
  Step resolve(const CpuFenceWait& step, const std::string& pointer) const {
    return with_value(Step::Kind::fence_wait, step, pointer);
  }
  Step resolve(const CpuWork& work, const std::string&) const {
    Step step = of_kind(Step::Kind::work, work);
    step.work_ps = ps_of_us(work.us);
    return step;
  }
  Step resolve(const CpuSleepUntil& sleep, const std::string&) const {
    Step step = of_kind(Step::Kind::sleep_until, sleep);
    step.until_ps = ps_of_us(sleep.us);
    step.until_step_ps = ps_of_us(sleep.us_step);
    return step;
  }
  Step resolve(const CpuFocus& focus, const std::string& pointer) const {
    Step step = of_kind(Step::Kind::focus, focus);
    return of_process(std::move(step), focus.process, pointer);
  }
  Step resolve(const CpuSetPriority& priority, const std::string& pointer) const {
    Step step = of_kind(Step::Kind::set_priority, priority);
    step.in_process_priority = priority.in_process_priority;
    step.realtime_level = priority.realtime_level;
    return on_queue(step, priority.queue, pointer);
  }
  Step resolve(const CpuSetProcessPriority& priority, const std::string& pointer) const {
    Step step = of_kind(Step::Kind::set_process_priority, priority);
    if (!priority.process.empty()) step.process = names_.processes.index(priority.process, pointer + "/process");
    step.priority = priority.priority;
    step.realtime_level = priority.realtime_level;
    return step;
  }
  Step resolve(const CpuSetBackgroundProcessingMode& set, const std::string& pointer) const {
    Step step;
    do_each(
        [&] {
          if (set.fence.empty()) return;
          step = with_value(Step::Kind::set_background_processing_mode,
                            {set.fence, set.value, set.value_step, set.from_iteration}, pointer);
        },
        [&] { of_process({}, set.process, pointer); });
    step.kind = Step::Kind::set_background_processing_mode;
    step.from_iteration = set.from_iteration;
    step.mode = {set.mode, set.action, !set.fence.empty()};
    return of_process(std::move(step), set.process, pointer);
  }
  Step resolve(const CpuQueueProcessingWork& work, const std::string& pointer) const {
    Step step = of_kind(Step::Kind::queue_processing_work, work);
    step.count = work.count;
    if (work.us) step.task_ps = ps_of_us(*work.us);
    return of_process(std::move(step), work.process, pointer);
  }
  Step resolve(const CpuCreatePipelineStates& create, const std::string& pointer) const {
    Step step = of_kind(Step::Kind::create_pipeline_states, create);
    step.count = create.count;
    step.value = create.first;
    step.value_step = create.first_step;
    step.pipeline = names_.created_pipeline(create.pipeline, pointer + "/pipeline");
    return of_process(std::move(step), create.process, pointer);
  }
  Step resolve(const CpuShaderCacheControl& control, const std::string& pointer) const {
    Step step = of_kind(Step::Kind::shader_cache_control, control);
    step.cache = control.kind;
    step.control = cache_control(control.control);
    return of_process(std::move(step), control.process, pointer);
  }
  Step resolve(const CpuUpdateDriver& update, const std::string&) const {
    return of_kind(Step::Kind::update_driver, update);
  }
  template <class One>
  Step of_its_process(Step::Kind kind, const One& one, const std::string& pointer) const {
    return of_process(of_kind(kind, one), one.process, pointer);
  }
  Step resolve(const CpuCreateDevice& create, const std::string& pointer) const {
    return of_its_process(Step::Kind::create_device, create, pointer);
  }
  Step resolve(const CpuMakeResident& make, const std::string& pointer) const {
    Step step;
    step.fence = Step::no_fence;
    do_each(
        [&] {
          if (make.fence.empty()) return;
          step = with_value(Step::Kind::make_resident, {make.fence, make.value, make.value_step, make.from_iteration},
                            pointer);
        },
        [&] { of_process_with({}, make, pointer); });
    step.kind = Step::Kind::make_resident;
    step.from_iteration = make.from_iteration;
    step.deny_overbudget = make.deny_overbudget;
    return of_process_with(std::move(step), make, pointer);
  }
  Step resolve(const CpuEvict& evict, const std::string& pointer) const {
    return of_process_with(of_kind(Step::Kind::evict, evict), evict, pointer);
  }
  /// Of the process that it says, with the resources that it says.
  template <class One>
  Step of_process_with(Step step, const One& one, const std::string& pointer) const {
    do_each([&] { step = of_process(std::move(step), one.process, pointer); },
            [&] { with_allocations({}, one.resources, pointer); });
    return with_allocations(std::move(step), one.resources, pointer);
  }
  Step resolve(const CpuSetResidencyPriority& set, const std::string& pointer) const {
    Step step = of_kind(Step::Kind::set_residency_priority, set);
    step.residency_priority = set.priority;
    return with_allocations(std::move(step), set.resources, pointer);
  }
  Step resolve(const CpuSetVideoMemoryReservation& set, const std::string& pointer) const {
    Step step = of_its_process(Step::Kind::set_video_memory_reservation, set, pointer);
    step.reserved_mib = set.mib;
    return step;
  }
  Step resolve(const CpuWaitForBudgetChange& wait, const std::string& pointer) const {
    return of_its_process(Step::Kind::wait_for_budget_change, wait, pointer);
  }
  Step resolve(const CpuWrite& write, const std::string& pointer) {
    Step step = of_kind(Step::Kind::write, write);
    step.write = static_cast<std::uint32_t>(writes_.size());
    writes_.push_back(content_write(write, names_.resources, file_, pointer));
    return step;
  }
  Step of_process(Step step, const std::string& process, const std::string& pointer) const {
    if (!process.empty()) step.process = names_.processes.index(process, pointer + "/process");
    return step;
  }
  Step with_allocations(Step step, const std::vector<std::string>& resources, const std::string& pointer) const {
    ConfigErrors errors;
    for (std::size_t i = 0; i < resources.size(); ++i) {
      errors.keep([&] {
        const ResourceInfo& info =
            names_.resources.in_video_memory(resources[i], fmt::format("{}/resources/{}", pointer, i));
        step.allocations.push_back(info.allocation.value());
      });
    }
    errors.throw_any();
    return step;
  }
  Step resolve(const ExecuteStep& execute, const std::string& pointer) const {
    return resolve_execute(execute, queue_, pointer);
  }
  Step resolve(const CpuExecute& execute, const std::string& pointer) const {
    std::optional<std::uint32_t> queue;
    Step step;
    do_each([&] { queue = names_.queues.index(execute.queue, pointer + "/queue"); },
            [&] { step = resolve_execute(execute, queue, pointer); });
    return step;
  }
  /// `queue`: null where it names nothing.
  Step resolve_execute(const ExecuteStep& execute, std::optional<std::uint32_t> queue,
                       const std::string& pointer) const {
    Step step;
    step.queue = queue.value_or(0);
    step.from_iteration = execute.from_iteration;
    ConfigErrors errors;
    for (std::size_t i = 0; i < execute.lists.size(); ++i) {
      const std::string list_pointer = fmt::format("{}/lists/{}", pointer, i);
      errors.keep([&] {
        step.lists.push_back(names_.lists.index(execute.lists[i], list_pointer));
        if (queue) check_list_type(step.lists.back(), *queue, list_pointer);
      });
    }
    errors.throw_any();
    return step;
  }
  /// D3D12: EXECUTECOMMANDLISTS_COMMANDLISTMISMATCH.
  void check_list_type(std::uint32_t index, std::uint32_t on, const std::string& pointer) const {
    const CommandListInfo& list = workload_.command_lists[index];
    const QueueInfo& queue = workload_.queues[on];
    if (list.type == command_list_type(queue.type)) return;
    throw ConfigError(file_, pointer,
                      fmt::format("a {} command list, as queue {} takes", name_of(queue.type), in_quotes(queue.name)),
                      fmt::format("{}, a {} command list", in_quotes(list.name), name_of(list.type)));
  }

  const Workload& workload_;
  const std::string& file_;
  WorkloadNames names_;
  std::uint32_t queue_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<ContentWrite> writes_;
  ConfigErrors errors_;
};

}  // namespace fenceline
