// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fenceline {

/// Many times in a few numbers. A percentile is the nearest rank: the smallest time such that at least that share of
/// them is no longer, always one that did occur. All 0 without times.
struct Distribution {
  std::uint64_t mean_ps;  ///< rounded down
  std::uint64_t p50_ps;   ///< half of them are not above it
  std::uint64_t p90_ps;   ///< 90 %
  std::uint64_t p99_ps;   ///< 99 %
  std::uint64_t max_ps;   ///< the highest
};

Distribution distribution_of(std::vector<std::uint64_t> times);

}  // namespace fenceline
