// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fenceline {

/// One user's wish for a shared bandwidth.
struct ShareRequest {
  int priority = 0;          ///< a higher one is served in full before a lower one gets anything
  std::uint64_t weight = 1;  ///< > 0; users of one priority get parts in this proportion
  std::uint64_t limit = 0;   ///< more than this the user cannot take, bytes/s
};

/// Weighted max-min fair shares of `capacity` bytes/s, in the order of `requests`: whoever needs less than its part
/// keeps its need, the rest is split again. Integers: the shares add up to min(capacity, sum of limits) exactly.
std::vector<std::uint64_t> fair_shares(std::uint64_t capacity, const std::vector<ShareRequest>& requests);
/// Weighted max-min fair shares, into `shares`, which like the scratch `order` keeps its storage from call to call.
void fair_shares(std::uint64_t capacity, const std::vector<ShareRequest>& requests, std::vector<std::size_t>& order,
                 std::vector<std::uint64_t>& shares);

}  // namespace fenceline
