// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/residency.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace fenceline {

/// SM cycle of what does not happen.
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// One group on every SM of a class.
struct ResidentGroup {
  using Wide = unsigned __int128;
  enum class State : std::uint8_t {
    launching,  ///< until `event`
    running,
    leaving,  ///< ended; keeps its place until `event`
  };

  bool sharing() const { return state == State::running && shares; }
  /// What is left of its instructions after `cycles` more.
  Wide left_after(std::uint64_t cycles) const {
    const Wide done = Wide{speed} * cycles;
    return !sharing() ? left : done < left ? left - done : 0;
  }

  std::uint32_t grid = 0;
  std::uint32_t cohort = 0;  ///< of the Dispatcher
  GroupOccupancy need;
  State state = State::launching;
  bool memory_done = true;
  bool shares = false;      ///< instructions left
  std::uint64_t event = 0;  ///< SM cycle; running: end of what takes a fixed time
  std::uint64_t speed = 0;  ///< of its instructions, in parts of full_speed
  Wide left = 0;            ///< instructions: SM cycles at full speed, times full_speed
};

/// SMs in the same state: whatever happens to one happens to all, so they are simulated as one. Cost grows with
/// different histories, not with SMs. Times are SM cycles.
struct SmClass {
  /// Executes the instructions of the time since the class was last looked at.
  void advance(std::uint64_t cycle);
  /// The same, so many cycles later.
  void postpone(std::uint64_t cycles);
  /// When something happens next, if nothing changes its groups' speeds.
  std::uint64_t next_event() const;

  std::uint64_t next = never;  ///< when something happens next
  std::uint32_t warps = 0;
  std::uint32_t groups = 0;
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t split_bytes = 0;    ///< meaningful while groups are resident
  bool changed = false;             ///< speeds and `next` need a new look
  std::vector<std::uint32_t> sms;   ///< ascending; none: the class is not used
  std::uint64_t launcher_free = 0;  ///< when the next group can start
  std::uint64_t retired = 0;        ///< when the last group that ended has retired
  std::uint64_t retired_grid = 0;   ///< number of the grid whose it was; 0: none has
  std::uint64_t advanced = 0;       ///< `left` of its groups is as of this time
  std::vector<ResidentGroup> residents;
};

}  // namespace fenceline
