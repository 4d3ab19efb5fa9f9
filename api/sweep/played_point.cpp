// SPDX-License-Identifier: Apache-2.0
#include "api/sweep/played_point.hpp"

#include "api/capture/file/recorded_run.hpp"
#include "api/report/run/outputs.hpp"
#include "api/report/run/run.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config_error.hpp"
#include "sim/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>

namespace fenceline {
namespace {

constexpr std::size_t longest_error = 400;

LoadedWorkload loaded_at(const SweepPlan& plan, const SweepPoint& point) {
  return load_workload(point.workload, point.machine, plan.sets(point));
}

/// The outputs that a sweep names.
OutputKeys outputs_of_sweep(const SweepPlan& plan) {
  OutputKeys keys;
  for (std::size_t i = 0; i < plan.sweep().outputs.size(); ++i) {
    keys.merge(output_names_in(plan.sweep().outputs[i], plan.file()));
  }
  return keys;
}

void tell_end(const RunResult& result, SweepOutcome& outcome) {
  if (!result.bugcheck.empty()) {
    outcome.status = "bugcheck";
    outcome.error = result.bugcheck;
  } else if (!result.unfinished.empty()) {
    outcome.status = "limit";
    outcome.error = result.unfinished[0];
  } else if (!result.completed) {
    outcome.status = "deadlock";
    outcome.error = result.deadlock.empty() ? "something waits for ever" : result.deadlock[0];
  } else {
    outcome.status = "done";
  }
  outcome.error = shortened(outcome.error, longest_error);
}

}  // namespace

std::string run_directory_of(std::uint64_t run) { return fmt::format("runs/{:06}", run); }

SweepOutcome play_point(const SweepPlan& plan, std::uint64_t run, const std::filesystem::path& directory) {
  SweepOutcome outcome;
  outcome.run = run;
  const auto told = [&](const char* status, const char* what) {
    outcome.status = status;
    outcome.error = shortened(what, longest_error);
    outcome.metrics.clear();
  };
  try {
    const LoadedWorkload loaded = loaded_at(plan, plan.point(run));
    RunOptions options;
    if (loaded.recorded) play_as(loaded.recorded->how, options);
    if (plan.sweep().limit_us > 0) options.limit_ps = ps_of_us(plan.sweep().limit_us);
    if (!plan.sweep().outputs.empty()) {
      options.only = outputs_of_sweep(plan);
      options.directory = directory / run_directory_of(run);
    }
    RunResult result;
    nlohmann::ordered_json report;
    run_workload(loaded, options, result, &report);
    tell_end(result, outcome);
    for (const Metric& metric : plan.metrics()) outcome.metrics.push_back(value_of(metric, report));
  } catch (const ConfigError& error) {
    told("wrong_input", error.what());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    told("error", error.what());
  }
  return outcome;
}

void check_sweep(const SweepPlan& plan) {
  outputs_of_sweep(plan);
  const Sweep& sweep = plan.sweep();
  const std::vector<std::string> own = {""};
  for (const std::string& workload : sweep.workloads) {
    for (const std::string& machine : sweep.machines.empty() ? own : sweep.machines)
      load_workload(workload, machine, {});
  }
  // Of each axis one value at least has to be good beside the first ones of the others, for one of the workloads. Of a
  // combination of several it may be that it is not, which is that run's affair.
  constexpr std::uint64_t most_tried = 16;
  const std::vector<std::uint64_t>& sizes = plan.sizes();
  for (std::size_t i = 2; i < sizes.size(); ++i) {
    std::optional<ConfigError> first;
    bool good = false;
    std::vector<std::uint64_t> places(sizes.size(), 0);
    for (; places[0] < sizes[0] && !good; ++places[0]) {
      for (places[i] = 0; places[i] < std::min(sizes[i], most_tried) && !good; ++places[i]) {
        try {
          loaded_at(plan, plan.point(plan.run_at(places)));
          good = true;
        } catch (const ConfigError& error) {
          if (!first) first.emplace(error);
        }
      }
    }
    if (!good && first) throw ConfigError(*first);
  }
}

}  // namespace fenceline
