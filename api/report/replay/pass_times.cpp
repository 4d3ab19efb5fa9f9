// SPDX-License-Identifier: Apache-2.0
#include "api/report/replay/pass_times.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace fenceline {

PassTimes pass_times(const std::vector<std::uint64_t>& passes_ps) {
  const auto [least, most] = std::minmax_element(passes_ps.begin(), passes_ps.end());
  // They follow each other in simulated time, so that their sum is one.
  const std::uint64_t sum = std::accumulate(passes_ps.begin(), passes_ps.end(), std::uint64_t{0});
  return {*least, sum / passes_ps.size(), *most};
}

nlohmann::ordered_json json_of_passes(const std::vector<std::uint64_t>& passes_ps) {
  const PassTimes times = pass_times(passes_ps);
  return {{"count", passes_ps.size()},
          {"min_ps", times.min_ps},
          {"mean_ps", times.mean_ps},
          {"max_ps", times.max_ps},
          {"times_ps", passes_ps}};
}

}  // namespace fenceline
