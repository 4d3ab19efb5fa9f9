// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/plain_sm.hpp"

#include "engines/shader_array/rules/sm_room.hpp"
#include "sim/rounding.hpp"

#include <algorithm>

namespace fenceline {

void PlainSm::advance(std::uint64_t cycle) {
  for (PlainGroup& group : groups_) {
    group.instructions -= std::min(group.instructions, PlainGroup::Wide{group.speed} * (cycle - now_));
  }
  now_ = cycle;
}

void PlainSm::share(double issue_conflicts) {
  SmRoom room;
  for (PlainGroup& group : groups_) {
    const bool issues = group.instructions > 0 && group.issue_from <= now_;
    group.speed = issues ? room.take(group.cost, issue_conflicts) : 0;
  }
}

bool PlainSm::has_ended(const PlainGroup& group) const {
  return group.memory_done && group.instructions == 0 && std::max(group.issue_from, group.fixed_end) <= now_;
}

std::uint64_t PlainSm::event_of(const PlainGroup& group) const {
  if (group.leaving) return group.due;
  if (group.instructions == 0) return group.memory_done ? std::max({group.issue_from, group.fixed_end, now_}) : never;
  if (group.speed == 0) return group.issue_from;
  const PlainGroup::Wide cycles = divided_up(group.instructions, group.speed);
  return cycles < never - now_ ? now_ + static_cast<std::uint64_t>(cycles) : never;
}

std::uint64_t PlainSm::next_event() const {
  std::uint64_t next = never;
  for (const PlainGroup& group : groups_) next = std::min(next, event_of(group));
  return next;
}

std::uint64_t PlainSm::end_of(std::uint32_t grid, double issue_conflicts) const {
  PlainSm ahead = *this;
  std::uint64_t end = 0;
  const auto over = [&](const PlainGroup& group) { return group.leaving || ahead.has_ended(group); };
  for (;;) {
    for (const PlainGroup& group : ahead.groups_) {
      if (group.grid == grid && over(group)) end = std::max(end, group.leaving ? end : ahead.now_);
    }
    ahead.groups_.erase(std::remove_if(ahead.groups_.begin(), ahead.groups_.end(), over), ahead.groups_.end());
    const bool more = std::any_of(ahead.groups_.begin(), ahead.groups_.end(),
                                  [=](const PlainGroup& group) { return group.grid == grid; });
    ahead.share(issue_conflicts);
    const std::uint64_t next = ahead.next_event();
    if (!more) return end;
    if (next == never) return never;
    ahead.advance(next);
  }
}

}  // namespace fenceline
