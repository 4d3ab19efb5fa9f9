// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/grid_state.hpp"
#include "sim/slots.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// Cohorts whose groups run, by index; callers keep the index with each group, `no_cohort` for those of none.
class Cohorts {
 public:
  /// The one of the groups of that grid that get their places with this step, in that part of the SMs if it has parts,
  /// with so many more of them.
  std::uint32_t join(std::uint32_t grid, std::optional<std::uint32_t> part, std::uint64_t cycle, std::uint64_t groups);
  /// So many of its groups have ended, the last of them then. When none runs any more it is told, and the index is
  /// over.
  void leave(std::uint32_t cohort, std::uint64_t groups, std::uint64_t end, std::vector<Cohort>& ended);
  /// With the end of the step, those that have memory accesses, by when their grids were launched.
  void start(const Slots<GridState>& grids, std::vector<std::uint32_t>& starting);

  Cohort& operator[](std::uint32_t cohort) { return cohorts_[cohort]; }
  const Cohort& operator[](std::uint32_t cohort) const { return cohorts_[cohort]; }

 private:
  Slots<Cohort> cohorts_;
  std::vector<std::uint32_t> placed_;  // with this step
};

}  // namespace fenceline
