// SPDX-License-Identifier: Apache-2.0
#include "sim/fair_share.hpp"

#include <algorithm>
#include <numeric>

namespace fenceline {

std::vector<std::uint64_t> fair_shares(std::uint64_t capacity, const std::vector<ShareRequest>& requests) {
  using Wide = unsigned __int128;
  std::vector<std::size_t> order(requests.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Highest priority first; within one priority those that are easiest to satisfy first.
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const ShareRequest& x = requests[a];
    const ShareRequest& y = requests[b];
    if (x.priority != y.priority) return x.priority > y.priority;
    const Wide left = Wide{x.limit} * y.weight;
    const Wide right = Wide{y.limit} * x.weight;
    return left != right ? left < right : a < b;
  });

  std::vector<std::uint64_t> shares(requests.size());
  for (auto level = order.begin(); level != order.end();) {
    const int priority = requests[*level].priority;
    auto end = std::find_if(level, order.end(), [&](std::size_t i) { return requests[i].priority != priority; });
    Wide weights = 0;
    for (auto i = level; i != end; ++i) weights += requests[*i].weight;
    for (; level != end; ++level) {
      const ShareRequest& request = requests[*level];
      const auto part = static_cast<std::uint64_t>(Wide{capacity} * request.weight / weights);
      shares[*level] = std::min(part, request.limit);
      capacity -= shares[*level];
      weights -= request.weight;
    }
  }
  return shares;
}

}  // namespace fenceline
