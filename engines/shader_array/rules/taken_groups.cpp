// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/taken_groups.hpp"

#include "sim/rounding.hpp"

#include <algorithm>
#include <tuple>

namespace fenceline {

std::uint64_t groups_to_boundary(const Grid& grid, std::uint64_t unplaced) {
  using Wide = unsigned __int128;
  const std::uint64_t groups = grid.groups;
  const std::uint64_t begun = groups - unplaced;
  if (grid.units == 0 || begun == 0) return 0;
  const Wide units = divided_up(Wide{begun} * grid.units, groups);
  const Wide end = divided_up(units * groups, grid.units);
  return static_cast<std::uint64_t>(end) - begun;
}

void share_memory(std::vector<TakenGroups>& taken, const std::map<std::uint32_t, CohortMemory>& broken_off) {
  std::sort(taken.begin(), taken.end(), [](const TakenGroups& a, const TakenGroups& b) {
    return std::tuple(a.cohort, a.saved.instructions, a.saved.overhead, a.saved.cycles) <
           std::tuple(b.cohort, b.saved.instructions, b.saved.overhead, b.saved.cycles);
  });
  std::vector<TakenGroups> odd;
  for (auto first = taken.begin(); first != taken.end() && first->cohort != no_cohort;) {
    const auto end =
        std::find_if(first, taken.end(), [&](const TakenGroups& one) { return one.cohort != first->cohort; });
    const CohortMemory& left = broken_off.at(first->cohort);
    std::uint64_t groups = 0;
    for (auto one = first; one != end; ++one) groups += one->saved.groups;
    for (auto one = first; one != end; ++one) {
      one->saved.bytes = left.bytes / groups;
      one->saved.cycles = std::max(one->saved.cycles, left.cycles);
    }
    if (const std::uint64_t odd_bytes = left.bytes % groups; odd_bytes > 0) {
      odd.push_back(*first);
      odd.back().saved.groups = 1;
      odd.back().saved.bytes += odd_bytes;
      --first->saved.groups;
    }
    first = end;
  }
  taken.insert(taken.end(), odd.begin(), odd.end());
  taken.erase(std::remove_if(taken.begin(), taken.end(), [](const TakenGroups& one) { return one.saved.groups == 0; }),
              taken.end());
}

}  // namespace fenceline
