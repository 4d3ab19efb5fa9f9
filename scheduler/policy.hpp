// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/preemption_attempts.hpp"
#include "scheduler/priority.hpp"

#include <array>
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

/// Turns on a node, of a context or a process.
struct Turn {
  std::uint64_t last = 0;     ///< number of the last one; 0 = never had one
  bool has = false;           ///< the present one is its
  std::uint64_t used_ps = 0;  ///< engine time since it began
};

/// A context that has a packet ready for a node, or one whose packet is in the hardware queue.
struct Candidate {
  Rank rank;
  std::uint32_t context = 0;
  std::uint32_t process = 0;
  Turn context_turn;
  Turn process_turn;
  std::uint64_t packet = 0;      ///< id: the order of submission
  std::uint64_t waiting_ps = 0;  ///< since the packet became ready
  bool starved = false;          ///< normal band: it has had less than its floor
};

struct PolicySettings {
  SchedulingPolicy policy = SchedulingPolicy::wddm;
  std::array<std::uint64_t, priority_bands> quantum_ps{};          ///< of a context
  std::array<std::uint64_t, priority_bands> process_quantum_ps{};  ///< of a process
  std::array<std::uint64_t, priority_bands> grace_ps{};            ///< before it has to give way to a higher rank
};

/// Who is next: the index of one of `candidates`, of which there is at least one.
std::size_t choose_context(const PolicySettings& settings, const std::vector<Candidate>& candidates);

/// Whether `running` has to stop for `waiting`.
struct Verdict {
  PreemptionAttempt result = PreemptionAttempt::miss_less_priority;
  std::uint64_t retry_ps = 0;  ///< ask again after so long; 0: not before something changes
};
Verdict judge(const PolicySettings& settings, const Candidate& waiting, const Candidate& running);

/// A hardware queue as the choice of one sees it.
struct HardwareQueueView {
  std::size_t packets = 0;
  bool has_room = false;
  bool holds_context = false;  ///< packets of the context in question are in it: its next one must follow them
};
constexpr std::size_t no_queue = static_cast<std::size_t>(-1);
/// The queue that already holds the context's packets, else the emptiest with room (lowest index); `no_queue` if none.
std::size_t choose_hardware_queue(const std::vector<HardwareQueueView>& queues);

}  // namespace fenceline
