// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dma_packet.hpp"
#include "engines/hardware_queue/engine_listener.hpp"
#include "scheduler/config/scheduler_config.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace fenceline {

/// An engine's interrupt on its way to the scheduler.
struct EngineReport {
  std::uint64_t due_ps = 0;   ///< never: it is ignored
  std::uint64_t told_ps = 0;  ///< what the GPU has written in its command stream is known then, ignored or not
  std::uint32_t node = 0;
  std::uint32_t queue = 0;
  std::uint64_t fence_id = 0;
  bool preempted = false;
  bool page_fault = false;
  bool fresh = true;  ///< what the GPU does by itself when the packet ends has not been done
  PreemptionReport preemption;
  std::vector<DmaPacket> packets;  ///< the one completed, or those that come back
};

/// Interrupts that have been raised and not handled: each is, once its service routine and the deferred call have run.
/// Those of a node are handled in the order in which they were raised.
class InterruptLine {
 public:
  InterruptLine(const SchedulerConfig& config, std::size_t nodes);

  /// From an interrupt until its deferred call has run, picoseconds: the next one's, with its jitter.
  std::uint64_t next_latency_ps();
  /// From an interrupt until its deferred call has run, picoseconds, without jitter.
  std::uint64_t latency_ps() const { return latency_ps_; }
  /// Returns when it is handled. Hardware that schedules learns of it at once.
  std::uint64_t raise(EngineReport report);
  /// Takes the interrupts that are handled now, by time, node and packet: events of one moment have no order, these
  /// have.
  std::vector<EngineReport> take_due();
  /// All of the node that have not been handled, in the order in which they were raised.
  std::vector<EngineReport> take_of(std::uint32_t node);
  /// What the node raises from now on is not handled, until it is taken or `listen`ed to again.
  void ignore(std::uint32_t node) { ignored_[node] = true; }
  void listen(std::uint32_t node) { ignored_[node] = false; }
  bool ignores(std::uint32_t node) const { return ignored_[node]; }
  /// Packets that have ended since the last call and whose interrupt is on its way, by node and packet.
  std::vector<const EngineReport*> take_fresh();

 private:
  bool at_once_;
  std::uint64_t latency_ps_;
  double jitter_us_;
  std::mt19937_64 random_;
  std::vector<std::uint64_t> last_ps_;  // by node: when its last one is handled
  std::vector<EngineReport> reports_;
  std::vector<bool> ignored_;  // by node
};

}  // namespace fenceline
