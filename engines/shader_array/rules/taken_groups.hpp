// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/progress.hpp"
#include "engines/shader_array/rules/dispatcher.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace fenceline {

/// A group that belongs to no cohort: nobody waits for its memory or looks at its wave.
constexpr std::uint32_t no_cohort = ~std::uint32_t{0};

/// Groups that lose their places.
struct TakenGroups {
  std::uint32_t cohort;  ///< whose memory accesses are under way, or no_cohort
  SavedGroups saved;
};

/// Of a grid that is halted at level `group`: groups without a place that belong to a triangle of which others have had
/// one, and so get places still.
std::uint64_t groups_to_boundary(const Grid& grid, std::uint64_t unplaced);

/// Bytes that a cohort has not moved are its groups' in equal parts; one group takes what does not divide.
void share_memory(std::vector<TakenGroups>& taken, const std::map<std::uint32_t, CohortMemory>& broken_off);

}  // namespace fenceline
