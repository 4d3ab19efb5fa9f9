// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"
#include "scheduler/policies/arrivals.hpp"
#include "scheduler/policies/band_floor.hpp"
#include "scheduler/policies/preemption_attempts.hpp"
#include "scheduler/policies/priority.hpp"
#include "scheduler/policies/ready_contexts.hpp"
#include "scheduler/policies/turns.hpp"
#include "sim/log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace fenceline {

/// What the scheduler knows of a hardware queue; the engine may be further.
struct NodeQueue {
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::size_t packets = 0;
  std::uint32_t split_context =
      none;                        ///< of which a split list is between the submission of its first piece and its end
  bool filling = true;             ///< takes packets until it is full, then not before hardware_queue_refill are left
  bool awaits_answer = false;      ///< to a request to preempt: until its deferred call has run
  bool withholding = false;        ///< the request is for what is behind the running packet only
  bool short_of_places = false;    ///< its dispatch has groups without places on the shader array
  std::uint64_t short_packet = 0;  ///< the last that was
  bool short_again = false;        ///< and not for the first time
  std::uint64_t preemption_fence_id = 0;
  PreemptionLevel asked = PreemptionLevel::none;      ///< the finest that it may come to
  std::uint64_t overdue_ps = never;                   ///< an answer that has not come by then is a timeout, or told of
  std::uint64_t requested_ps = 0;                     ///< when the request was made
  PreemptionReason reason = PreemptionReason::asked;  ///< of the request
  std::uint64_t last_submitted = 0;                   ///< submission fence id
  std::uint64_t timed_out = 0;                        ///< the packet whose timeout was ignored
  std::uint32_t first = none;                         ///< in the hardware's context list, as last logged
  Turns turns;
  /// How the last attempt of each waiting context went: the same again is no other attempt.
  struct Judged {
    std::uint64_t waiting;  ///< packet
    std::uint64_t running;  ///< packet
    PreemptionAttempt result;
  };
  std::unordered_map<std::uint32_t, Judged> judged;  ///< by context; looked up alone
};

/// What the scheduler knows of a node.
struct Node {
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Engine* engine;
  LogName log_name;
  std::vector<NodeQueue> queues;
  std::vector<std::uint32_t> dependents;  ///< nodes that a reset takes along, in order
  ReadyContexts ready{wddm_policy, 0};    ///< whose next packet may run
  std::uint64_t next_fence_id = 1;
  std::uint64_t list_switches = 0;      ///< ContextSwitchFence
  std::uint64_t next_order = 0;         ///< counts submissions and turns that end
  std::uint32_t contexts = 0;           ///< how many have been created for it
  std::uint32_t first_context = none;   ///< of them
  std::uint32_t system_context = none;  ///< of them: the system's; none: nothing of it was needed
  std::vector<Arrivals> processes;
  std::uint32_t runlist = none;
  BandFloor floor{0};
  bool floor_granted = false;                           ///< the normal band runs because its part of the time had come
  std::vector<std::uint32_t> leaving;                   ///< contexts that may not want the node any more
  std::vector<std::uint32_t> on_hardware;               ///< contexts of which something is there, by number
  std::array<std::uint32_t, priority_bands> wanting{};  ///< contexts that want the node, by band
  std::uint32_t held = 0;                               ///< resets that it is part of: it gets nothing meanwhile
  std::uint64_t retry_ps = never;                       ///< a quantum or grace period ends that somebody waits for
  PreemptionAttempts attempts;

  /// Room for another packet, as the scheduler was told by interrupts; the engine may have more.
  bool has_room(std::uint32_t index) const {
    const NodeQueue& queue = queues[index];
    return queue.filling && !queue.awaits_answer && held == 0 &&
           queue.packets < engine->engine_config().hardware_queue_depth;
  }
  /// There is nothing to hand over, and nothing there.
  bool idle() const { return ready.empty() && on_hardware.empty(); }
  /// Id of the packet that runs there, or is about to; 0: there is none.
  std::uint64_t first_packet_id(std::uint32_t queue) const {
    const DmaPacket* first = engine->first_packet(queue);
    return first != nullptr ? first->id : 0;
  }
};

}  // namespace fenceline
