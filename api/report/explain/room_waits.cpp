// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/room_waits.hpp"

#include <algorithm>
#include <iterator>

namespace fenceline {

void RoomWaits::add(const RoomRecord& room) {
  (room.where == RoomRecord::Where::memory ? memory_ : places_[room.packet]).push_back(room);
}

std::optional<RoomWaits::State> RoomWaits::of_places(std::uint64_t packet, std::uint64_t at_ps) const {
  const auto rooms = places_.find(packet);
  return rooms == places_.end() ? std::nullopt : at(rooms->second, at_ps);
}

void RoomWaits::add_changes(std::vector<std::uint64_t>& times) const {
  for (const RoomRecord& room : memory_) times.push_back(room.at_ps);
  for (const auto& [packet, rooms] : places_) {
    for (const RoomRecord& room : rooms) times.push_back(room.at_ps);
  }
}

std::optional<RoomWaits::State> RoomWaits::at(const std::vector<RoomRecord>& rooms, std::uint64_t at_ps) {
  const auto next = std::upper_bound(rooms.begin(), rooms.end(), at_ps,
                                     [](std::uint64_t at, const RoomRecord& room) { return at < room.at_ps; });
  if (next == rooms.begin() || !std::prev(next)->waits) return std::nullopt;
  const RoomRecord& now = *std::prev(next);
  // Until the first record without it.
  const auto until_ps = [&](const RoomRecord::Holder* holder) {
    const auto gone = std::find_if(next, rooms.end(), [&](const RoomRecord& later) {
      const auto is_it = [&](const RoomRecord::Holder& one) { return one.packet == holder->packet; };
      return !later.waits || (holder != nullptr && std::none_of(later.holders.begin(), later.holders.end(), is_it));
    });
    return gone == rooms.end() ? 0 : gone->at_ps;
  };
  if (now.holders.empty()) return State{now.process, {}, until_ps(nullptr)};
  std::optional<State> longest;
  for (const RoomRecord::Holder& one : now.holders) {
    const State state{now.process, one, until_ps(&one)};
    const bool longer =
        !longest || (longest->until_ps != 0 && (state.until_ps == 0 || state.until_ps > longest->until_ps));
    if (longer) longest = state;
  }
  return longest;
}

}  // namespace fenceline
