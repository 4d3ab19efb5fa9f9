// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/sweep/sweep_plan.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace fenceline::cli {

/// A column of a table for people.
struct TableColumn {
  std::string above;  ///< first line of its head
  std::string below;
  bool number = true;  ///< at the right
  std::vector<std::string> cells = {};
};

/// That of a metric: preemption_p99_us is two lines, preemption and p99_us.
TableColumn head_of(const std::string& metric);

/// Those that say which run it is, where there are several: workload, machine, and the first `axes` of the axes.
std::vector<TableColumn> columns_of_axes(const SweepPlan& plan, std::size_t axes);
/// What stands there for a run.
std::vector<std::string> cells_of_axes(const SweepPlan& plan, const SweepPoint& point, std::size_t axes);

/// The table: two lines of heads, then the rows.
std::string text_of(const std::vector<TableColumn>& columns);

}  // namespace fenceline::cli
