// SPDX-License-Identifier: Apache-2.0
#include "tests/api/scenarios/expectations.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace fenceline::testing {
namespace {

using nlohmann::json;

bool column_holds(const json& expected, const std::string& key, const json& found, double tolerance_us) {
  const bool time = key == "start_us" || key == "end_us";
  if (time) return time_holds(expected, found.get<std::uint64_t>(), tolerance_us);
  return expected == found;
}

bool row_holds(const json& expected, const ScenarioLog::Paging& found, double tolerance_us) {
  if (expected.at(0) != found.operation || expected.at(1) != found.resource) return false;
  if (expected.size() < 3) return true;
  for (const auto& column : expected[2].items()) {
    if (!found.columns.contains(column.key())) malformed("paging: " + column.key());
    if (!column_holds(column.value(), column.key(), found.columns[column.key()], tolerance_us)) return false;
  }
  return true;
}

void compare_figures(const json& expected, const json& found, const std::string& of, Broken& broken) {
  for (const auto& [key, value] : expected.items()) {
    if (key == "processes") {
      for (const auto& [process, figures] : value.items()) {
        if (!found.contains("processes") || !found["processes"].contains(process)) {
          broken.push_back(fmt::format("residency: nothing of process {}", process));
        } else {
          compare_figures(figures, found["processes"][process], "process " + process, broken);
        }
      }
      continue;
    }
    const bool time = key == "waited_us";
    const std::string found_key = time ? "waited_ps" : key;
    if (!found.contains(found_key)) {
      broken.push_back(fmt::format("residency: {}: no figure {}", of, key));
      continue;
    }
    const bool good = time ? time_holds(value, found[found_key].get<std::uint64_t>(), 0)
                           : holds(value, found[found_key].get<double>(), 0);
    if (good) continue;
    broken.push_back(
        fmt::format("residency: {}: {}: expected {}, found {}", of, key, value.dump(), found[found_key].dump()));
  }
}

}  // namespace

void check_paging(const json& expected, double tolerance_us, const PlayedFile& played, Broken& broken) {
  const auto& rows = played.log.pagings;
  for (std::size_t i = 0; i < std::max(expected.size(), rows.size()); ++i) {
    if (i < expected.size() && i < rows.size() && row_holds(expected[i], rows[i], tolerance_us)) continue;
    const std::string wanted = i < expected.size() ? expected[i].dump() : "no row";
    const std::string found = i < rows.size()
                                  ? fmt::format("{} {} {}", rows[i].operation, rows[i].resource, rows[i].columns.dump())
                                  : "no row";
    broken.push_back(fmt::format("paging: row {}: expected {}, found {}", i, wanted, found));
  }
}

void check_residency(const json& expected, const PlayedFile& played, Broken& broken) {
  compare_figures(expected, played.residency, "adapter", broken);
}

}  // namespace fenceline::testing
