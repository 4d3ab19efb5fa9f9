// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/config/submission_path.hpp"
#include "scheduler/residency/video_memory_config.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// What a scheduler is to know of video memory.
struct PagingConfig {
  VideoMemoryConfig memory;
  bool enabled = false;              ///< else everything is resident
  std::vector<std::uint32_t> nodes;  ///< indices of those whose engines move, one of each linked adapter in order
  std::vector<NodePath> paths;       ///< what the system's packets cost, by node of one adapter
};

}  // namespace fenceline
