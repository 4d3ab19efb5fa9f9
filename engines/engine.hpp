// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/hardware_queue/hardware_queue.hpp"
#include "sim/kernel/delta_call.hpp"
#include "sim/kernel/timer.hpp"
#include "sim/log.hpp"

#include <systemc>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace fenceline {

/// A node's engine: runs the DMA packets of each of its hardware queues in order, several queues side by side.
///
/// A packet that is stopped inside keeps what is left of it, to the last byte and thread group, and goes on there.
///
/// Begun means resident: at level `command` what holds a place in the shader array or a fixed-function stage, or whose
/// bytes are being moved, finishes; commands that have started and hold nothing go back with the packet. What happens
/// at the moment of a request comes before it: a unit that begins there has begun.
///
/// Whoever is stopped makes progress. Once a restore or a switch of contexts has begun it is finished, and the oldest
/// command of the packet does a unit of work before it is stopped: at level `command` it ends, at `group` and `thread`
/// one of its groups has begun (and so runs to its boundary), at `shader` one has run for a cycle; a copy has moved a
/// byte or worked on its set-up; a command that only the front end runs has passed. A packet that was turned back while
/// it was launched, before it did anything, is launched next time and does a unit, too. So each second submission at
/// least takes something off a finite list of units, and a packet ends however often it is stopped.
///
/// Inside one packet a command may start while earlier ones still run; a barrier waits for them. Commands that a
/// predicate skips pass through the front end and no further. Kinds of engines say what a command costs by starting it
/// and calling back (CommandExecutor). How a packet passes is told by HardwareQueue, how its
/// commands do by PacketExecution.
class Engine : public sc_core::sc_module, protected CommandExecutor {
 public:
  /// A node of the machine; kinds of engines derive from it.
  Engine(sc_core::sc_module_name name, const EngineConfig& config, EventLog& log);

  void set_listener(EngineListener& listener) {
    parts_.listener = &listener;
  }                                                              ///< who hears of its packets; outlives it
  const EngineConfig& engine_config() const { return config_; }  ///< what it was made from, or `change` made of it
  /// Where work stops, and what stopping and resuming a context costs, are those of `config` from now on, also for
  /// requests under way, and for what of a save or restore has not begun. All else stays.
  void change(const EngineConfig& config);
  /// The hardware queue takes another packet: none while it is being stopped.
  bool has_room(std::uint32_t queue) const { return queues_[queue]->has_room(); }
  std::size_t packets_in(std::uint32_t queue) const { return queues_[queue]->packets().size(); }  ///< how many it holds
  /// Which runs, or is about to; null if there is none.
  const DmaPacket* first_packet(std::uint32_t queue) const {
    const auto& packets = queues_[queue]->packets();
    return packets.empty() ? nullptr : &packets.front();
  }
  /// In their order; the first is running.
  template <class Visit>
  void for_each_packet(std::uint32_t queue, Visit&& visit) const {
    for (const DmaPacket& packet : queues_[queue]->packets()) visit(packet);
  }

  /// Needs room. The engine owns the packet until it tells its listener.
  void submit(std::uint32_t queue, DmaPacket packet);
  /// Stop what the hardware queue holds at the next boundary that the engine's granularity allows, finer ones later
  /// where it escalates, but none finer than `finest`, and save its state: with `dma_buffer` the running packet ends
  /// first and those behind it are withheld. The answer comes through packets_preempted, at once when the hardware
  /// queue is empty. Not while an earlier request has not been answered.
  void preempt(std::uint32_t queue, PreemptionLevel finest = finest_preemption_level);
  /// The request under way may stop as fine as `finest` from now on, as RequestedLevel says: an escalation begins anew.
  /// Nothing happens where there is none (it may have been answered at this moment) or it may do so already.
  void deepen(std::uint32_t queue, PreemptionLevel finest);
  bool preempting(std::uint32_t queue) const {
    return queues_[queue]->preempting();
  }                                                                           ///< a request has not been answered
  Phase phase(std::uint32_t queue) const { return queues_[queue]->phase(); }  ///< how far its first packet is
  /// Resets the node: each of its hardware queues is emptied, and tells EngineListener::queue_reset.
  void reset();
  /// The hardware queue's front packet has come to a command that never ends.
  bool stuck(std::uint32_t queue) const { return queues_[queue]->stuck(); }
  /// Submission fence id of the last packet that ended in the hardware queue; 0: none has.
  std::uint64_t last_completed(std::uint32_t queue) const { return queues_[queue]->last_completed(); }
  /// A reset has aborted what the hardware queue held up to that submission fence id: it counts as the last that ended.
  void aborted_until(std::uint32_t queue, std::uint64_t fence_id) { queues_[queue]->aborted_until(fence_id); }
  /// The condition of a wait in the hardware queue holds: what is behind it may run.
  void release(std::uint32_t queue, std::uint64_t packet) { queues_[queue]->release(packet); }
  /// The packet, of which a piece has ended in the hardware queue, does not go on.
  void drop(std::uint32_t queue, std::uint64_t packet) { queues_[queue]->drop(packet); }
  /// What it holds of the context has another rank on the shader array from now on.
  void rerank(std::uint32_t context, int priority, int in_process_priority);
  /// The finest level at which a request could stop what the hardware queue runs now.
  PreemptionLevel finest_level(std::uint32_t queue) const { return queues_[queue]->finest_level(); }
  /// The level's name in the words of the work that the engine is for: "pixel_boundary", "thread_boundary".
  const char* level_name(PreemptionLevel level) const;
  /// Since when the front packet of the hardware queue has been running, or ran until it finished or was stopped;
  /// nothing if it has not begun.
  std::optional<std::uint64_t> running_since_ps(std::uint32_t queue) const {
    return queues_[queue]->running_since_ps();
  }
  /// Until when, for one that has begun: now, or when it finished or was stopped.
  std::uint64_t running_until_ps(std::uint32_t queue) const { return queues_[queue]->running_until_ps(); }

 protected:
  /// The command has stopped at a halt. May be called from inside `halt`.
  void halted(std::uint32_t id, CommandRemainder left) { queue_of(id).command_halted(id, std::move(left)); }
  /// All groups of a dispatch have places. Not after its end.
  void command_placed(std::uint32_t id) { queue_of(id).command_placed(id); }
  /// Some groups of a dispatch have to wait for places.
  void command_waits(std::uint32_t id) { queue_of(id).command_waits(id); }
  void move_state(std::uint64_t bytes, Callback done) override;  ///< of a context, to or from memory
  std::uint64_t front_end_cycles(const Command* previous,
                                 const Command& next) const override;  ///< until the next command may start
  Agenda& agenda() { return agenda_; }                                 ///< of everything that happens inside
  const ClockDomain& clock() const { return clock_; }                  ///< of the node
  EventLog& log() { return log_; }                                     ///< of the machine

 private:
  HardwareQueue& queue_of(std::uint32_t command) { return *queues_[parts_.commands[command].queue]; }
  void settle(std::uint64_t);
  void settled(std::uint64_t);
  void escalate(std::uint64_t);
  void set_escalation(std::uint64_t = 0);

  EngineConfig config_;
  ClockDomain clock_;
  EventLog& log_;
  Agenda agenda_;
  EngineParts parts_;
  std::vector<std::unique_ptr<HardwareQueue>> queues_;
  DeltaCall settle_;
  Timer escalation_;  // the next step of a request under way
};

}  // namespace fenceline
