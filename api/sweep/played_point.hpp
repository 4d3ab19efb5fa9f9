// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/run/output_keys.hpp"
#include "api/sweep/sweep_plan.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fenceline {

/// What came of one run of a sweep.
struct SweepOutcome {
  std::uint64_t run = 0;
  std::string
      status;  ///< `done`; else `deadlock`, `limit`, `bugcheck`, or, without metrics, `wrong_input`, `error`, `crashed`
  std::string error;                    ///< one line; empty: done
  std::vector<nlohmann::json> metrics;  ///< of the plan's; none where the run has none
};

/// Plays a run of a sweep. With outputs it leaves a run directory, runs/NUMBER in `directory`. What goes wrong is the
/// outcome's; throws nothing but std::bad_alloc.
SweepOutcome play_point(const SweepPlan& plan, std::uint64_t run, const std::filesystem::path& directory);

/// Where a run with outputs is, below the sweep's directory.
std::string run_directory_of(std::uint64_t run);

/// The plan of a sweep that can be played: its workloads and machines are there, and of each axis some value fits them.
/// Throws ConfigError with all that is wrong, what its reader `found` among it. Plays nothing.
SweepPlan checked_sweep(const Sweep& sweep, const std::string& file, const ConfigErrors& found = {});

}  // namespace fenceline
