// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dma_packet.hpp"
#include "engines/command/preemption.hpp"
#include "engines/engine_config.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/clock_domain.hpp"
#include "sim/kernel/delta_call.hpp"
#include "sim/kernel/timer.hpp"
#include "sim/log.hpp"
#include "sim/slots.hpp"

#include <systemc>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// What D3DKMDT tells apart where it speaks of preemption.
enum class WorkClass : std::uint8_t { graphics, compute, copy };

/// How a request to preempt went. All 0 where there was nothing to stop.
///
/// From the request to `drain_ps` it waited for a restore or a switch that had begun; from there to `stopped_ps` for
/// what runs, "drain"; from there to `free_ps` state was saved. What going on takes comes with the packet that goes on
/// (ContextLoad).
struct PreemptionReport {
  std::uint64_t requested_ps = 0;
  std::uint64_t drain_ps = 0;    ///< the request itself, if nothing was being restored
  std::uint64_t stopped_ps = 0;  ///< nothing runs any more
  std::uint64_t free_ps = 0;     ///< state is saved
  /// Where it stopped: the finest at which a command was stopped, `command` between two of them, `dma_buffer` where the
  /// packet ended, `none` where nothing was there.
  PreemptionLevel reached = PreemptionLevel::none;
  std::uint64_t saved_bytes = 0;
  StateBytes saved;                           ///< the same, by what it is
  std::uint64_t last_completed_fence_id = 0;  ///< of the hardware queue; 0: none yet
};

class Engine;

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
};

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
/// predicate skips pass through the front end and no further. Kinds of engines say
/// what a command costs by starting it and calling back.
class Engine : public sc_core::sc_module {
 public:
  Engine(sc_core::sc_module_name name, const EngineConfig& config, EventLog& log);

  void set_listener(EngineListener& listener) { listener_ = &listener; }
  const EngineConfig& engine_config() const { return config_; }
  /// The hardware queue takes another packet: none while it is being stopped.
  bool has_room(std::uint32_t queue) const {
    return !queues_[queue].stop && queues_[queue].packets.size() < config_.hardware_queue_depth;
  }
  std::size_t packets_in(std::uint32_t queue) const { return queues_[queue].packets.size(); }
  /// Which runs, or is about to; null if there is none.
  const DmaPacket* first_packet(std::uint32_t queue) const {
    return queues_[queue].packets.empty() ? nullptr : &queues_[queue].packets.front();
  }
  /// In their order; the first is running.
  template <class Visit>
  void for_each_packet(std::uint32_t queue, Visit&& visit) const {
    for (const DmaPacket& packet : queues_[queue].packets) visit(packet);
  }

  /// Needs room. The engine owns the packet until it tells its listener. True: there is room for another.
  bool submit(std::uint32_t queue, DmaPacket packet);
  /// Stop what the hardware queue holds at the next boundary that the engine's granularity allows, finer ones later
  /// where it escalates, but none finer than `finest`, and save its state: with `dma_buffer` the running packet ends
  /// first and those behind it are withheld. The answer comes through packets_preempted, at once when the hardware
  /// queue is empty. Not while an earlier request has not been answered.
  void preempt(std::uint32_t queue, PreemptionLevel finest = PreemptionLevel::shader);
  /// The request under way may stop as fine as `finest` from now on, as RequestedLevel says: an escalation begins anew.
  /// Nothing happens where there is none (it may have been answered at this moment) or it may do so already.
  void deepen(std::uint32_t queue, PreemptionLevel finest);
  bool preempting(std::uint32_t queue) const { return queues_[queue].stop.has_value(); }
  /// The condition of a wait in the hardware queue holds: what is behind it may run.
  void release(std::uint32_t queue, std::uint64_t packet);
  /// What it holds of the context has another rank on the shader array from now on.
  void rerank(std::uint32_t context, int priority, int in_process_priority);
  /// The finest level at which a request could stop what the hardware queue runs now.
  PreemptionLevel finest_level(std::uint32_t queue) const;
  /// The level's name in the words of the work that the engine is for: "pixel_boundary", "thread_boundary".
  const char* level_name(PreemptionLevel level) const;
  /// Since when the front packet of the hardware queue has been running; nothing if it has not begun.
  std::optional<std::uint64_t> running_since_ps(std::uint32_t queue) const;

 protected:
  /// Begins `command` now, or goes on with what is left of it. `done` is called once, when it is complete, and never
  /// from inside `start`. `id` names it until then.
  virtual void start(std::uint32_t id, const DmaPacket& packet, const Command& command, const CommandRemainder* left,
                     Callback done) = 0;
  /// Stops a command that has started at the boundary of `level`, command or finer: `halted` says what is left, unless
  /// it ends before. At level `command` only if it holds nothing. Comes again with a finer level. Without an answer the
  /// command runs to its end.
  virtual void halt(std::uint32_t id, PreemptionLevel level) = 0;
  /// The packet, which runs, has another rank: its commands under way, too.
  virtual void reranked(const DmaPacket& packet) { (void)packet; }
  /// It has done a unit of work at `level`, group or finer, since it started or went on.
  virtual bool has_worked(std::uint32_t id, PreemptionLevel level) const = 0;
  /// The command has stopped. May be called from inside `halt`.
  void halted(std::uint32_t id, CommandRemainder left);
  /// All groups of a dispatch have places. Not after its end.
  void command_placed(std::uint32_t id);
  /// Some groups of a dispatch have to wait for places.
  void command_waits(std::uint32_t id);
  /// Which granularity counts while the command runs.
  virtual WorkClass class_of(const Command& command) const = 0;
  /// Classes that the engine runs.
  virtual std::vector<WorkClass> classes() const { return {WorkClass::graphics, WorkClass::compute, WorkClass::copy}; }
  /// Saves or restores state; without a memory this takes no time.
  virtual void move_state(std::uint64_t bytes, Callback done);
  /// What the front end takes for `next`, cycles of clock(); `previous` is the command it started before in the same
  /// packet, or null.
  virtual std::uint64_t front_end_cycles(const Command* previous, const Command& next) const;
  /// `next` must not begin before everything that started with or after `running` in its list is complete.
  virtual bool must_drain(const Command& running, const Command& next) const;
  Agenda& agenda() { return agenda_; }
  const ClockDomain& clock() const { return clock_; }
  EventLog& log() { return log_; }

 private:
  static constexpr std::uint32_t no_context = ~std::uint32_t{0};
  static constexpr std::uint32_t no_command = ~std::uint32_t{0};
  using Levels = std::array<PreemptionLevel, 3>;  // by WorkClass
  /// A request to preempt under way.
  struct Stop {
    explicit Stop(RequestedLevel level) : requested(std::move(level)) {}
    RequestedLevel requested;
    PreemptionReport report;
    bool settled = false;   // what happens at the moment of the request has happened
    bool halting = false;   // no command begins any more
    bool asking = false;    // inside the calls to halt
    bool flushing = false;  // everything has stopped and is not yet complete
    bool saving = false;
    std::uint64_t retry_ps = Timer::never;  // the packet may have done a unit of work by then
    std::vector<DmaPacket> withheld;        // those behind the front packet
  };
  struct HardwareQueue {
    std::deque<DmaPacket> packets;       // the front one runs
    std::uint64_t generation = 0;        // of what the agenda holds for this queue: older entries are stale
    bool starting = false;               // the front packet's context is being restored, or it launches
    bool restoring = false;              // the former: not to be interrupted
    bool owes = false;                   // the front packet does a unit of work before it is stopped
    bool launched = false;               // its commands have begun, or gone on
    bool ending = false;                 // they are complete
    bool issuing = false;                // the front packet has launched
    bool fetching = false;               // the front end works on the next command
    bool working = false;                // it does, and waits for nothing else
    std::uint64_t working_ps = 0;        // since when
    std::uint64_t worked_ps = 0;         // on the next command so far, until then
    std::uint64_t credit_ps = 0;         // besides, before the packet was stopped: need not be done again
    bool held = false;                   // the next command is ready, but has to wait for the dispatch before it
    std::uint32_t placing = no_command;  // the last dispatch, while not all of its groups have places
    bool fetched = false;                // the next command was fetched while a barrier waited
    bool indirect = false;               // the ExecuteIndirect at the cursor has its arguments: its command is next
    std::vector<std::uint32_t> running;  // commands of the front packet
    std::uint64_t complete_ps = 0;       // when everything that is done will be complete
    const Command* previous = nullptr;   // started last, of the front packet
    std::uint64_t load_ps = 0;           // since when the front packet's context is being switched to, or restored
    std::uint32_t loaded_context = no_context;
    std::uint64_t last_completed = 0;  // submission fence id
    std::optional<Stop> stop;
  };
  struct InFlight {
    std::uint32_t queue;
    const Command* command;  // of the packet's stream
    std::size_t index;       // in that stream; of what an ExecuteIndirect runs, the ExecuteIndirect's
    std::uint64_t sequence;
    std::uint64_t start_ps;
  };
  // Running: engine.cpp.
  std::uint64_t token(std::uint32_t queue) const;
  std::optional<std::uint32_t> live(std::uint64_t token) const;
  void begin(std::uint32_t queue, bool follows);
  void launch(std::uint64_t token);
  void issue(std::uint32_t queue);
  void fetched(std::uint64_t token);
  static const Command& next_of(const HardwareQueue& queue);
  static void advance(HardwareQueue& queue);
  static void pass(HardwareQueue& queue);
  void read_memory(std::uint32_t queue);
  void memory_read(std::uint64_t token);
  static std::uint64_t work_until(HardwareQueue& queue, std::uint64_t end_ps);
  static void stop_working(HardwareQueue& queue);
  std::uint64_t fetch_end_ps(const HardwareQueue& queue, const Command& next) const;
  bool must_hold(const HardwareQueue& queue) const;
  void go_on(std::uint32_t queue);
  void execute_next(std::uint32_t queue);
  void command_done(std::uint64_t id);
  void tell_piece(const DmaPacket& packet, const InFlight& command, bool stopped);
  static void leave(HardwareQueue& queue, std::uint32_t id);
  void take_timestamp(HardwareQueue& queue, std::uint32_t slot);
  bool drained(std::uint32_t queue);
  void drained_at(std::uint64_t token);
  void finish(std::uint32_t queue);
  void retire(std::uint64_t token);
  void log_piece(const DmaPacket& packet, bool stopped);
  // Stopping and going on: engine_preemption.cpp.
  Levels in_force(const Stop& stop) const;
  PreemptionLevel level_of(const DmaPacket& packet, const Command& command, const Levels& levels) const;
  PreemptionLevel level_between_packets(const Levels& levels) const;
  PreemptionLevel level_of(const HardwareQueue& queue, const Levels& levels) const;
  void settle(std::uint64_t);
  void settled(std::uint64_t);
  void escalate(std::uint64_t);
  void set_escalation();
  void try_stop(std::uint32_t queue);
  bool can_halt(const HardwareQueue& queue) const;
  PreemptionLevel halting_level(const HardwareQueue& queue, std::uint32_t command) const;
  bool owes_work(const HardwareQueue& queue, std::uint32_t command, PreemptionLevel level) const;
  void halt_commands(std::uint32_t queue);
  void commands_stopped(std::uint32_t queue);
  void flushed(std::uint64_t queue);
  void save(std::uint32_t queue);
  void save_bytes(std::uint64_t queue);
  void saved(std::uint64_t queue);
  void answer(std::uint32_t queue);
  void log_preemption(const char* what, std::uint64_t from_ps, std::uint64_t packet);
  void switched(std::uint64_t queue);
  void restore_bytes(std::uint64_t queue);
  void restored(std::uint64_t queue);
  void loaded(std::uint32_t queue);
  void resume_commands(std::uint32_t queue);

  EngineConfig config_;
  ClockDomain clock_;
  std::uint64_t indirect_fetch_ps_;
  std::array<LevelSchedule, 3> schedules_;  // by WorkClass
  EventLog& log_;
  LogName log_track_;
  LogName packet_category_;
  LogName command_category_;
  LogName preemption_category_;
  Agenda agenda_;
  EngineListener* listener_ = nullptr;
  std::vector<HardwareQueue> queues_;
  Slots<InFlight> in_flight_;
  std::uint64_t next_sequence_ = 0;
  DeltaCall settle_;
  Timer escalation_;  // the next step of a request under way
};

}  // namespace fenceline
