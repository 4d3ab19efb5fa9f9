// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/deadline_row.hpp"
#include "api/report/vcd/number_list.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace fenceline {

/// When a deadline was due, each time once.
struct DeadlineWave {
  NumberList times;   ///< picoseconds, in their order
  NumberList turns;   ///< 1, 0, 1, ...
  NumberList missed;  ///< times that were not kept, up to then
};
using DeadlineWaves = std::map<LogName, DeadlineWave>;

/// Of each deadline that was due before the run's end, or at it.
DeadlineWaves deadline_waves(std::vector<DeadlineRow> rows, std::uint64_t end_ps);

}  // namespace fenceline
