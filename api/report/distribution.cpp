// SPDX-License-Identifier: Apache-2.0
#include "api/report/distribution.hpp"

#include <algorithm>
#include <cstddef>

namespace fenceline {
namespace {

/// Rank ceil(percent / 100 * n), counted from 1.
std::uint64_t nearest_rank(const std::vector<std::uint64_t>& sorted, std::size_t percent) {
  const std::size_t rank = (sorted.size() * percent + 99) / 100;
  return sorted[rank - 1];
}

}  // namespace

Distribution distribution_of(std::vector<std::uint64_t> times) {
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  // A million packets that wait 20 s each are beyond 64 bits of picoseconds.
  __extension__ unsigned __int128 sum = 0;
  for (const std::uint64_t time : times) sum += time;
  return {static_cast<std::uint64_t>(sum / times.size()), nearest_rank(times, 50), nearest_rank(times, 90),
          nearest_rank(times, 99), times.back()};
}

}  // namespace fenceline
