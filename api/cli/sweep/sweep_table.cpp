// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/sweep_table.hpp"

#include "api/cli/sweep/table_columns.hpp"
#include "api/report/csv_row.hpp"
#include "sim/config_error.hpp"
#include "sim/files/whole_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace fenceline::cli {

std::string exact_value(const nlohmann::json& value) {
  if (value.is_null()) return "";
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string shown_value(const nlohmann::json& value) {
  if (value.is_null()) return "-";
  if (value.is_number_float()) return fmt::format("{:.3f}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void write_results_csv(const std::filesystem::path& file, const SweepPlan& plan, const ResultsFile& results) {
  WholeFile csv(file);
  fmt::memory_buffer& buffer = csv.content().buffer();
  CsvRow head(buffer);
  for (const char* name : {"run", "workload", "machine"}) head.text(name);
  for (const std::string& name : plan.axis_names()) head.text(name);
  for (const char* name : {"status", "error"}) head.text(name);
  for (const Metric& metric : plan.metrics()) head.text(metric.name);
  head.end();
  results.each([&](const SweepOutcome& outcome) {
    const SweepPoint point = plan.point(outcome.run);
    CsvRow row(buffer);
    row.integer(point.run).text(point.workload).text(point.machine);
    for (const std::string& value : point.values) row.text(value);
    row.text(outcome.status).text(outcome.error);
    for (const nlohmann::json& metric : outcome.metrics) row.text(exact_value(metric));
    row.end();
    csv.content().end_record();
  });
  csv.commit();
}

std::string table_of(const SweepPlan& plan, const ResultsFile& results, std::uint64_t most_rows) {
  if (results.done() > most_rows) return fmt::format("table        {} rows: see results.csv\n", results.done());
  std::vector<TableColumn> columns = columns_of_axes(plan, plan.axis_names().size());
  for (const Metric& metric : plan.metrics()) columns.push_back(head_of(metric.name));
  if (results.failed() > 0) columns.push_back({"", "error", false});
  results.each([&](const SweepOutcome& outcome) {
    const SweepPoint point = plan.point(outcome.run);
    std::vector<std::string> cells = cells_of_axes(plan, point, plan.axis_names().size());
    for (const nlohmann::json& metric : outcome.metrics) cells.push_back(shown_value(metric));
    if (results.failed() > 0) {
      cells.push_back(outcome.error.empty() ? "" : shortened(outcome.status + ": " + outcome.error, 100));
    }
    for (std::size_t i = 0; i < cells.size(); ++i) columns[i].cells.push_back(one_line(cells[i]));
  });
  return text_of(columns);
}

}  // namespace fenceline::cli
