// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/cli/sweep/results_file.hpp"

#include <filesystem>
#include <string>

namespace fenceline::cli {

/// Writes repetitions.csv: a row for each combination of a sweep with repetitions; how many there are, how many failed,
/// and of each metric that is a number the smallest, the median, that which 90 % do not exceed, and the largest.
void write_repetitions_csv(const std::filesystem::path& file, const SweepPlan& plan, const ResultsFile& results);

/// The same for people, with median and largest, of at most so many rows.
std::string repetitions_table(const SweepPlan& plan, const ResultsFile& results, std::uint64_t most_rows);

}  // namespace fenceline::cli
