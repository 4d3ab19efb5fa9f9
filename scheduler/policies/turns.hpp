// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <tuple>

namespace fenceline {

/// Those who take turns with each other on a hardware queue: the processes of one band and level, or the contexts of
/// one process and one in-process priority within them.
struct Peers {
  static constexpr std::uint32_t processes = ~std::uint32_t{0};
  std::uint32_t height = 0;  ///< height_of their rank
  std::uint32_t process = processes;
  int in_process = 0;
  friend bool operator==(const Peers& a, const Peers& b) {
    return a.height == b.height && a.process == b.process && a.in_process == b.in_process;
  }
  friend bool operator<(const Peers& a, const Peers& b) {
    return std::tie(a.process, a.height, a.in_process) < std::tie(b.process, b.height, b.in_process);
  }
};

/// Turns on one hardware queue: who of each kind of peers had it last, and for how long since it got it. A turn is
/// engine time, without switch, save and restore; whom higher ranks interrupt keeps it.
class Turns {
 public:
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  struct Turn {
    std::uint32_t owner = nobody;
    std::uint64_t used_ps = 0;
    std::uint64_t begun_ps = 0;  ///< when the owner got the engine
  };
  /// Something of the owner's begins to run: it gets the engine, or has it still.
  void begin(const Peers& peers, std::uint32_t owner, std::uint64_t at_ps) {
    Turn& turn = turn_of(peers);
    if (turn.owner != owner) turn = {owner, 0, at_ps};
  }
  /// A piece of the owner's work began at `from_ps` and has run so long. False, and nothing counted, for one of an
  /// earlier turn, and for one that took no time when another owner has begun at that moment.
  bool use(const Peers& peers, std::uint32_t owner, std::uint64_t from_ps, std::uint64_t engine_ps) {
    const Turn& turn = turn_of(peers);
    if (from_ps < turn.begun_ps) return false;
    if (from_ps == turn.begun_ps && turn.owner != owner && turn.owner != nobody) return false;
    begin(peers, owner, from_ps);
    turn_of(peers).used_ps += engine_ps;
    return true;
  }
  Turn of(const Peers& peers) const {
    const auto known = turns_.find(peers);
    return known != turns_.end() ? known->second : Turn{};
  }
  /// The owner wants the engine no more: its turns end, with whatever rank, among the peers of that `process`.
  void end(std::uint32_t process, std::uint32_t owner) {
    const Peers first = {0, process, std::numeric_limits<int>::min()};
    for (auto one = turns_.lower_bound(first); one != turns_.end() && one->first.process == process; ++one) {
      if (one->second.owner == owner) one->second = {};
    }
  }

 private:
  Turn& turn_of(const Peers& peers) { return turns_[peers]; }
  std::map<Peers, Turn> turns_;
};

}  // namespace fenceline
