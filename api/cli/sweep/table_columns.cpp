// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/table_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fenceline::cli {
namespace {

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

std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

}  // namespace

TableColumn head_of(const std::string& metric) {
  const std::size_t cut = metric.front() == '/' ? std::string::npos : metric.find('_');
  if (cut == std::string::npos) return {"", metric};
  return {metric.substr(0, cut), metric.substr(cut + 1)};
}

std::vector<TableColumn> columns_of_axes(const SweepPlan& plan, std::size_t axes) {
  std::vector<TableColumn> columns;
  if (plan.sweep().workloads.size() > 1) columns.push_back({"", "workload", false});
  if (plan.sweep().machines.size() > 1) columns.push_back({"", "machine", false});
  for (std::size_t i = 0; i < axes; ++i) columns.push_back({"", plan.axis_names()[i], false});
  return columns;
}

std::vector<std::string> cells_of_axes(const SweepPlan& plan, const SweepPoint& point, std::size_t axes) {
  std::vector<std::string> cells;
  if (plan.sweep().workloads.size() > 1) cells.push_back(stem_of(point.workload));
  if (plan.sweep().machines.size() > 1) cells.push_back(stem_of(point.machine));
  cells.insert(cells.end(), point.values.begin(), point.values.begin() + static_cast<std::ptrdiff_t>(axes));
  return cells;
}

std::string text_of(const std::vector<TableColumn>& columns) {
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
