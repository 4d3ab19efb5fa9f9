// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/html/html.hpp"
#include "shadercache/implicit/pipeline_creations.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace fenceline {

/// What creating pipeline states came to, by process.
using CreationByProcess = std::map<std::string, CreationStatistics>;

/// For report.json, `statistics.pipeline_creation`: an object for each process.
nlohmann::ordered_json json_of(const CreationByProcess& creation);

/// For timeline.html; none where there is nothing to tell.
std::vector<HtmlTable> html_tables_of(const CreationByProcess& creation);

}  // namespace fenceline
