// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/config/context_config.hpp"
#include "scheduler/config/submission_path.hpp"
#include "scheduler/policies/policy.hpp"
#include "scheduler/policies/priority.hpp"
#include "scheduler/state/queue_packet.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// What a hardware context does, as the log names it. Source: windows-driver-docs, hardware scheduling's logs.
enum class HwContextState : std::uint8_t {
  idle,           ///< nothing to run, or blocked: it waits for a fence or is suspended
  ready,          ///< has a packet for the node, and is not in the hardware's context list
  ready_standby,  ///< in the list, behind the one that runs
  running,        ///< first in the list
};
constexpr const char* name_of(HwContextState state) {
  switch (state) {
    case HwContextState::idle: return "idle";
    case HwContextState::ready: return "ready";
    case HwContextState::ready_standby: return "ready_standby";
    case HwContextState::running: return "running";
  }
  return "?";
}

/// Who keeps a context from its node.
enum class Suspender : std::uint8_t {
  program,    ///< Machine::suspend
  conversion  ///< its process's page table is being converted (docs/residency.md, rule 34)
};
constexpr std::uint8_t bit_of(Suspender by) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(by)); }

/// A context: a software queue whose packets run in order on one node.
struct Context {
  /// A packet on the node, with the signals and presents that take place when it completes.
  struct InFlight {
    QueuePacket packet;
    std::vector<QueuePacket> signals;
    bool has_more = false;  ///< a piece of a list that is split, and not the last
    bool ended = false;     ///< on the engine, which has written what signals there were; the interrupt is on its way
  };
  ContextConfig config;
  mutable LogName log_name{};  ///< none before the log is told of it
  /// The driver has no contexts: what is submitted to this one goes to that one, the first of its process on the node.
  std::optional<std::uint32_t> shared;
  SubmissionCost cost;  ///< config.path in picoseconds
  std::deque<QueuePacket> software_queue;
  std::deque<InFlight> in_flight;    ///< in the order they run
  std::uint32_t hardware_queue = 0;  ///< where in_flight is
  bool awake = false;                ///< listed for the next scheduling round
  bool ready = false;                ///< listed among the node's ready contexts
  bool wanting = false;              ///< wants its node: ready, or something of it is there
  bool closed = false;               ///< nothing more will be submitted
  std::uint8_t suspenders = 0;       ///< bits of Suspender: while there are any nothing of it goes to the node
  bool stopping = false;             ///< it is being suspended: something of it is on the node
  HwContextState state = HwContextState::idle;  ///< as last logged
  Rank rank;
  Allowance allowance;
  Arrival arrival;                    ///< among the contexts of its process, while it wants its node
  std::uint64_t last_submission = 0;  ///< number of its last submission on its node
  std::string labelled;               ///< the stream's name whose label is cached
  LogName label{};

  bool suspended() const { return suspenders != 0; }
  /// A piece of a list is on the node, and there are more: what is behind the list waits for them.
  bool is_split() const { return !in_flight.empty() && in_flight.back().has_more; }
  /// Of packets that have ended on the engine signals are left before place `end` of in_flight: behind a present, which
  /// waits for the interrupt.
  bool presents_wait_before(std::size_t end) const {
    return std::any_of(in_flight.begin(), in_flight.begin() + static_cast<std::ptrdiff_t>(end),
                       [](const InFlight& one) { return !one.signals.empty(); });
  }
};

}  // namespace fenceline
