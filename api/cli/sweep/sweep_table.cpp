// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/sweep_table.hpp"

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
namespace {

/// With all digits that tell it from others.
std::string exact(const nlohmann::json& value) {
  if (value.is_null()) return "";
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

struct TableColumn {
  std::string above;  ///< first line of its head
  std::string below;
  bool number = true;
  std::vector<std::string> cells = {};
};

std::size_t width_of(const TableColumn& column) {
  std::size_t width = std::max(column.above.size(), column.below.size());
  for (const std::string& cell : column.cells) width = std::max(width, cell.size());
  return width;
}

void append_cell(std::string& line, const std::string& text, const TableColumn& column) {
  const std::size_t width = width_of(column);
  if (!line.empty()) line += "  ";
  line += column.number ? fmt::format("{:>{}}", text, width) : fmt::format("{:<{}}", text, width);
}

/// preemption_p99_us is two lines: preemption, p99_us.
TableColumn head_of(const std::string& metric) {
  const std::size_t cut = metric.front() == '/' ? std::string::npos : metric.find('_');
  if (cut == std::string::npos) return {"", metric};
  return {metric.substr(0, cut), metric.substr(cut + 1)};
}

std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

}  // namespace

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
    for (const nlohmann::json& metric : outcome.metrics) row.text(exact(metric));
    row.end();
    csv.content().end_record();
  });
  csv.commit();
}

std::string table_of(const SweepPlan& plan, const ResultsFile& results, std::uint64_t most_rows) {
  if (results.done() > most_rows) return fmt::format("table        {} rows: see results.csv\n", results.done());
  const Sweep& sweep = plan.sweep();
  std::vector<TableColumn> columns;
  if (sweep.workloads.size() > 1) columns.push_back({"", "workload", false});
  if (sweep.machines.size() > 1) columns.push_back({"", "machine", false});
  for (const std::string& name : plan.axis_names()) columns.push_back({"", name, false});
  for (const Metric& metric : plan.metrics()) columns.push_back(head_of(metric.name));
  if (results.failed() > 0) columns.push_back({"", "error", false});
  results.each([&](const SweepOutcome& outcome) {
    const SweepPoint point = plan.point(outcome.run);
    std::vector<std::string> cells;
    if (sweep.workloads.size() > 1) cells.push_back(stem_of(point.workload));
    if (sweep.machines.size() > 1) cells.push_back(stem_of(point.machine));
    cells.insert(cells.end(), point.values.begin(), point.values.end());
    for (const nlohmann::json& metric : outcome.metrics) cells.push_back(shown_value(metric));
    if (results.failed() > 0) {
      cells.push_back(outcome.error.empty() ? "" : shortened(outcome.status + ": " + outcome.error, 100));
    }
    for (std::size_t i = 0; i < cells.size(); ++i) columns[i].cells.push_back(one_line(cells[i]));
  });
  std::string text;
  const auto add = [&](const auto& cell_of) {
    std::string line;
    for (const TableColumn& column : columns) append_cell(line, cell_of(column), column);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add([](const TableColumn& column) { return column.above; });
  add([](const TableColumn& column) { return column.below; });
  for (std::size_t row = 0; !columns.empty() && row < columns[0].cells.size(); ++row) {
    add([row](const TableColumn& column) { return column.cells[row]; });
  }
  return text;
}

}  // namespace fenceline::cli
