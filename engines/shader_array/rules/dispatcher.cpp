// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/dispatcher.hpp"

#include <algorithm>
#include <tuple>

namespace fenceline {

void DispatchEvents::clear() {
  starting.clear();
  ended.clear();
  finished.clear();
  waiting.clear();
  placed.clear();
  foretold.clear();
  halted.clear();
}

void DispatchEvents::sort_ended() {
  std::sort(ended.begin(), ended.end(), [](const Cohort& a, const Cohort& b) {
    return std::tie(a.start, a.grid, a.part) < std::tie(b.start, b.grid, b.part);
  });
}

}  // namespace fenceline
