// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log_records.hpp"

#include <cstdint>
#include <optional>

namespace fenceline {

/// One time at which a deadline was to be kept.
struct DeadlineRow {
  LogName name{};                           ///< of the deadline in the workload
  LogName fence{};                          ///< that was to reach the value
  std::uint64_t value = 0;                  ///< of the fence
  std::uint64_t due_ps = 0;                 ///< simulated time
  std::optional<std::uint64_t> reached_ps;  ///< simulated time; unset: it has not
};

}  // namespace fenceline
