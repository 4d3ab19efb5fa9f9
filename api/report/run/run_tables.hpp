// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/html/html.hpp"
#include "api/report/run/deadlines.hpp"
#include "api/report/run/run_preemption.hpp"
#include "bgproc/background_statistics.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace fenceline {

/// By process.
using BackgroundByProcess = std::map<std::string, BackgroundStatistics>;

/// Preemption, deadlines and background processing for report.json.
nlohmann::ordered_json json_of(const RunPreemption& preemption);
nlohmann::ordered_json json_of(const std::vector<DeadlineResult>& deadlines);

nlohmann::ordered_json json_of(const BackgroundByProcess& background);

/// The same for report.html; no table where there is nothing to tell.
std::vector<HtmlTable> html_tables_of(const RunPreemption& preemption, const std::vector<DeadlineResult>& deadlines,
                                      const BackgroundByProcess& background);

}  // namespace fenceline
