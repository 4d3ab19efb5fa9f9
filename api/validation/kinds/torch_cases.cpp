// SPDX-License-Identifier: Apache-2.0
// Translations of Kineto traces and of the step times of torch_mix.json.
#include "api/import/import_kineto.hpp"
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/kinds/torch_mix.hpp"
#include "api/validation/measured/measured_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace fenceline {
namespace {

using Of = Moment::Of;

constexpr double steps_limit_pct = 2;
constexpr std::uint64_t mix_steps = 70;  // asked for, of a mix

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
  auto& timeline = workload.cpus.front().timeline;
  timeline.insert(timeline.begin(), event_on(workload, 0, "event before"));
  timeline.emplace_back(event_on(workload, 0, "event after"));
  figure = {{Of::list_end, "event before"}, {Of::list_end, "event after"}};
}

/// A step alone, the median over these, against the measured median.
PlannedCase alone(std::string name, std::string pointer, double measured_us, const std::vector<KinetoTrace>& steps,
                  const MachineConfig& machine) {
  PlannedCase one;
  one.name = std::move(name);
  one.pointer = std::move(pointer);
  one.measured_us = measured_us;
  one.limit_pct = steps_limit_pct;
  for (const KinetoTrace& step : steps) {
    one.plays.push_back(imported(step, one.name, machine));
    add_events(one.plays.back(), one.figure);
  }
  return one;
}

Plan steps_alone(const std::shared_ptr<const KinetoTrace>& trace, const std::optional<MeasuredSpread>& measured,
                 const char* key, const MachineConfig& machine) {
  if (!trace || !measured || !measured->p50) return {};
  return {alone("one step, p50", fmt::format("/{}/p50", key), *measured->p50, steps_of(*trace), machine)};
}

}  // namespace

Plan plan_decode_alone(const PlanInput& input) {
  return steps_alone(input.measured.decode_trace, input.measured.decode_alone_us, "decode_alone_us", input.machine);
}

Plan plan_train_alone(const PlanInput& input) {
  return steps_alone(input.measured.train_trace, input.measured.train_alone_us, "train_alone_us", input.machine);
}

/// Decode steps while train runs in a second process. The figure is the median of the decode steps.
Plan plan_two_processes(const PlanInput& input) {
  constexpr double limit_pct = 7;
  const auto& measured = input.measured.preemption.two_processes;
  if (!measured || !measured->p50 || !input.measured.decode_trace || !input.measured.train_trace) return {};
  const KinetoTrace& decode = *input.measured.decode_trace;
  const KinetoTrace& train = *input.measured.train_trace;
  const double decode_us = mix_steps * (2 * TorchMix::sleep_us + 3 * step_us(decode));
  const std::uint64_t train_steps = 2 * static_cast<std::uint64_t>(decode_us / (2 * step_us(train)));
  TorchMix mix(input.measured.path, input.machine, {decode, train, mix_steps, train_steps}, "decode", "train");
  auto samples = std::make_shared<Samples>();
  samples->plays.push_back(std::move(mix.workload));
  samples->figures = std::move(mix.asked);
  return {sampled("one step of decode, p50", "/two_processes/p50", *measured->p50, limit_pct, std::move(samples))};
}

namespace {

constexpr double pair_limit_pct = 7;
constexpr double pair_us = 300'000;  // that a pair is played for, if that is 7 asked steps or more

/// Null where no job has the name, or its trace was not read.
std::shared_ptr<const KinetoTrace> trace_of(const MeasuredTorch& torch, const std::string& name) {
  const auto job = std::find_if(torch.jobs.begin(), torch.jobs.end(), [&](const auto& one) { return one.job == name; });
  return job != torch.jobs.end() ? job->trace : nullptr;
}

/// Two cases of one play: the median of the asked steps, and that of the kept ones that the asked ones are beside.
void add_pair(Plan& cases, const MeasuredTorchPair& pair, const std::string& pointer, const PlanInput& input) {
  constexpr double surely_beside = 0.8;
  constexpr double surely_enough = 1.6;
  constexpr double most_kept_steps = 400;  // whatever a file says
  const std::shared_ptr<const KinetoTrace> asked = trace_of(input.measured.torch, pair.asked);
  const std::shared_ptr<const KinetoTrace> kept = trace_of(input.measured.torch, pair.kept);
  if (!pair.asked_us.p50 || !pair.kept_us.p50 || !asked || !kept) return;
  const double asked_us = TorchMix::mean_sleep_us + *pair.asked_us.p50;
  const auto asked_steps = static_cast<std::uint64_t>(std::max(std::round(pair_us / asked_us), 7.0));
  const double kept_steps =
      std::min(most_kept_steps, static_cast<double>(asked_steps) * asked_us / std::max(*pair.kept_us.p50, 1.0));
  const auto enough = static_cast<std::uint64_t>(std::ceil(kept_steps * surely_enough));
  TorchMix mix(input.measured.path, input.machine, {*asked, *kept, asked_steps, enough, TorchMix::Kept::overlapping},
               "asked", "kept");
  const bool high = pair.priority == TorchPriority::high;
  mix.share_process(high ? QueuePriority::high : QueuePriority::normal);
  const auto beside = static_cast<std::size_t>(std::max(1.0, kept_steps * surely_beside));
  mix.kept.resize(std::min(mix.kept.size(), beside));
  auto samples = std::make_shared<Samples>();
  samples->plays.push_back(std::move(mix.workload));
  samples->figures = mix.asked;
  samples->figures.insert(samples->figures.end(), mix.kept.begin(), mix.kept.end());
  const auto add = [&](const char* key, const std::string& job, double measured_us, std::size_t first,
                       std::size_t count) {
    PlannedCase one = sampled(fmt::format("{} beside {}{}, {}", pair.asked, pair.kept, high ? ", high" : "", job),
                              fmt::format("{}/{}/p50", pointer, key), measured_us, pair_limit_pct, samples);
    one.first_sample = first;
    one.sample_count = count;
    cases.push_back(std::move(one));
  };
  add("asked_us", pair.asked, *pair.asked_us.p50, 0, mix.asked.size());
  add("kept_us", pair.kept, *pair.kept_us.p50, mix.asked.size(), mix.kept.size());
}

Plan plan_pairs(const PlanInput& input, bool kept_out) {
  return plan_rows(input.measured.torch.pairs, "torch_pairs",
                   [&](Plan& cases, const MeasuredTorchPair& pair, const std::string& pointer) {
                     if (pair.kept_out == kept_out) add_pair(cases, pair, pointer, input);
                   });
}

}  // namespace

Plan plan_torch_jobs(const PlanInput& input) {
  return plan_rows(input.measured.torch.jobs, "torch_jobs",
                   [&](Plan& cases, const MeasuredTorchJob& job, const std::string& pointer) {
                     if (!job.asked_us.p50 || !job.trace) return;
                     cases.push_back(alone(job.job + " alone", pointer + "/asked_us/p50", *job.asked_us.p50,
                                           {median_step(*job.trace)}, input.machine));
                   });
}

Plan plan_torch_pairs(const PlanInput& input) { return plan_pairs(input, false); }
Plan plan_torch_pairs_kept_out(const PlanInput& input) { return plan_pairs(input, true); }

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
    one.figure = {{Of::first_command}, {Of::last_command_end}};
    cases.push_back(std::move(one));
  };
  const std::vector<KinetoTrace> steps = steps_of(trace);
  for (std::size_t i = 0; i < steps.size(); ++i) add(steps[i], fmt::format("step {}", i + 1));
  if (steps.size() > 1) add(trace, fmt::format("{} steps", steps.size()));
  return cases;
}

}  // namespace fenceline
