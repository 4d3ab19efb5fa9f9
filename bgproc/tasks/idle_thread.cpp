// SPDX-License-Identifier: Apache-2.0
#include "bgproc/tasks/idle_thread.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace fenceline {

std::string become_idle(const IdleCalls& calls) {
  constexpr int lowest_nice = 19;
  if (calls.set_policy(SCHED_IDLE) == 0) return {};
  const std::string refused = fmt::format("SCHED_IDLE is refused ({})", std::strerror(errno));
  if (calls.set_nice(lowest_nice) == 0) return refused + ": they have nice 19";
  return fmt::format("{}, and nice 19, too ({}): they have the program's own priority", refused, std::strerror(errno));
}

}  // namespace fenceline
