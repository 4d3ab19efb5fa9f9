// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/room_record.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace fenceline {

/// Who waited for room that others had, and who these were, at what time.
class RoomWaits {
 public:
  /// What was so at a time.
  struct State {
    LogName process;             ///< memory: for which something is to come in
    RoomRecord::Holder holder;   ///< of those who had it the one that had it longest; packet 0: none is known
    std::uint64_t until_ps = 0;  ///< it had it until then; none is known: it waited so long; 0: to the end of the run
  };

  void add(const RoomRecord& room);  ///< in the order of time
  /// Somebody's memory waited for room. Unset: nobody's did.
  std::optional<State> of_memory(std::uint64_t at_ps) const { return at(memory_, at_ps); }
  /// The packet had no place on the shader array. Unset: it had, or wanted none.
  std::optional<State> of_places(std::uint64_t packet, std::uint64_t at_ps) const;
  /// Adds the times at which something of it changed.
  void add_changes(std::vector<std::uint64_t>& times) const;

 private:
  static std::optional<State> at(const std::vector<RoomRecord>& rooms, std::uint64_t at_ps);

  std::vector<RoomRecord> memory_;                           // one waits at a time
  std::map<std::uint64_t, std::vector<RoomRecord>> places_;  // by packet
};

}  // namespace fenceline
