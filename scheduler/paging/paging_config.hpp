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
  bool enabled = false;         ///< else everything is resident
  std::uint32_t node = 0;       ///< index of the node whose engine moves
  std::vector<NodePath> paths;  ///< what the system's packets cost, by node
};

}  // namespace fenceline
