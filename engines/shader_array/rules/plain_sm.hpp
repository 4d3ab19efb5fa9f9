// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/dispatcher.hpp"
#include "engines/shader_array/rules/group_cost.hpp"
#include "engines/shader_array/rules/sm_places.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// A group on an SM. Times are SM cycles.
struct PlainGroup {
  using Wide = unsigned __int128;

  std::uint32_t grid = 0;
  std::uint32_t cohort = 0;
  bool graphics = false;  ///< vertices or pixels: it keeps its place no longer than it runs
  GroupOccupancy need;
  GroupCost cost;
  std::uint64_t start = 0;       ///< of its work; until then it is being launched
  std::uint64_t issue_from = 0;  ///< its first instruction
  std::uint64_t fixed_end = 0;   ///< end of what takes a fixed time
  Wide instructions = 0;         ///< left: cycles at full speed, times full_speed
  std::uint64_t speed = 0;       ///< at which they are issued now; 0: they are not
  bool memory_done = true;
  bool leaving = false;   ///< it has ended and keeps its place until `due`
  std::uint64_t due = 0;  ///< of one that leaves
};

/// One SM and its groups, oldest first, from one event to the next.
class PlainSm : public SmPlaces {
 public:
  /// It has its place by now, as SmOccupancy::occupy says.
  void begin(const PlainGroup& group) { groups_.push_back(group); }
  /// Instructions are issued until `cycle`, which is not behind the next event.
  void advance(std::uint64_t cycle);
  /// What each group issues from now on: the oldest take first.
  void share(double issue_conflicts);
  /// Something happens to a group then; `never`: to none.
  std::uint64_t next_event() const;
  /// The group's work, and its memory accesses, are over.
  bool has_ended(const PlainGroup& group) const;
  std::vector<PlainGroup>& residents() { return groups_; }
  const std::vector<PlainGroup>& residents() const { return groups_; }
  /// When the last group of the grid ends, whose memory accesses are over. What comes later slows none of them.
  std::uint64_t end_of(std::uint32_t grid, double issue_conflicts) const;

 private:
  std::uint64_t event_of(const PlainGroup& group) const;

  std::vector<PlainGroup> groups_;
  std::uint64_t now_ = 0;
};

}  // namespace fenceline
