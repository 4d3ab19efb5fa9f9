// SPDX-License-Identifier: Apache-2.0
// Translations of Kineto traces and of the step times of torch_mix.json.
#include "api/validation/kinds.hpp"
#include "api/validation/measured_steps.hpp"
#include "api/workload/import_kineto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline {
namespace {

using Of = Moment::Of;

constexpr double limit_pct = 2;

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
  one.limit_pct = limit_pct;
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
    one.limit_pct = limit_pct;
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
