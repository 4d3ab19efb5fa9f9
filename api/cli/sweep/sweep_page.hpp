// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/cli/sweep/results_file.hpp"

#include <filesystem>

namespace fenceline::cli {

/// Writes sweep.html: pictures of the results and a table, in one file that needs no other.
void write_sweep_page(const std::filesystem::path& file, const SweepPlan& plan, const ResultsFile& results);

}  // namespace fenceline::cli
