// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policies/preemption_attempts.hpp"
#include "scheduler/policies/priority.hpp"
#include "sim/log.hpp"

#include <cstdint>

namespace fenceline {

/// When a process or context began to want an engine: first come, first served.
struct Arrival {
  std::uint64_t at_ps = 0;  ///< simulated time
  /// Id of its packet then: the order of submission, among those of one moment. Above `at_the_end` a number that counts
  /// up: its turn was over.
  std::uint64_t packet = 0;
  /// Above it: its turn was over.
  static constexpr std::uint64_t at_the_end = std::uint64_t{1} << 63;
  /// Came before.
  friend bool operator<(const Arrival& a, const Arrival& b) {
    return a.at_ps != b.at_ps ? a.at_ps < b.at_ps : a.packet < b.packet;
  }
};

/// Where a process or context stands among its peers on a hardware queue.
struct Standing {
  bool has = false;            ///< the turn is its
  std::uint64_t used_ps = 0;   ///< engine time since it got the engine
  std::uint64_t begun_ps = 0;  ///< when it did
  Arrival arrival;             ///< its place among those who wait for a turn
};

/// What a context may use up, picoseconds: of its own, else its band's.
struct Allowance {
  std::uint64_t quantum_ps = 0;              ///< of a turn among the contexts of its process
  std::uint64_t process_quantum_ps = 0;      ///< of a turn of its process
  std::uint64_t grace_ps = 0;                ///< once a higher rank is ready
  std::uint64_t grace_same_priority_ps = 0;  ///< once its turn is over and another context of its process is ready
  std::uint64_t process_grace_ps = 0;        ///< the same and another process
};

/// A context that has a packet ready for a node, or one whose packet is in the hardware queue.
struct Candidate {
  Rank rank;                          ///< bands and levels
  std::uint32_t context = 0;          ///< which one: its number
  std::uint32_t process = 0;          ///< whose
  Standing context_turn;              ///< among the contexts of its process
  Standing process_turn;              ///< of its process
  Allowance allowance;                ///< what it may use up
  std::uint64_t packet = 0;           ///< id: the order of submission
  std::uint64_t last_submission = 0;  ///< number of its last submission on the node; 0: none yet
  std::uint64_t waiting_ps = 0;       ///< since the packet became ready
  bool blocked = false;               ///< it is a wait whose fence is not there
  bool floor = false;                 ///< normal band: it is its part of the time beside the focus band
  bool by_floor = false;              ///< normal band: it runs because it was
};

/// Whether `running` has to stop for `waiting`.
struct PreemptionVerdict {
  PreemptionAttempt result = PreemptionAttempt::miss_less_priority;  ///< Success, or why not
  std::uint64_t retry_ps = 0;  ///< ask again after so long; 0: not before something changes
  PreemptionReason reason = PreemptionReason::higher_rank;  ///< why, where it has to
};
}  // namespace fenceline
