// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/residency.hpp"
#include "engines/sm_room.hpp"
#include "engines/sm_set.hpp"
#include "sim/assert.hpp"

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
  /// What is left of its instructions at `cycle`, not before `since`.
  Wide left_at(std::uint64_t cycle) const {
    const Wide done = Wide{speed} * (cycle - since);
    return !sharing() ? left : done < left ? left - done : 0;
  }
  /// From `cycle` on its instructions advance at another speed.
  void set_speed(std::uint64_t new_speed, std::uint64_t cycle) {
    left = left_at(cycle);
    since = cycle;
    speed = new_speed;
    changed = true;
  }
  /// When something happens to it next, if nothing changes its speed.
  std::uint64_t next_event() const {
    if (!sharing()) return state != State::running || memory_done ? event : never;
    const Wide rounded = left + speed - 1;
    const Wide end = since + (speed == full_speed ? rounded / full_speed : rounded / speed);  // a shift, mostly
    return end < never ? static_cast<std::uint64_t>(end) : never;
  }
  /// The same, so many cycles later.
  void postpone(std::uint64_t cycles);

  std::uint32_t grid = 0;
  std::uint32_t cohort = 0;  ///< of the Dispatcher
  GroupOccupancy need;
  State state = State::launching;
  bool memory_done = true;
  bool shares = false;        ///< instructions left
  bool changed = true;        ///< `due` needs a new look
  std::uint64_t event = 0;    ///< SM cycle; running: end of what takes a fixed time
  std::uint64_t due = never;  ///< next_event as last asked
  std::uint64_t speed = 0;    ///< of its instructions, in parts of full_speed
  std::uint64_t since = 0;    ///< SM cycle that it has had this speed from
  Wide left = 0;              ///< instructions, as of `since`: SM cycles at full speed, times full_speed
};

/// State of an SM. Times are SM cycles.
struct SmState {
  /// One group comes to every SM.
  void occupy(const GroupOccupancy& need) {
    groups += 1;
    warps += need.warps;
    registers += need.registers;
    shared_bytes += need.shared_bytes;
  }
  /// One leaves every SM.
  void release(const GroupOccupancy& need) {
    FENCELINE_ASSERT(groups > 0, "SM: more groups leave than were resident");
    groups -= 1;
    warps -= need.warps;
    registers -= need.registers;
    shared_bytes -= need.shared_bytes;
  }
  /// The same, so many cycles later.
  void postpone(std::uint64_t cycles);
  /// Looks when something happens next, if nothing changes its groups' speeds.
  void look_ahead();

  std::uint64_t next = never;     ///< when something happens next
  std::uint64_t fingerprint = 0;  ///< of what its groups do next: equal for SMs in the same state
  std::uint32_t warps = 0;
  std::uint32_t groups = 0;
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t split_bytes = 0;    ///< meaningful while groups are resident
  bool changed = false;             ///< `next` needs a new look
  bool sharing_changed = false;     ///< speeds do, too
  bool at_full_speed = false;       ///< all its groups that share were, and none has begun to share since
  bool left_by_some = false;        ///< it may have come to the state of another
  std::uint64_t launcher_free = 0;  ///< when the next group can start
  std::uint64_t retired = 0;        ///< when the last group that ended has retired
  std::uint64_t retired_grid = 0;   ///< number of the grid whose it was; 0: none has
  std::vector<ResidentGroup> residents;
};

/// SMs in the same state: whatever happens to one happens to all, so they are simulated as one. Cost grows with
/// different histories, not with SMs.
struct SmClass : SmState {
  SmSet sms;
};

/// The two go on in the same way from `cycle` on, groups of one cohort always together.
bool same_state(const SmState& a, const SmState& b, std::uint64_t cycle, std::uint64_t grid_change_cycles);

}  // namespace fenceline
