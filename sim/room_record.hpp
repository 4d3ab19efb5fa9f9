// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log_records.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// Something waits for room that others have: from now on for that of these, which takes the place of what was told of
/// it before.
struct RoomRecord {
  /// Which room.
  enum class Where : std::uint8_t {
    memory,       ///< video memory: nothing comes in for who waits, since too little may make room
    shader_array  ///< no group of the packet has a place there
  };
  /// Who has it.
  struct Holder {
    std::uint64_t packet = 0;  ///< id of the queue packet
    LogName resource{};        ///< memory: that it has in use, and that could make room without it
    bool operator==(const Holder& other) const { return packet == other.packet && resource == other.resource; }
  };
  Where where{};                  ///< it would be
  LogName process{};              ///< memory: for which something is to come in
  std::uint64_t packet = 0;       ///< id of the queue packet that waits; 0: memory, of the process's device
  std::vector<Holder> holders{};  ///< in the order of their packets; empty: nobody that is known
  bool waits = true;              ///< false: it waits no more
  std::uint64_t at_ps = 0;        ///< simulated time
};

}  // namespace fenceline
