// SPDX-License-Identifier: Apache-2.0
// Translations of Kineto traces and of the step times of torch_mix.json.
#include "api/import/import_kineto.hpp"
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/measured/measured_steps.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace fenceline {
namespace {

using Of = Moment::Of;

constexpr double steps_limit_pct = 2;

Workload imported(const KinetoTrace& trace, const std::string& name, const MachineConfig& machine) {
  Workload workload;
  workload.name = name;
  KinetoImporter(machine, workload).add(trace, "");
  return workload;
}

/// The step between two events on its stream: empty packets of its queue, enqueued with it. A trace of several streams
/// stays without; the figure then begins and ends with its operations.
void add_events(Workload& workload, Figure& figure) {
  figure = {{Of::first_start}, {Of::last_end}};
  if (workload.queues.size() != 1 || workload.cpus.size() != 1) return;
  const auto record = [&](const char* name) {
    workload.command_lists.push_back({name, command_list_type(workload.queues.front().type), {}});
    CpuExecute execute;
    execute.lists.emplace_back(name);
    execute.queue = workload.queues.front().name;
    return execute;
  };
  auto& timeline = workload.cpus.front().timeline;
  timeline.insert(timeline.begin(), record("event before"));
  timeline.emplace_back(record("event after"));
  figure = {{Of::list_end, "event before"}, {Of::list_end, "event after"}};
}

/// One step of the trace alone, the median over its steps, against the measured median.
Plan steps_alone(const std::shared_ptr<const KinetoTrace>& trace, const std::optional<MeasuredSpread>& measured,
                 const char* key, const MachineConfig& machine) {
  if (!trace || !measured || !measured->p50) return {};
  PlannedCase one;
  one.name = "one step, p50";
  one.pointer = fmt::format("/{}/p50", key);
  one.measured_us = *measured->p50;
  one.limit_pct = steps_limit_pct;
  for (const KinetoTrace& step : steps_of(*trace)) {
    one.plays.push_back(imported(step, one.name, machine));
    add_events(one.plays.back(), one.figure);
  }
  return {std::move(one)};
}

}  // namespace

Plan plan_decode_alone(const PlanInput& input) {
  return steps_alone(input.measured.decode_trace, input.measured.decode_alone_us, "decode_alone_us", input.machine);
}

Plan plan_train_alone(const PlanInput& input) {
  return steps_alone(input.measured.train_trace, input.measured.train_alone_us, "train_alone_us", input.machine);
}

/// `decode` asks for one step, waits for it and sleeps, again and again; `train` in a second process keeps two steps
/// enqueued, waits for both, and so on. The figure is the median of the decode steps.
Plan plan_two_processes(const PlanInput& input) {
  constexpr double limit_pct = 7;
  constexpr std::uint64_t steps = 70;
  constexpr double sleep_us = 3000;
  const auto& measured = input.measured.preemption.two_processes;
  if (!measured || !measured->p50 || !input.measured.decode_trace || !input.measured.train_trace) return {};
  const KinetoTrace& decode = *input.measured.decode_trace;
  const KinetoTrace& train = *input.measured.train_trace;
  auto samples = std::make_shared<Samples>();
  Workload workload;
  workload.name = "two processes";
  KinetoImporter importer(input.machine, workload);
  importer.add(steps_of(decode).front(), "decode");
  importer.add(steps_of(train).front(), "train");
  if (workload.queues.size() != 2 || workload.cpus.size() != 2) {
    throw ConfigError(input.measured.path, "/two_processes", "traces with one stream each",
                      fmt::format("{} streams", workload.queues.size()));
  }
  const std::vector<CpuStep> decode_step = std::exchange(workload.cpus[0].timeline, {});
  const std::vector<CpuStep> train_step = std::exchange(workload.cpus[1].timeline, {});
  const auto wait_for = [&](std::size_t process, const std::string& fence) {
    workload.fences.push_back({fence, 0});
    CpuQueueSignal signal;
    signal.queue = workload.queues[process].name;
    CpuFenceWait wait;
    signal.fence = wait.fence = fence;
    signal.value = wait.value = 1;
    workload.cpus[process].timeline.emplace_back(signal);
    workload.cpus[process].timeline.emplace_back(wait);
  };
  const auto add = [&](std::size_t process, const std::vector<CpuStep>& more) {
    auto& timeline = workload.cpus[process].timeline;
    timeline.insert(timeline.end(), more.begin(), more.end());
  };
  const auto record = [&](const std::string& name) {
    workload.command_lists.push_back({name, command_list_type(workload.queues[0].type), {}});
    CpuExecute execute;
    execute.lists.push_back(name);
    execute.queue = workload.queues[0].name;
    workload.cpus[0].timeline.emplace_back(std::move(execute));
  };
  for (std::uint64_t i = 0; i < steps; ++i) {
    record(fmt::format("before {}", i));
    add(0, decode_step);
    record(fmt::format("after {}", i));
    wait_for(0, fmt::format("decoded {}", i));
    workload.cpus[0].timeline.emplace_back(CpuWork{sleep_us * (1 + static_cast<double>(i % 7) / 7), 0});
    samples->figures.push_back(
        {{Of::list_end, fmt::format("before {}", i)}, {Of::list_end, fmt::format("after {}", i)}});
  }
  const double decode_us = steps * (2 * sleep_us + 3 * step_us(decode));
  const auto train_pairs = static_cast<std::uint64_t>(decode_us / (2 * step_us(train)));
  for (std::uint64_t i = 0; i < train_pairs; ++i) {
    add(1, train_step);
    add(1, train_step);
    wait_for(1, fmt::format("trained {}", i));
  }
  samples->plays.push_back(std::move(workload));
  PlannedCase one;
  one.name = "one step of decode, p50";
  one.pointer = "/two_processes/p50";
  one.measured_us = *measured->p50;
  one.limit_pct = limit_pct;
  one.samples = std::move(samples);
  return {std::move(one)};
}

/// Each step alone, and the whole trace with what the host did between steps.
Plan plan_trace(const PlanInput& input) {
  if (!input.measured.trace) return {};
  const KinetoTrace& trace = *input.measured.trace;
  Plan cases;
  const auto add = [&](const KinetoTrace& part, const std::string& name) {
    PlannedCase one;
    one.name = name;
    one.pointer = "/traceEvents";
    one.measured_us = span_us(part);
    one.limit_pct = steps_limit_pct;
    one.plays.push_back(imported(part, name, input.machine));
    one.figure = {{Of::first_start}, {Of::last_end}};
    cases.push_back(std::move(one));
  };
  const std::vector<KinetoTrace> steps = steps_of(trace);
  for (std::size_t i = 0; i < steps.size(); ++i) add(steps[i], fmt::format("step {}", i + 1));
  if (steps.size() > 1) add(trace, fmt::format("{} steps", steps.size()));
  return cases;
}

}  // namespace fenceline
