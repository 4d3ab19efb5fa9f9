// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/fair_share.hpp"

#include <algorithm>
#include <numeric>

namespace fenceline {

namespace {

using Wide = unsigned __int128;

/// Highest priority first; within one priority those that are easiest to satisfy first.
bool is_served_before(const ShareRequest& x, const ShareRequest& y) {
  if (x.priority != y.priority) return x.priority > y.priority;
  return Wide{x.limit} * y.weight < Wide{y.limit} * x.weight;
}

/// 128 bits are divided several times more slowly than 64.
std::uint64_t part_of(std::uint64_t capacity, std::uint64_t weight, Wide weights) {
  const Wide product = Wide{capacity} * weight;
  if ((product | weights) >> 64 == 0) return static_cast<std::uint64_t>(product) / static_cast<std::uint64_t>(weights);
  return static_cast<std::uint64_t>(product / weights);
}

}  // namespace

void fair_shares(std::uint64_t capacity, const std::vector<ShareRequest>& requests, std::vector<std::size_t>& order,
                 std::vector<std::uint64_t>& shares) {
  order.resize(requests.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (is_served_before(requests[a], requests[b])) return true;
    return a < b && !is_served_before(requests[b], requests[a]);
  });
  shares.resize(requests.size());
  for (auto level = order.begin(); level != order.end();) {
    const int priority = requests[*level].priority;
    auto end = std::find_if(level, order.end(), [&](std::size_t i) { return requests[i].priority != priority; });
    Wide weights = 0;
    for (auto i = level; i != end; ++i) weights += requests[*i].weight;
    for (; level != end; ++level) {
      const ShareRequest& request = requests[*level];
      const std::uint64_t part = part_of(capacity, request.weight, weights);
      shares[*level] = std::min(part, request.limit);
      capacity -= shares[*level];
      weights -= request.weight;
    }
  }
}

std::vector<std::uint64_t> fair_shares(std::uint64_t capacity, const std::vector<ShareRequest>& requests) {
  std::vector<std::size_t> order;
  std::vector<std::uint64_t> shares;
  fair_shares(capacity, requests, order, shares);
  return shares;
}

}  // namespace fenceline
