// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/cli/sweep/results_file.hpp"

#include <filesystem>
#include <string>

namespace fenceline::cli {

/// Writes results.csv: a row for each run, in their order.
void write_results_csv(const std::filesystem::path& file, const SweepPlan& plan, const ResultsFile& results);

/// The rows as a table for people, of at most so many runs; of more a line that says where they are.
std::string table_of(const SweepPlan& plan, const ResultsFile& results, std::uint64_t most_rows);

/// A number or text with all digits that tell it from others.
std::string exact_value(const nlohmann::json& value);
/// How tables show a number or text.
std::string shown_value(const nlohmann::json& value);

}  // namespace fenceline::cli
