// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/html/html.hpp"
#include "scheduler/residency/residency_statistics.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace fenceline {

class Machine;
struct Program;

/// What a run had in video memory, and what paging came to (docs/residency.md, rule 22).
struct RunResidency {
  ResidencyStatistics adapter;                           ///< all of it
  std::map<std::string, ResidencyStatistics> processes;  ///< by name, those of the program
  bool paged() const;                                    ///< something moved, or was used in place
};

/// At the end of the run.
RunResidency residency_of(const Machine& machine, const Program& program);
/// For report.json, `statistics.residency`.
nlohmann::ordered_json json_of(const RunResidency& residency);
/// For report.html; none where all was resident all the time.
std::vector<HtmlTable> html_tables_of(const RunResidency& residency);
/// For the summary: what moved, in a line.
std::string line_of(const RunResidency& residency);

}  // namespace fenceline
