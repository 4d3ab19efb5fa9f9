// SPDX-License-Identifier: Apache-2.0
#include "api/workload/replay/fence_history.hpp"

#include <algorithm>

namespace fenceline {

void FenceHistory::signal(std::uint64_t value, std::size_t events) {
  fell_ = fell_ || value < changes_.back().value;
  changes_.push_back({value, events});
}

std::optional<std::size_t> FenceHistory::reached(std::uint64_t value, std::size_t changes) const {
  auto first = changes_.begin();
  if (!fell_) {
    first = std::lower_bound(first, changes_.end(), value,
                             [](const Change& change, std::uint64_t wanted) { return change.value < wanted; });
  } else {
    first += static_cast<std::ptrdiff_t>(changes - 1);  // where it stood then
    first = std::find_if(first, changes_.end(), [value](const Change& change) { return change.value >= value; });
  }
  if (first == changes_.end()) return {};
  return first->events;
}

std::uint64_t FenceHistory::highest() const {
  const auto below = [](const Change& a, const Change& b) { return a.value < b.value; };
  return std::max_element(changes_.begin(), changes_.end(), below)->value;
}

}  // namespace fenceline
