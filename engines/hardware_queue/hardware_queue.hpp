// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/hardware_queue/context_moves.hpp"
#include "engines/hardware_queue/engine_parts.hpp"
#include "engines/hardware_queue/packet_execution.hpp"
#include "engines/hardware_queue/phase.hpp"
#include "engines/hardware_queue/stop_request.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace fenceline {

/// The DMA packets that an engine has of one hardware queue: the front one runs, those behind it wait.
///
/// A packet is launched, runs, finishes and is retired; while it runs its commands are PacketExecution's. A request to
/// preempt halts them, saves what is left and answers with the packets. The phases and the ways between them are those
/// of phase.hpp.
class HardwareQueue final : private ExecutionOwner {
 public:
  /// Number `index` of the engine.
  HardwareQueue(EngineParts& engine, std::uint32_t index);
  HardwareQueue(const HardwareQueue&) = delete;
  HardwareQueue& operator=(const HardwareQueue&) = delete;

  Phase phase() const { return phase_; }
  const std::deque<DmaPacket>& packets() const { return packets_; }
  /// It takes another packet: none while it is being stopped.
  bool has_room() const {
    return !stop_ && phase_ != Phase::resetting && packets_.size() < engine_.config.hardware_queue_depth;
  }
  /// Needs room.
  void submit(DmaPacket packet);
  /// The condition of a wait holds.
  void release(std::uint64_t packet);
  void rerank(std::uint32_t context, int priority, int in_process_priority);
  /// The packet, of which a piece has ended there, does not go on.
  void drop(std::uint64_t packet) { left_ = left_ == packet ? 0 : left_; }

  bool preempting() const { return stop_.has_value(); }
  void preempt(PreemptionLevel finest);
  void deepen(PreemptionLevel finest);
  /// What else happens at the moment of a request has happened: it counts.
  void request_counts();
  /// Goes on with a request, if there is one, as far as the present boundary allows.
  void try_stop() override;
  /// When a request is looked at again; Timer::never without one.
  std::uint64_t next_escalation_ps() const;
  PreemptionLevel finest_level() const;
  /// Since when the front packet runs, or has run while it retires or is saved; nothing if it has not begun.
  std::optional<std::uint64_t> running_since_ps() const;
  /// Until when: now, or when it finished or was stopped.
  std::uint64_t running_until_ps() const;

  /// Everything stops where it stands, at whatever granularity, and nothing is saved: EngineListener::queue_reset is
  /// told once nothing runs any more, at once from an empty queue. A request to preempt has no answer then.
  void reset();
  /// Its front packet has come to a command that never ends.
  bool stuck() const { return phase_ != Phase::idle && execution_.stuck(); }
  /// Submission fence id of the last packet that ended here; 0: none has.
  std::uint64_t last_completed() const { return last_completed_; }
  void aborted_until(std::uint64_t fence_id) { last_completed_ = fence_id; }

  /// What the executor tells of a command that the queue has issued.
  void command_halted(std::uint32_t id, CommandRemainder left);
  void command_placed(std::uint32_t id) { execution_.command_placed(id); }
  void command_waits(std::uint32_t id) { execution_.command_waits(id); }

 private:
  static constexpr std::uint32_t no_context = ~std::uint32_t{0};

  // A packet's way: hardware_queue.cpp.
  void enter(Phase phase);
  DmaPacket& front() { return packets_.front(); }
  const DmaPacket& front() const { return packets_.front(); }
  void launch(bool follows);
  void launched(std::uint64_t number);
  void loaded(std::uint64_t);
  void run();
  void executed() override;
  void retire(std::uint64_t number);

  // Stopping it: hardware_queue_stopping.cpp.
  Levels levels_in_force() const;
  void withhold();
  void halt();
  void all_stopped() override;
  void flushed(std::uint64_t number);
  void save();
  void saved(std::uint64_t);
  void answer();
  void reset_over();

  EngineParts& engine_;
  std::uint32_t index_;
  Phase phase_ = Phase::idle;
  std::deque<DmaPacket> packets_;
  PacketExecution execution_;
  ContextMoves moves_;
  std::uint64_t turn_ = 0;              // the front packet's: what the agenda has of one that was stopped is stale
  std::uint32_t context_ = no_context;  // whose state is there
  std::uint64_t left_ = 0;              // packet whose piece has ended there, and whose state is there still
  std::uint64_t last_completed_ = 0;    // submission fence id
  std::optional<StopRequest> stop_;
  bool abandoning_ = false;  // inside the calls that a reset stops commands with
};

}  // namespace fenceline
