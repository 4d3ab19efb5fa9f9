// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/dispatcher.hpp"

#include <algorithm>

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
  std::sort(ended.begin(), ended.end(),
            [](const Cohort& a, const Cohort& b) { return a.start != b.start ? a.start < b.start : a.grid < b.grid; });
}

}  // namespace fenceline
