// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace fenceline::cli {

/// Puts timeline.html into the directory of a run that has none: plays the run again, beside it, and holds what comes
/// out against its report.json. Where the page is. Throws ConfigError where it is no run of a workload, or comes out
/// differently, and OutputError.
std::filesystem::path add_page(const std::filesystem::path& run);

/// The text of that page of a run, said by its directory or its report.json, where it has one, else as above, without
/// leaving it there. Throws the same, except that a report.json may lie anywhere.
std::string page_text(const std::filesystem::path& run);

}  // namespace fenceline::cli
