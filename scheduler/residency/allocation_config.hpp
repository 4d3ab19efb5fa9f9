// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/residency/allocation.hpp"

#include <cstdint>
#include <string>

namespace fenceline {

/// A resource in video memory, to be made.
struct AllocationConfig {
  std::string name;                                    ///< as the log calls it
  std::uint64_t bytes = 0;                             ///< rounded up to pages
  std::uint32_t priority = normal_residency_priority;  ///< D3D12_RESIDENCY_PRIORITY
  bool written = true;        ///< false: its copy in system memory stays good (the program's promise)
  bool not_resident = false;  ///< D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT
};

}  // namespace fenceline
