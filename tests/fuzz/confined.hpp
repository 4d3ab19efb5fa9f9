// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fenceline::testing {

/// How a process ended that may use 10 s of processor time and 1 GiB of memory.
struct Ended {
  int code = -1;   ///< -1: a signal ended it
  int signal = 0;  ///< SIGXCPU: it used all its time
  long rss_kib = 0;
  std::string err;
};

/// Runs `fenceline ARGUMENTS` in the directory. Nobody reads its standard output.
Ended fenceline_confined(const std::vector<std::string>& arguments, const std::filesystem::path& directory);

}  // namespace fenceline::testing
