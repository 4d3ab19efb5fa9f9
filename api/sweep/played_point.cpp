// SPDX-License-Identifier: Apache-2.0
#include "api/sweep/played_point.hpp"

#include "api/capture/file/recorded_run.hpp"
#include "api/report/run/outputs.hpp"
#include "api/report/run/run.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config/json_pointer.hpp"
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
OutputKeys outputs_of_sweep(const Sweep& sweep, const std::string& file) {
  OutputKeys keys;
  ConfigErrors errors;
  for (std::size_t i = 0; i < sweep.outputs.size(); ++i) {
    errors.keep([&] { keys.merge(output_names_in(sweep.outputs[i], file, pointer_to("/outputs", i))); });
  }
  errors.throw_any();
  return keys;
}

/// Of each axis one value at least has to be good beside the first ones of the others, for one of the workloads. Of a
/// combination of several it may be that it is not, which is that run's affair. Throws what is wrong with an axis of
/// which none is.
void check_axis(const SweepPlan& plan, std::size_t axis) {
  constexpr std::uint64_t most_tried = 16;
  const std::vector<std::uint64_t>& sizes = plan.sizes();
  std::optional<ConfigError> first;
  std::vector<std::uint64_t> places(sizes.size(), 0);
  for (; places[0] < sizes[0]; ++places[0]) {
    for (places[axis] = 0; places[axis] < std::min(sizes[axis], most_tried); ++places[axis]) {
      try {
        loaded_at(plan, plan.point(plan.run_at(places)));
        return;
      } catch (const ConfigError& error) {
        if (!first) first.emplace(error);
      }
    }
  }
  if (first) throw ConfigError(*first);
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
      options.only = outputs_of_sweep(plan.sweep(), plan.file());
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

SweepPlan checked_sweep(const Sweep& sweep, const std::string& file, const ConfigErrors& found) {
  std::optional<SweepPlan> plan;
  ConfigErrors errors = found;
  errors.keep([&] { plan.emplace(sweep, file, found); });
  errors.keep([&] { outputs_of_sweep(sweep, file); });
  const std::vector<std::string> own = {""};
  bool has_files = true;
  // Each run reads them.
  const auto refuse_standard_input = [&](const std::vector<std::string>& names, const char* key, const char* expected) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != "-") continue;
      errors.add({file, pointer_to(key, i), expected, "standard input"});
      has_files = false;
    }
  };
  refuse_standard_input(sweep.workloads, "/workloads", "a file: each run reads it");
  refuse_standard_input(sweep.machines, "/machines", "a file or a built-in machine: each run reads it");
  for (const std::string& workload : sweep.workloads) {
    for (const std::string& machine : sweep.machines.empty() ? own : sweep.machines) {
      if (workload == "-" || machine == "-") continue;
      has_files = errors.keep([&] { load_workload(workload, machine, {}); }) && has_files;
    }
  }
  // With files of which some are not there, nobody knows what values do.
  std::optional<SweepPlan> axes = plan;
  if (!plan && has_files) {  // what is wrong may be its metrics alone
    Sweep others = sweep;
    others.metrics.clear();
    errors.keep([&] { axes.emplace(others, file, found); });
  }
  for (std::size_t i = 2; axes && has_files && i < axes->sizes().size(); ++i) {
    errors.keep([&] { check_axis(*axes, i); });
  }
  errors.throw_any();
  return *std::move(plan);
}

}  // namespace fenceline
