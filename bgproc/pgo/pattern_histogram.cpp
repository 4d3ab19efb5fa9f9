// SPDX-License-Identifier: Apache-2.0
#include "bgproc/pgo/pattern_histogram.hpp"

#include <algorithm>

namespace fenceline {

void PatternHistogram::add(PatternKey pattern, std::uint64_t executions) {
  all_ += executions;
  const auto at = std::find_if(counts_.begin(), counts_.end(), [&](const auto& one) { return one.first == pattern; });
  if (at != counts_.end()) {
    at->second += executions;
  } else if (counts_.size() < most_patterns) {
    counts_.emplace_back(pattern, executions);
  }
}

void PatternHistogram::clear() {
  counts_.clear();
  all_ = 0;
}

SteadyPattern PatternHistogram::steadiest() const {
  if (all_ == 0) return {};
  const auto most = std::max_element(counts_.begin(), counts_.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return {most->first, static_cast<double>(most->second) / static_cast<double>(all_)};
}

}  // namespace fenceline
