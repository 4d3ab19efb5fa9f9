// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <vector>

namespace fenceline {

/// What the passes of a run took.
struct PassTimes {
  std::uint64_t min_ps = 0;
  std::uint64_t mean_ps = 0;  ///< rounded down
  std::uint64_t max_ps = 0;
};
PassTimes pass_times(const std::vector<std::uint64_t>& passes_ps);  ///< of one pass at least
nlohmann::ordered_json json_of_passes(const std::vector<std::uint64_t>& passes_ps);

}  // namespace fenceline
