// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace fenceline::testing {

/// What became of a process that was to be killed.
struct Killed {
  std::uint64_t stops = 0;  ///< system calls begun and ended until then
  std::optional<int> code;  ///< it had ended before
};

/// Runs `fenceline ARGUMENTS` in the directory and kills it (SIGKILL) when it has begun and ended so many system calls
/// in all: what is on the disk changes nowhere else. Nothing where the system does not let processes be traced.
std::optional<Killed> fenceline_killed(const std::vector<std::string>& arguments,
                                       const std::filesystem::path& directory,
                                       std::uint64_t after = std::numeric_limits<std::uint64_t>::max());

}  // namespace fenceline::testing
