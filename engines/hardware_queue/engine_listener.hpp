// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dma_packet.hpp"
#include "engines/command/preemption.hpp"
#include "engines/hardware_queue/phase.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

class Engine;

/// How a request to preempt went. All 0 where there was nothing to stop.
///
/// From the request to `drain_from_ps` it waited for a restore or a switch that had begun; from there to `stopped_ps`
/// for what runs, "drain"; from there to `free_ps` state was saved. What going on takes comes with the packet that goes
/// on (ContextLoad).
struct PreemptionReport {
  std::uint64_t requested_ps = 0;
  std::uint64_t drain_from_ps = 0;  ///< the request itself, if nothing was being restored
  std::uint64_t stopped_ps = 0;     ///< nothing runs any more
  std::uint64_t free_ps = 0;        ///< state is saved
  /// Where it stopped: the finest at which a command was stopped, `command` between two of them, `dma_buffer` where the
  /// packet ended, `none` where nothing was there.
  PreemptionLevel reached = PreemptionLevel::none;
  std::uint64_t saved_bytes = 0;
  StateBytes saved;                           ///< the same, by what it is
  std::uint64_t last_completed_fence_id = 0;  ///< of the hardware queue; 0: none yet
};

/// Who gives packets to engines and hears of them again: the scheduler.
class EngineListener {
 public:
  virtual ~EngineListener() = default;
  /// The packet is done and retired; its place in the hardware queue is free.
  virtual void packet_completed(Engine& engine, std::uint32_t queue, DmaPacket packet) = 0;
  /// Answer to Engine::preempt, once the engine has stopped and saved what it has to: the packets that will not run
  /// now, in their order, each with what it resumes from. May be empty.
  virtual void packets_preempted(Engine& engine, std::uint32_t queue, const PreemptionReport& report,
                                 std::vector<DmaPacket> packets) = 0;
  /// The first packet of the hardware queue begins, or goes on.
  virtual void packet_launched(Engine& engine, std::uint32_t queue) { (void)engine, (void)queue; }
  /// The dispatch that the hardware queue runs has thread groups without a place on the shader array, or not any more.
  virtual void places_wanted(Engine& engine, std::uint32_t queue, bool wanted) {
    (void)engine, (void)queue, (void)wanted;
  }
  /// Answer to Engine::reset, when nothing runs any more: all packets that the hardware queue held, in their order.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): they are handed over
  virtual void queue_reset(Engine& engine, std::uint32_t queue, std::vector<DmaPacket> packets) {
    (void)engine, (void)queue, (void)packets;
  }
  /// The packet that the hardware queue runs has come to a command that never ends. `page_fault`: it has accessed
  /// memory that is not there.
  virtual void got_stuck(Engine& engine, std::uint32_t queue, bool page_fault) {
    (void)engine, (void)queue, (void)page_fault;
  }
  /// The hardware queue has gone from one phase to another: a row of phase_changes.
  virtual void phase_changed(Engine& engine, std::uint32_t queue, Phase from, Phase to) {
    (void)engine, (void)queue, (void)from, (void)to;
  }
};

}  // namespace fenceline
