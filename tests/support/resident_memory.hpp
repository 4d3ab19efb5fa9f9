// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/sanitized.hpp"

#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace fenceline::testing {

/// Memory of this process that is in use now, as the kernel counts it.
inline std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace fenceline::testing
