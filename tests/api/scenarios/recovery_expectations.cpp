// SPDX-License-Identifier: Apache-2.0
#include "tests/api/scenarios/expectations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace fenceline::testing {

using nlohmann::json;

namespace {

bool row_holds(const json& expected, const ScenarioLog::Recovery& found, double tolerance_us) {
  if (expected.at(1) != found.step || !time_holds(expected.at(0), found.at_ps, tolerance_us)) return false;
  if (expected.size() < 3) return true;
  const json& columns = expected.at(2);
  return std::all_of(columns.items().begin(), columns.items().end(), [&](const auto& column) {
    if (!found.columns.contains(column.key())) malformed("recovery: " + column.key());
    const json& value = found.columns[column.key()];
    if (column.value().is_number() || column.value().is_array()) {
      return value.is_number() && holds(column.value(), value.template get<double>(), 0);
    }
    return column.value() == value;
  });
}

}  // namespace

void check_recovery(const json& expected, double tolerance_us, const PlayedFile& played, Broken& broken) {
  const std::vector<ScenarioLog::Recovery>& rows = played.log.recoveries;
  for (std::size_t i = 0; i < std::max(expected.size(), rows.size()); ++i) {
    const bool good = i < expected.size() && i < rows.size() && row_holds(expected[i], rows[i], tolerance_us);
    if (good) continue;
    const std::string wanted = i < expected.size() ? expected[i].dump() : "no more";
    const std::string found = i < rows.size() ? fmt::format("[{}, {}, {}]", static_cast<double>(rows[i].at_ps) / 1e6,
                                                            rows[i].step, rows[i].columns.dump())
                                              : "no more";
    broken.push_back(fmt::format("recovery: row {}: expected {}, found {}", i, wanted, found));
  }
}

}  // namespace fenceline::testing
