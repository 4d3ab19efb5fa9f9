// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/load/workload_file.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace fenceline::testing {

/// A workload of tests/knobs or configs/workloads on its machine, with what is set beside its file.
struct Scenario {
  std::string name;
  std::string workload;  ///< seen from the source directory
  std::vector<std::string> sets;
};

/// Those of tests/knobs/scenarios.json, in its order.
std::vector<Scenario> scenarios();

LoadedWorkload load(const Scenario& scenario, const std::vector<std::string>& more = {});

/// What a run shows: report.json's statistics, packets.csv, and the warnings of its log. A ConfigError is not caught.
/// Rules are not checked: a scheduler that was told to give up soon (rounds_without_progress) breaks them.
std::string result_of(const LoadedWorkload& loaded);

/// Both effective configurations as one document, addressed as `--set` does: the machine's keys, and `workload`.
nlohmann::ordered_json effective(const LoadedWorkload& loaded);

}  // namespace fenceline::testing
