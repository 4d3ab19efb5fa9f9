// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/queue_packet.hpp"
#include "scheduler/submission_path.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace fenceline {

/// A context of one scheduler.
enum class ContextId : std::uint32_t {};

struct ContextConfig {
  std::string name;        ///< last part of its path
  std::uint32_t node = 0;  ///< index of the node it runs on
  int priority = 0;        ///< higher is served first
  NodePath path;           ///< what its packets and fences cost on that node
  double fence_next_waiter_ns = 0;
};

/// A context: a software queue whose packets run in order on one node.
struct Context {
  /// A render packet on the node, with the signals that take place when it completes.
  struct InFlight {
    QueuePacket packet;
    std::vector<QueuePacket> signals;
  };
  ContextConfig config;
  LogName path;
  SubmissionCost cost;  ///< config.path in picoseconds
  std::deque<QueuePacket> software_queue;
  std::deque<InFlight> in_flight;    ///< in the order they run
  std::uint32_t hardware_queue = 0;  ///< where in_flight is
  bool awake = false;                ///< listed for the next scheduling round
  bool ready = false;                ///< listed among the node's ready contexts
  std::uint64_t last_turn = 0;
  std::uint64_t turn_used_ps = 0;
  const CommandStream* labelled = nullptr;  ///< the stream whose label is cached
  LogName label{};
};

}  // namespace fenceline
