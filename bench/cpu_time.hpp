// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

namespace fenceline::bench {

/// Time of this thread on a processor: what neighbours on a shared machine do hardly counts.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace fenceline::bench
