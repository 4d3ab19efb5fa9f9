// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fenceline::cli {

/// What a program said, and how it ended.
struct CommandOutput {
  bool went_well = false;  ///< exit code 0
  std::string text;        ///< of its standard output
  std::string errors;      ///< of its standard error, in one line
};

/// Runs a program of the PATH, without standard input, up to its end. Throws std::system_error where it cannot be
/// started.
CommandOutput output_of(const std::vector<std::string>& command);

}  // namespace fenceline::cli
