// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/residency.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// One group on every SM of a class.
struct ResidentGroup {
  enum class State : std::uint8_t {
    launching,  ///< until `event_ps`
    running,
    leaving,  ///< ended; keeps its place until `event_ps`
  };
  std::uint32_t grid = 0;
  GroupOccupancy need;
  std::uint32_t cohort = 0;  ///< groups of the same grid that started at the same moment
  State state = State::launching;
  bool memory_done = true;
  bool shares = false;         ///< instructions left
  std::uint64_t event_ps = 0;  ///< running: end of what takes a fixed time
  std::uint64_t speed = 0;     ///< of its instructions, in parts of full_speed
  unsigned __int128 left = 0;  ///< instructions: picoseconds at full speed, times full_speed
};

/// SMs in the same state: whatever happens to one happens to all, so they are simulated as one. Cost grows with
/// different histories, not with SMs.
struct SmClass {
  std::vector<std::uint32_t> sms;  ///< ascending
  bool graphics = false;           ///< may hold groups of the 3D engine
  std::uint32_t warps = 0;
  std::uint32_t groups = 0;
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t split_bytes = 0;  ///< meaningful while groups are resident
  std::vector<ResidentGroup> residents;
  std::uint64_t launcher_free_ps = 0;         ///< when the next group can start
  std::uint64_t retired_ps = 0;               ///< when the last group that ended has retired
  std::uint64_t advanced_ps = 0;              ///< `left` of its groups is as of this time
  std::uint64_t next_ps = ~std::uint64_t{0};  ///< when something happens next
  bool changed = false;                       ///< speeds and `next_ps` need a new look
};

}  // namespace fenceline
