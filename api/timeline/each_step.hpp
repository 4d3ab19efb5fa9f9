// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/timeline/timeline.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace fenceline {

/// `visit(step, pointer)` for each step of the timeline, those of repeats once.
template <class Visit>
void for_each_step(const Timeline& timeline, const Visit& visit) {
  for (std::size_t block = 0; block < timeline.blocks.size(); ++block) {
    const StepBlock& steps = timeline.blocks[block];
    const std::string at = fmt::format("{}/{}", timeline.pointer, block);
    for (std::size_t i = 0; i < steps.steps.size(); ++i) {
      visit(steps.steps[i], steps.repeat ? fmt::format("{}/steps/{}", at, i) : at);
    }
  }
}

}  // namespace fenceline
