// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policies/preemption_attempts.hpp"
#include "scheduler/policies/priority.hpp"
#include "scheduler/policies/turns.hpp"
#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Who runs next on a node, and for whom the one that runs has to stop. All pure: state in, choice out.
enum class SchedulingPolicy : std::uint8_t {
  wddm,             ///< bands, quanta and grace periods, focus, a floor for the normal band
  fifo,             ///< in the order submitted
  round_robin,      ///< contexts in turn, a packet each
  strict_priority,  ///< the highest rank at once; equal ones in the order submitted
  time_slice,       ///< processes take turns inside their packets; within a process as strict_priority
  xe,               ///< Linux's Xe: the highest rank at once, equal ones in time slices
};
constexpr EnumNames<SchedulingPolicy, 6> enum_names(SchedulingPolicy) {
  return {{{SchedulingPolicy::wddm, "wddm"},
           {SchedulingPolicy::fifo, "fifo"},
           {SchedulingPolicy::round_robin, "round_robin"},
           {SchedulingPolicy::strict_priority, "strict_priority"},
           {SchedulingPolicy::time_slice, "time_slice"},
           {SchedulingPolicy::xe, "xe"}}};
}

/// When a process or context began to want an engine: first come, first served.
struct Arrival {
  std::uint64_t at_ps = 0;
  /// Id of its packet then: the order of submission, among those of one moment. Above `at_the_end` a number that counts
  /// up: its turn was over.
  std::uint64_t packet = 0;
  static constexpr std::uint64_t at_the_end = std::uint64_t{1} << 63;
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
  Rank rank;
  std::uint32_t context = 0;
  std::uint32_t process = 0;
  Standing context_turn;
  Standing process_turn;
  Allowance allowance;
  std::uint64_t packet = 0;      ///< id: the order of submission
  std::uint64_t last_turn = 0;   ///< number of its last submission on the node; 0: none yet
  std::uint64_t waiting_ps = 0;  ///< since the packet became ready
  bool blocked = false;          ///< it is a wait whose fence is not there
  bool floor = false;            ///< normal band: it is its part of the time beside the focus band
  bool by_floor = false;         ///< normal band: it runs because it was
};

/// Who is next: the index of one of `candidates`, of which there is at least one.
std::size_t choose_context(SchedulingPolicy policy, const std::vector<Candidate>& candidates);

/// Of those that run, the first to give way to a higher one: an index of `running`, of which there is at least one.
std::size_t choose_victim(SchedulingPolicy policy, const std::vector<Candidate>& running);

/// Equals take turns of so much engine time.
constexpr bool takes_turns(SchedulingPolicy policy) {
  return policy == SchedulingPolicy::wddm || policy == SchedulingPolicy::xe;
}

/// `a` goes before `b` whatever turns there are, and may have it stopped.
bool outranks(SchedulingPolicy policy, const Candidate& a, const Candidate& b);

/// `waiting` has to go before `queued`, which stands in front of it in a hardware queue, behind `running`: by its rank,
/// or because the turn of `running` is its, too, or is over for `queued`.
bool goes_before(SchedulingPolicy policy, const Candidate& waiting, const Candidate& queued, const Candidate& running);

/// Whether `running` has to stop for `waiting`.
struct Verdict {
  PreemptionAttempt result = PreemptionAttempt::miss_less_priority;
  std::uint64_t retry_ps = 0;  ///< ask again after so long; 0: not before something changes
  PreemptionReason reason = PreemptionReason::higher_rank;
};
Verdict judge(SchedulingPolicy policy, const Candidate& waiting, const Candidate& running);

/// Of a context's groups on the shader array, where the higher one gets a free place first.
int array_priority(SchedulingPolicy policy, const Rank& rank);

/// The peers among which a process, or a context, takes turns.
Peers process_peers(const Rank& rank);
Peers context_peers(SchedulingPolicy policy, const Rank& rank, std::uint32_t process);
Peers context_peers(SchedulingPolicy policy, std::uint32_t height, int in_process, std::uint32_t process);

/// A hardware queue as the choice of one sees it.
struct HardwareQueueView {
  std::size_t packets = 0;
  bool has_room = false;
  bool kept = false;  ///< the context's turn there is not over
};
constexpr std::size_t no_queue = static_cast<std::size_t>(-1);
/// An empty one, that of its turn before others (lowest index); `no_queue` if there is none.
std::size_t choose_hardware_queue(const std::vector<HardwareQueueView>& queues);

}  // namespace fenceline
