// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/shortcuts/sm_class.hpp"

#include <algorithm>

namespace fenceline {
namespace {

/// So many cycles later.
struct Later {
  std::uint64_t cycles;

  template <class T>
  bool exact(T&, T&) const {
    return true;
  }
  bool time(std::uint64_t& time, std::uint64_t&) const {
    if (time != never) time += cycles;
    return true;
  }
  bool next(std::uint64_t& due, std::uint64_t& same) const { return time(due, same); }
  bool issue(RoomAhead::Issue& issue, RoomAhead::Issue&) const {
    return time(issue.start, issue.start) && time(issue.end, issue.end);
  }
  bool retirement(Retirement& unit, Retirement&) const { return time(unit.until, unit.until); }
};

/// From a cycle on, each its own.
struct SameFrom {
  std::uint64_t a;
  std::uint64_t b;
  std::uint64_t grid_change_cycles;

  /// Cycles from `now` until `time`: times that are past are all alike.
  static std::uint64_t until(std::uint64_t time, std::uint64_t now) {
    return time == never ? never : std::max(time, now) - now;
  }
  template <class T>
  bool exact(const T& x, const T& y) const {
    return x == y;
  }
  bool next(std::uint64_t x, std::uint64_t y) const { return time(x, y); }
  bool time(std::uint64_t x, std::uint64_t y) const { return (x == y && a == b) || until(x, a) == until(y, b); }
  bool issue(const RoomAhead::Issue& x, const RoomAhead::Issue& y) const {
    return time(x.start, y.start) && time(x.end, y.end) && (x.end <= a || x.slack == y.slack);
  }
  /// Who retired last matters as long as another grid's group has to wait for it.
  bool retirement(const Retirement& x, const Retirement& y) const {
    const std::uint64_t x_left = until(x.until + grid_change_cycles, a);
    return x_left == until(y.until + grid_change_cycles, b) && (x_left == 0 || x.grid == y.grid);
  }
};

}  // namespace

void SmState::postpone(std::uint64_t cycles) {
  visit_sm(*this, *this, Later{cycles});
  room.postpone(cycles);
  look_ahead();
}

std::uint64_t SmState::next_issue_change(std::uint64_t cycle) const {
  std::uint64_t next_change = never;
  for (const ResidentGroup& group : residents) {
    if (group.issue.end <= cycle) continue;
    next_change = std::min(next_change, group.issue.start > cycle ? group.issue.start : group.issue.end);
  }
  return next_change;
}

bool same_state(const SmState& one, std::uint64_t a, const SmState& other, std::uint64_t b,
                std::uint64_t grid_change_cycles) {
  return visit_sm(one, other, SameFrom{a, b, grid_change_cycles});
}

}  // namespace fenceline
