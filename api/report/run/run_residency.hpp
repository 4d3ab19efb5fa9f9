// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/html/html.hpp"
#include "api/report/run/residency_result.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace fenceline {

class Machine;
struct Program;

/// At the end of the run.
RunResidency residency_of(const Machine& machine, const Program& program);
/// For report.json, `statistics.residency`.
nlohmann::ordered_json json_of(const RunResidency& residency);
/// For timeline.html; none where all was resident all the time.
std::vector<HtmlTable> html_tables_of(const RunResidency& residency);
/// For the summary: what moved, in a line.
std::string line_of(const RunResidency& residency);

}  // namespace fenceline
