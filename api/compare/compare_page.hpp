// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/compare/run_difference.hpp"

#include <filesystem>
#include <string>

namespace fenceline {

/// A page that needs no network: what is different, and both runs' timelines above each other, on one axis, of which
/// each shows what the other one is zoomed to. `one` and `other` are the texts of their pages (timeline.html). Of each
/// kind of difference it has the first 200. Throws OutputError where it cannot be written; a file of the runs is
/// never written over.
void write_compare_page(const std::filesystem::path& file, const RunDifference& difference, const std::string& one,
                        const std::string& other);

}  // namespace fenceline
