// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

class ConfigErrors;

/// Where a swap chain of a program presents to.
struct ProgramScreen {
  std::string name;                         ///< of the swap chain: its queue's, where it is the queue's own
  std::uint32_t queue = 0;                  ///< that presents to it
  std::string output;                       ///< empty: the primary one
  std::optional<std::uint32_t> compositor;  ///< the swap chain that takes its frames; unset: they are flipped
};

/// Of each queue's own swap chain, then of each of the workload's others. `errors` has what is wrong with them.
std::vector<ProgramScreen> screens_of(const Workload& workload, const std::string& file, ConfigErrors& errors);

}  // namespace fenceline
