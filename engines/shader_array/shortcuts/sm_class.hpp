// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/sm_places.hpp"
#include "engines/shader_array/shortcuts/sm_room_ahead.hpp"
#include "engines/shader_array/shortcuts/sm_set.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// One group on every SM of a class. Times are SM cycles.
struct ResidentGroup {
  using Wide = RoomAhead::Wide;

  /// When its instructions have been issued and what takes a fixed time is over: its end, if its memory accesses have
  /// ended by then.
  std::uint64_t work_end() const { return std::max(issue.end, fixed_end); }
  /// It issues instructions in the cycle that begins at `cycle`.
  bool issuing(std::uint64_t cycle) const { return issue.start <= cycle && cycle < issue.end; }

  std::uint32_t grid = 0;
  std::uint32_t cohort = 0;  ///< of the dispatcher
  GroupOccupancy need;
  bool memory_done = true;
  bool graphics = false;        ///< vertices or pixels: it keeps its place no longer than it runs
  bool leaving = false;         ///< ended; keeps its place until `due`
  std::uint64_t due = never;    ///< when something happens to it next
  std::uint64_t start = 0;      ///< of its work; until then it is being launched
  std::uint64_t fixed_end = 0;  ///< end of what takes a fixed time
  RoomAhead::Issue issue;       ///< of its instructions; over at its start, if it has none
};

/// All that decides how the groups of one grid on an SM, or on SMs in one state, go on. A visitor is shown each field
/// of two groups, or of one twice, as what it is: `exact`, the time at which it is `next`, a `time` that only matters
/// while it is to come, or an `issue`. Equality, shift in time and hash are visitors; it ends with the first that says
/// no.
template <class Group, class Visitor>
bool visit_state(Group& a, Group& b, Visitor&& visitor) {
  return visitor.next(a.due, b.due) && visitor.exact(a.grid, b.grid) && visitor.exact(a.cohort, b.cohort) &&
         visitor.exact(a.memory_done, b.memory_done) && visitor.exact(a.leaving, b.leaving) &&
         visitor.time(a.start, b.start) && visitor.time(a.fixed_end, b.fixed_end) && visitor.issue(a.issue, b.issue) &&
         visitor.exact(a.need, b.need);
}

/// A number of the state of groups, shown one after another: equal for equal ones that were looked at in one cycle, as
/// far as it looks. Times are due in one way and past in many, so that it takes those alone that are to come.
struct StateHash {
  bool next(std::uint64_t due, std::uint64_t) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    value = (value + due) * odd;
    return true;
  }
  bool exact(std::uint32_t number, std::uint32_t) {
    value = value * 2 + number;
    return true;
  }
  bool exact(bool, bool) { return true; }                                    // shows in what is next
  bool exact(const GroupOccupancy&, const GroupOccupancy&) { return true; }  // follows from the grid
  bool time(std::uint64_t, std::uint64_t) { return true; }
  bool issue(const RoomAhead::Issue&, const RoomAhead::Issue&) { return true; }

  std::uint64_t value = 0;
};

/// State of an SM. Times are SM cycles.
struct SmState : SmPlaces {
  /// As it is, so many cycles later.
  void postpone(std::uint64_t cycles);
  /// Another resident, the youngest, whose fields are to be filled; it has been counted by `occupy`.
  ResidentGroup& add(bool graphics) {
    thread_groups += graphics ? 0 : 1;
    residents.emplace_back().graphics = graphics;
    return residents.back();
  }
  /// It has come to its end and leaves its place; the caller removes it.
  void fall_free(const ResidentGroup& group) {
    freed = freed || !group.graphics;
    leave(group);
  }
  /// Vertices or pixels have got a place.
  void lose_place() { lost = lost || freed; }
  /// It leaves its place; the caller removes it.
  void leave(const ResidentGroup& group) {
    release(group.need);
    thread_groups -= group.graphics ? 0 : 1;
  }
  /// Looks when something happens next.
  void look_ahead() {
    next = never;
    fingerprint = 0;
    for (const ResidentGroup& group : residents) expect(group);
  }
  /// The next of the residents when all are looked at, oldest first.
  void expect(const ResidentGroup& group) {
    next = std::min(next, group.due);
    StateHash hash{fingerprint};
    visit_state(group, group, hash);
    fingerprint = hash.value;
  }
  /// What each resident issues in the cycle that begins at `cycle`, in parts of full_speed; `cost_of` says what one of
  /// a grid costs.
  template <class CostOf>
  std::vector<std::uint64_t> speeds(std::uint64_t cycle, double issue_conflicts, CostOf&& cost_of) const {
    SmRoom units;
    std::vector<std::uint64_t> speeds;
    for (const ResidentGroup& group : residents) {
      speeds.push_back(group.issuing(cycle) ? units.take(cost_of(group.grid), issue_conflicts) : 0);
    }
    return speeds;
  }
  /// After `cycle`, when a resident begins or ends to issue; never: none does any more.
  std::uint64_t next_issue_change(std::uint64_t cycle) const;

  std::uint64_t next = never;            ///< when something happens next
  std::uint64_t fingerprint = 0;         ///< equal for SMs in the same state: a sieve
  std::uint32_t thread_groups = 0;       ///< residents that do not draw
  bool left_by_some = false;             ///< it may have come to the state of another
  std::vector<ResidentGroup> residents;  ///< oldest first
  RoomAhead room;                        ///< that they leave
};

/// SMs in the same state: whatever happens to one happens to all, so they are simulated as one. Cost grows with
/// different histories, not with SMs.
struct SmClass : SmState {
  SmSet sms;
};

/// Visits what makes two SMs differ, their groups included: false once the visitor says so. What groups leave of the
/// units follows from what they issue.
template <class State, class Visitor>
bool visit_sm(State& a, State& b, Visitor&& visitor) {
  bool same = visitor.time(a.next, b.next) && visit_places(a, b, visitor) && a.residents.size() == b.residents.size();
  for (std::size_t i = 0; same && i < a.residents.size(); ++i) {
    same = visit_state(a.residents[i], b.residents[i], visitor);
  }
  return same;
}

/// One goes on from cycle `a` as the other from cycle `b`.
bool same_state(const SmState& one, std::uint64_t a, const SmState& other, std::uint64_t b,
                std::uint64_t grid_change_cycles);

}  // namespace fenceline
