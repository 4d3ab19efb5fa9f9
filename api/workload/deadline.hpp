// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/timeline/timeline.hpp"
#include "api/workload/workload.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// A fence is to reach `value + i * value_step` not later than `due_ps + i * due_step_ps`, for each i below `count`.
struct Deadline {
  std::string name;
  std::uint32_t fence = 0;
  std::uint64_t value = 0;
  std::uint64_t value_step = 0;
  std::uint64_t count = 1;
  std::uint64_t due_ps = 0;  ///< since the start
  std::uint64_t due_step_ps = 0;
};

/// Of times that grow by `step_ps`, `count` of them: throws ConfigError where the last is beyond what can be simulated.
void check_last_time(const std::string& file, std::uint64_t first_ps, std::uint64_t step_ps, std::uint64_t count,
                     const std::string& pointer);
/// The same of a step's times and of its fence values, in a repeat of so many iterations.
void check_last_step(const std::string& file, const Step& step, std::uint64_t count, const std::string& pointer);
/// Those of a workload with their fences resolved. Throws ConfigError.
std::vector<Deadline> deadlines_of(const Workload& workload, const std::string& file);

}  // namespace fenceline
