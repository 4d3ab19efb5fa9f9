// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/html/html.hpp"
#include "bgproc/background_statistics.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace fenceline {

/// By process.
using BackgroundByProcess = std::map<std::string, BackgroundStatistics>;

/// Without processes that queued no task and executed no pipeline state that can be measured.
BackgroundByProcess with_something_to_tell(BackgroundByProcess background);

/// For report.json, `statistics.background_processing`: an object for each process, with one for each of its pipeline
/// states in `pipelines`.
nlohmann::ordered_json json_of(const BackgroundByProcess& background);

/// For timeline.html: a table of processes, and one of the pipeline states whose variants saved the most, 100 of them.
/// None where there is nothing to tell.
std::vector<HtmlTable> html_tables_of(const BackgroundByProcess& background);

}  // namespace fenceline
