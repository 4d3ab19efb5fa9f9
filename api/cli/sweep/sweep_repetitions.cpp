// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/sweep_repetitions.hpp"

#include "api/cli/sweep/sweep_table.hpp"
#include "api/cli/sweep/table_columns.hpp"
#include "api/report/csv_row.hpp"
#include "sim/config_error.hpp"
#include "sim/files/whole_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace fenceline::cli {
namespace {

using nlohmann::json;

/// What repetitions of one combination came to.
struct Repetitions {
  SweepPoint first;
  std::uint64_t runs = 0;
  std::uint64_t failed = 0;
  std::vector<std::vector<json>> metrics;  ///< of each the numbers, ascending
};

/// The smallest of which so many percent are not above it. null: there are none.
json percentile(const std::vector<json>& ascending, std::size_t percent) {
  if (ascending.empty()) return nullptr;
  const std::size_t rank = (ascending.size() * percent + 99) / 100;
  return ascending[std::max<std::size_t>(rank, 1) - 1];
}

void each_combination(const SweepPlan& plan, const ResultsFile& results,
                      const std::function<void(const Repetitions&)>& visit) {
  Repetitions now;
  const auto end = [&] {
    if (now.runs == 0) return;
    for (std::vector<json>& values : now.metrics) std::sort(values.begin(), values.end());
    visit(now);
  };
  std::uint64_t at = 0;
  results.each([&](const SweepOutcome& outcome) {
    const std::uint64_t combination = outcome.run / plan.repetitions();
    if (now.runs == 0 || combination != at) {
      end();
      now = {plan.point(outcome.run), 0, 0, std::vector<std::vector<json>>(plan.metrics().size())};
      at = combination;
    }
    ++now.runs;
    if (outcome.status != "done") ++now.failed;
    for (std::size_t i = 0; i < outcome.metrics.size(); ++i) {
      if (outcome.metrics[i].is_number()) now.metrics[i].push_back(outcome.metrics[i]);
    }
  });
  end();
}

constexpr std::pair<const char*, std::size_t> told[] = {{"least", 0}, {"p50", 50}, {"p90", 90}, {"most", 100}};

}  // namespace

void write_repetitions_csv(const std::filesystem::path& file, const SweepPlan& plan, const ResultsFile& results) {
  const std::size_t axes = plan.axis_names().size() - 1;  // without the seed
  WholeFile csv(file);
  fmt::memory_buffer& buffer = csv.content().buffer();
  CsvRow head(buffer);
  for (const char* name : {"workload", "machine"}) head.text(name);
  for (std::size_t i = 0; i < axes; ++i) head.text(plan.axis_names()[i]);
  for (const char* name : {"runs", "failed"}) head.text(name);
  for (const Metric& metric : plan.metrics()) {
    for (const auto& [name, percent] : told) head.text(fmt::format("{} {}", metric.name, name));
  }
  head.end();
  each_combination(plan, results, [&](const Repetitions& one) {
    CsvRow row(buffer);
    row.text(one.first.workload).text(one.first.machine);
    for (std::size_t i = 0; i < axes; ++i) row.text(one.first.values[i]);
    row.integer(one.runs).integer(one.failed);
    for (const std::vector<json>& values : one.metrics) {
      for (const auto& [name, percent] : told) row.text(exact_value(percentile(values, percent)));
    }
    row.end();
    csv.content().end_record();
  });
  csv.commit();
}

std::string repetitions_table(const SweepPlan& plan, const ResultsFile& results, std::uint64_t most_rows) {
  const std::uint64_t rows = (results.done() + plan.repetitions() - 1) / plan.repetitions();
  if (rows > most_rows) return fmt::format("table        {} rows: see repetitions.csv\n", rows);
  const std::size_t axes = plan.axis_names().size() - 1;
  std::vector<TableColumn> columns = columns_of_axes(plan, axes);
  columns.push_back({"", "runs"});
  for (const Metric& metric : plan.metrics()) {
    columns.push_back({metric.name, "p50"});
    columns.push_back({"", "most"});
  }
  if (results.failed() > 0) columns.push_back({"", "failed"});
  each_combination(plan, results, [&](const Repetitions& one) {
    std::vector<std::string> cells = cells_of_axes(plan, one.first, axes);
    cells.push_back(fmt::format("{}", one.runs));
    for (const std::vector<json>& values : one.metrics) {
      cells.push_back(shown_value(percentile(values, 50)));
      cells.push_back(shown_value(percentile(values, 100)));
    }
    if (results.failed() > 0) cells.push_back(fmt::format("{}", one.failed));
    for (std::size_t i = 0; i < cells.size(); ++i) columns[i].cells.push_back(one_line(cells[i]));
  });
  return text_of(columns);
}

}  // namespace fenceline::cli
