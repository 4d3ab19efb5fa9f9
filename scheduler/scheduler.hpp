// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"
#include "scheduler/candidates.hpp"
#include "scheduler/context_log.hpp"
#include "scheduler/context_queues.hpp"
#include "scheduler/packet_waits.hpp"
#include "scheduler/paging/budget_watch.hpp"
#include "scheduler/paging/paging_config.hpp"
#include "scheduler/paging/paging_port.hpp"
#include "scheduler/paging/residency.hpp"
#include "scheduler/preemptor.hpp"
#include "scheduler/priorities.hpp"
#include "scheduler/queue_filler.hpp"
#include "scheduler/recovery.hpp"
#include "scheduler/recovery/tdr_config.hpp"
#include "scheduler/recovery/watchdog.hpp"
#include "scheduler/removed_devices.hpp"
#include "scheduler/runlist_turns.hpp"
#include "scheduler/state/interrupt_line.hpp"
#include "scheduler/state/scheduler_state.hpp"
#include "scheduler/suspensions.hpp"
#include "scheduler/turn_keeper.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/delta_call.hpp"
#include "sim/kernel/timer.hpp"

#include <systemc>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace fenceline {

/// A context that cannot go on: the first packet of its software queue waits.
struct StuckContext {
  ContextId context;    ///< whose
  FenceId fence;        ///< for which
  std::uint64_t value;  ///< at or above
};

/// Moves queue packets from the contexts' software queues to the nodes' hardware queues, and fences when they are done.
///
/// Within a context everything happens in the order submitted. A wait holds back what follows it; a signal or present
/// takes place once everything before it is complete, and does not hold back what follows. Between contexts the policy
/// decides, and asks engines to stop what has to give way: it comes back and is submitted again with a new submission
/// fence id. Where processes take turns, a runlist's engines run the packets of one process at a time.
///
/// With hardware scheduling a context's queue is a ring that the hardware reads: it knows of an engine's reports at
/// once and goes on with the next context that is neither idle nor blocked by a wait; no interrupt is on that path.
/// What the CPU learns through fences still takes one. Source: DxgkDdiSwitchToHwContextList, windows-driver-docs-ddi.
class Scheduler : public sc_core::sc_module, public EngineListener, private ReportHandler, private PagingPort {
 public:
  /// Node i is `nodes[i]`; the engines must outlive the scheduler.
  Scheduler(sc_core::sc_module_name name, const SchedulerConfig& config, const std::vector<Engine*>& nodes,
            FenceUnit& fences, EventLog& log, const TdrConfig& tdr = {std::string(), TdrLevel::off},
            const PagingConfig& paging = {});

  /// One whose contexts it is to know.
  ProcessId create_process(const ProcessConfig& config);
  /// On the node that it names, of a process that there is.
  ContextId create_context(const ContextConfig& config);
  /// What is known of one that is not freed.
  const Context& context(ContextId id) const { return state_.contexts[static_cast<std::uint32_t>(id)]; }
  /// How many have been created.
  std::size_t contexts() const { return state_.contexts.numbers(); }
  /// Nothing more will be submitted to it: it is freed when all that it has is complete, and its id is used no more.
  void close(ContextId id);
  /// It has been closed, and nothing is known of it.
  bool freed(ContextId id) const { return !state_.contexts.contains(static_cast<std::uint32_t>(id)); }

  /// The process's window gets the focus, and whoever had it loses it: normal contexts move to the focus band or back,
  /// and each node sees whether what runs has to give way. Source: DxgkDdiNotifyFocusPresent.
  void set_focus(ProcessId process) {
    budgets_.around([&] { priorities_.set_focus(process); });
  }
  /// What the bands allow, and whether what runs may be stopped, are those of `config` from now on, also for turns and
  /// waits under way. All else stays.
  void change(const SchedulerConfig& config);
  /// The context's priority, quantum and graces are those of `standing` from now on. All else stays.
  void change(ContextId context, const ContextConfig& standing) { priorities_.change(context, standing); }
  /// So many processes that are not simulated have queues beside the process's (docs/residency.md, rule 28).
  void set_background_processes(ProcessId process, const BudgetPeers& peers) {
    budgets_.around([&] { residency_.device(static_cast<std::uint32_t>(process)).peers = peers; });
  }
  /// Hears of each change of a process's budget of video memory, from inside the simulation.
  void on_budget_change(BudgetWatch::Told told) { budgets_.on_change(std::move(told)); }
  /// D3DKMTSetProcessSchedulingPriorityClass: counts from now on for what has not ended. `realtime_level` is 0 to 31.
  void set_priority(ProcessId process, ProcessPriority priority, std::uint32_t realtime_level) {
    priorities_.set_priority(process, priority, realtime_level);
  }
  /// D3DKMTSetContextInProcessSchedulingPriority and the level inside the realtime band; what is not set stays.
  void set_priority(ContextId context, std::optional<int> in_process, std::optional<std::uint32_t> realtime_level) {
    priorities_.set_priority(context, in_process, realtime_level);
  }

  /// What the context gets after it is behind the marker. It takes no time; the log is told.
  void mark(ContextId context, const Marker& marker);
  /// Returns the number of its packet in the log.
  std::uint64_t execute(ContextId context, std::shared_ptr<const CommandStream> stream,
                        std::shared_ptr<CommandEffects> effects = nullptr);
  /// Broadcast: on each of the contexts. What it does to its submitter it does once, on the first; its number comes
  /// back.
  std::uint64_t execute(const std::vector<ContextId>& contexts, const std::shared_ptr<const CommandStream>& stream,
                        std::shared_ptr<CommandEffects> effects = nullptr);
  /// Takes place when all that the context has before it is complete.
  void signal(ContextId context, FenceId fence, std::uint64_t value);
  /// Broadcast: takes place once all that each of the contexts has before it is complete. At least one.
  void signal(const std::vector<ContextId>& contexts, FenceId fence, std::uint64_t value);
  /// What is queued after it waits until the fence is at `value` or above.
  void wait(ContextId context, FenceId fence, std::uint64_t value);
  /// A frame of a swap chain whose frames are counted by that fence: calls back when everything before it is complete.
  /// `dropped` where that never happens.
  void present(ContextId context, FenceId frames, std::uint64_t frame, Callback reached, Callback dropped = {});
  /// Broadcast: once that holds for each of the contexts.
  void present(const std::vector<ContextId>& contexts, FenceId frames, std::uint64_t frame, Callback reached,
               Callback dropped = {});
  /// Asks the context's node to stop what it holds of the context, whatever the policy says. For tests and
  /// measurements; false when nothing of it is there or a request is under way.
  bool preempt(ContextId context);

  /// Nothing of the context runs until it is resumed. There is no grace period: what is on the node is asked to stop.
  /// True: it has stopped already; else `suspended` tells. Source: DxgkDdiSuspendContext.
  bool suspend(ContextId context) { return suspensions_.suspend(state_.place_of(context), Suspender::program); }
  /// It goes on when its turn comes.
  void resume(ContextId context) { suspensions_.resume(state_.place_of(context), Suspender::program); }
  /// The context is suspended and nothing of it is on the node any more.
  bool suspended(ContextId id) const {
    const Context& one = state_.contexts[state_.place_of(id)];
    return one.suspended() && one.in_flight.empty();
  }
  /// Suspended contexts with packets, in order of creation.
  std::vector<ContextId> held() const;

  /// The process's device is removed: what it submits is discarded.
  bool removed(ProcessId process) const { return state_.processes[static_cast<std::uint32_t>(process)].removed; }
  /// The page fault that its device was removed for, if it was one.
  std::optional<FaultingAccess> page_fault(ProcessId process) const {
    const Process& one = state_.processes[static_cast<std::uint32_t>(process)];
    return one.removed ? one.fault : std::nullopt;
  }
  /// It is released, and another one is made. False: it is not removed, or the process gets none.
  bool create_device(ProcessId process) { return devices_.create(static_cast<std::uint32_t>(process)); }
  /// Hears of each removal, from inside the simulation, once the device's packets have been cancelled.
  void on_removal(std::function<void(ProcessId, RemovalReason)> told) { devices_.on_removal(std::move(told)); }
  /// Too many timeouts, or one that is not to be recovered from, have ended the run.
  bool bugchecked() const { return recovery_.bugchecked(); }
  /// Contexts whose first packet has come to a command that never ends, in order of creation.
  std::vector<ContextId> stuck_on_hardware() const;

  /// Packets submitted and not yet completed, signals and waits included.
  std::uint64_t outstanding() const { return state_.outstanding; }
  /// Contexts whose next packet is a wait that has not been satisfied, in order of creation.
  std::vector<StuckContext> stuck() const;
  /// Contexts with a submitted signal that would bring the fence to `value` or above.
  std::vector<ContextId> holders(FenceId fence, std::uint64_t value) const;
  /// It has decided `rounds_without_progress` times in a row with nothing that ran, ended or came in between, and
  /// decides no more.
  bool gave_up() const { return state_.rounds > config_.rounds_without_progress; }
  /// Contexts with packets that have not completed, in order of creation.
  std::vector<ContextId> busy() const;
  /// What is in video memory.
  Residency& residency() { return residency_; }
  const Residency& residency() const { return residency_; }  ///< the same
  /// Attempts to preempt on a node.
  const PreemptionAttempts& attempts(std::uint32_t node) const { return state_.nodes[node].attempts; }
  /// Time stamps of completed packets, in order of completion.
  struct TimestampRecord {
    ContextId context;     ///< whose
    std::uint64_t packet;  ///< id of the queue packet
    std::uint32_t slot;    ///< index in the query heap
    std::uint64_t at_ps;   ///< simulated time
  };
  const std::vector<TimestampRecord>& timestamps() const { return timestamps_; }  ///< all so far

  // What engines tell (EngineListener): scheduler_interrupts.cpp.
  /// Of the engine: it is done there.
  void packet_completed(Engine& engine, std::uint32_t queue, DmaPacket packet) override;
  /// Of the engine: a request has been answered.
  void packets_preempted(Engine& engine, std::uint32_t queue, const PreemptionReport& report,
                         std::vector<DmaPacket> packets) override;
  /// Of the engine: it begins, or goes on.
  void packet_launched(Engine& engine, std::uint32_t queue) override;
  /// Of the engine: some wait for places, or none.
  void places_wanted(Engine& engine, std::uint32_t queue, bool wanted) override;
  /// Of the engine: it has been emptied.
  void queue_reset(Engine& engine, std::uint32_t queue, std::vector<DmaPacket> packets) override;
  /// Of the engine: nothing but a reset ends it.
  void got_stuck(Engine& engine, std::uint32_t queue, bool page_fault) override;

 private:
  void handle(EngineReport& report) override;
  void return_packet(Node& node, std::uint32_t queue, DmaPacket& dma) override;

  // A round of decisions: scheduler.cpp.
  void decide_round(std::uint64_t);
  void advance_awake();
  void serve(Node& node);
  void set_timer();
  void time_is_up(std::uint64_t);
  void settle(std::uint64_t);
  void settled(std::uint64_t);

  // What engines tell: scheduler_interrupts.cpp.
  void interrupt(EngineReport report);
  void reconsider(std::uint64_t);
  void write_signals(const EngineReport& report);
  void complete(EngineReport& report);
  void take_back(EngineReport& report);
  void left_hardware(Node& node, std::uint32_t context) override;

  // The system's contexts, and the ends of contexts: scheduler_context.cpp.
  std::uint64_t submit(PacketType type, std::uint32_t node, std::shared_ptr<const CommandStream> buffer,
                       std::shared_ptr<CommandEffects> effects) override;
  void withdraw(std::uint32_t context, bool ready) override;
  bool held_up() const override;
  ContextHolds& holds() override { return suspensions_; }
  void free_closed();

  SchedulerConfig config_;
  TdrRules tdr_;
  PagingConfig paging_;
  Agenda agenda_;
  DeltaCall round_;
  SchedulerState state_;
  ContextLog log_;
  PacketWaits waits_;
  Candidates candidates_;
  TurnKeeper turns_;
  Priorities priorities_;
  Preemptor preemptor_;
  RunlistTurns runlist_turns_;
  Residency residency_;
  BudgetWatch budgets_;
  ContextQueues queues_;
  Suspensions suspensions_;
  QueueFiller filler_;
  RemovedDevices devices_;
  Recovery recovery_;
  std::vector<std::uint32_t> closed_;     // contexts that may have nothing left
  std::vector<std::uint32_t> advancing_;  // contexts of advance_awake, whose memory it keeps
  std::vector<TimestampRecord> timestamps_;
  bool settled_ = false;  // what else happens at the moment of this round has happened
  DeltaCall settle_;      // until what the engines do at this moment is done
  Timer timer_;           // the next end of a quantum, grace period or time slice that somebody waits for
};

}  // namespace fenceline
