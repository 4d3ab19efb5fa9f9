// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/cohorts.hpp"

#include "engines/shader_array/rules/taken_groups.hpp"

#include <algorithm>
#include <tuple>

namespace fenceline {

std::uint32_t Cohorts::join(std::uint32_t grid, std::optional<std::uint32_t> part, std::uint64_t cycle,
                            std::uint64_t groups) {
  auto mine = std::find_if(placed_.begin(), placed_.end(), [&](std::uint32_t cohort) {
    return cohorts_[cohort].grid == grid && cohorts_[cohort].part == part;
  });
  if (mine == placed_.end()) mine = placed_.insert(mine, cohorts_.add({grid, cycle, 0, 0, 0, 0, part}));
  Cohort& cohort = cohorts_[*mine];
  cohort.groups += groups;
  cohort.running += groups;
  return *mine;
}

void Cohorts::leave(std::uint32_t index, std::uint64_t groups, std::uint64_t end, std::vector<Cohort>& ended) {
  if (index == no_cohort) return;
  Cohort& cohort = cohorts_[index];
  cohort.running -= groups;
  cohort.end = std::max(cohort.end, end);
  if (cohort.running > 0) return;
  ended.push_back(cohort);
  cohorts_.remove(index);
}

void Cohorts::start(const Slots<GridState>& grids, std::vector<std::uint32_t>& starting) {
  if (placed_.empty()) return;
  for (const std::uint32_t cohort : placed_) {
    if (cohorts_[cohort].bytes > 0) starting.push_back(cohort);
  }
  placed_.clear();
  std::sort(starting.begin(), starting.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Cohort& one = cohorts_[a];
    const Cohort& other = cohorts_[b];
    return std::tie(grids[one.grid].number, one.part) < std::tie(grids[other.grid].number, other.part);
  });
}

}  // namespace fenceline
