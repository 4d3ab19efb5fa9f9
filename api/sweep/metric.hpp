// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fenceline {

/// What a metric with a name is taken from: a pointer into report.json, in which `*` is each of a list's elements.
struct MetricRow {
  enum class Combine { sum, largest, count };
  enum class Unit { plain, us, percent, per_second };  ///< of picoseconds, parts, or things in picoseconds
  const char* name;
  const char* what;     ///< for --help
  const char* pointer;  ///< into statistics
  Unit unit = Unit::plain;
  const char* per = nullptr;       ///< pointer of what it is divided by; null: nothing. 0 of 0 is 0
  Combine combine = Combine::sum;  ///< of what `*` finds
  bool more_is_better = false;     ///< of throughput and the like
};
/// All there are, in the order of --help.
const std::vector<MetricRow>& metric_rows();
/// What a sweep has that names none.
const std::vector<std::string>& usual_metrics();

/// A column of results.
struct Metric {
  std::string name;                ///< of the column
  const MetricRow* row = nullptr;  ///< null: pointer
  std::vector<std::string> which;  ///< what `*` stands for alone, the first that there is; none: all
  std::string pointer;             ///< into report.json
};
/// What these texts mean: a name, name:WHICH or name:WHICH|ELSE, /pointer, and each of these behind NAME=. Throws
/// ConfigError, which names `file` and the place in /metrics.
std::vector<Metric> metrics_named(const std::vector<std::string>& texts, const std::string& file);

/// Names that reports have in a list of their statistics ("queues", "engines", "deadlines"), as they stand there.
using ReportNames = std::map<std::string, std::set<std::string>>;
/// Throws ConfigError where a metric asks for one of such a list that no report has.
void check_which(const std::vector<Metric>& metrics, const ReportNames& names, const std::string& file);

/// The number, or text, that a report has there; null where it has none. An element of a list goes by its index, or by
/// its first text, or that behind the last dot: /statistics/queues/compositor/running_ps.
nlohmann::json value_of(const Metric& metric, const nlohmann::ordered_json& report);

}  // namespace fenceline
