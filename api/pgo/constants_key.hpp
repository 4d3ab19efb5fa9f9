// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/pgo/pipeline_profile.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// One number for the values of root constants, never 0 (FNV-1a of their bytes). None: 0, nothing is bound.
inline ConstantsKey constants_key(const std::vector<std::uint32_t>& values) {
  if (values.empty()) return 0;
  std::uint64_t hash = 14695981039346656037ULL;
  for (const std::uint32_t value : values) {
    for (int shift = 0; shift < 32; shift += 8) {
      hash ^= (value >> shift) & 0xff;
      hash *= 1099511628211ULL;
    }
  }
  return hash != 0 ? hash : 1;
}

}  // namespace fenceline
