// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"
#include "scheduler/context.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "scheduler/policies/arrivals.hpp"
#include "scheduler/policies/band_floor.hpp"
#include "scheduler/policies/policy.hpp"
#include "scheduler/policies/preemption_attempts.hpp"
#include "scheduler/policies/ready_contexts.hpp"
#include "scheduler/policies/turns.hpp"
#include "scheduler/scheduler_config.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/delta_call.hpp"
#include "sim/kernel/timer.hpp"
#include "sim/numbered.hpp"
#include "sim/slots.hpp"

#include <systemc>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace fenceline {

/// A context that cannot go on: the first packet of its software queue waits.
struct StuckContext {
  ContextId context;
  FenceId fence;
  std::uint64_t value;
};

/// Moves queue packets from the contexts' software queues to the nodes' hardware queues, and fences when they are done.
///
/// Within a context everything happens in the order submitted. A wait holds back what follows it; a signal or present
/// takes place once everything before it is complete, and does not hold back what follows. Between contexts the policy
/// decides, and asks engines to stop what has to give way: it comes back and is submitted again with a new id. Where
/// processes take turns, a runlist's engines run the packets of one process at a time.
///
/// With hardware scheduling a context's queue is a ring that the hardware reads: it knows of an engine's reports at
/// once and goes on with the next context that is neither idle nor blocked by a wait; no interrupt is on that path.
/// What the CPU learns through fences still takes one. Source: DxgkDdiSwitchToHwContextList, windows-driver-docs-ddi.
class Scheduler : public sc_core::sc_module, public EngineListener, public FenceWaiter {
 public:
  /// Node i is `nodes[i]`; the engines must outlive the scheduler.
  Scheduler(sc_core::sc_module_name name, const SchedulerConfig& config, const std::vector<Engine*>& nodes,
            FenceUnit& fences, EventLog& log);

  ProcessId create_process(const ProcessConfig& config);
  ContextId create_context(const ContextConfig& config);
  const Context& context(ContextId id) const { return contexts_[static_cast<std::uint32_t>(id)]; }
  /// How many have been created.
  std::size_t contexts() const { return contexts_.numbers(); }
  /// Nothing more will be submitted to it: it is freed when all that it has is complete, and its id is used no more.
  void close(ContextId id);
  /// It has been closed, and nothing is known of it.
  bool freed(ContextId id) const { return !contexts_.contains(static_cast<std::uint32_t>(id)); }

  /// The process's window gets the focus, and whoever had it loses it: normal contexts move to the focus band or back,
  /// and each node sees whether what runs has to give way. Source: DxgkDdiNotifyFocusPresent.
  void set_focus(ProcessId process);
  /// D3DKMTSetProcessSchedulingPriorityClass: counts from now on for what has not ended. `realtime_level` is 0 to 31.
  void set_priority(ProcessId process, ProcessPriority priority, std::uint32_t realtime_level);
  /// D3DKMTSetContextInProcessSchedulingPriority and the level inside the realtime band; what is not set stays.
  void set_priority(ContextId context, std::optional<int> in_process, std::optional<std::uint32_t> realtime_level);

  void execute(ContextId context, std::shared_ptr<const CommandStream> stream);
  void signal(ContextId context, FenceId fence, std::uint64_t value);
  void wait(ContextId context, FenceId fence, std::uint64_t value);
  /// A frame of a swap chain whose frames are counted by that fence: calls back when everything before it is complete.
  void present(ContextId context, FenceId frames, std::uint64_t frame, Callback reached);
  /// Asks the context's node to stop what it holds of the context, whatever the policy says. For tests and
  /// measurements; false when nothing of it is there or a request is under way.
  bool preempt(ContextId context);

  /// Nothing of the context runs until it is resumed. There is no grace period: what is on the node is asked to stop.
  /// True: it has stopped already; else `suspended` tells. Source: DxgkDdiSuspendContext.
  bool suspend(ContextId context);
  void resume(ContextId context);
  /// The context is suspended and nothing of it is on the node any more.
  bool suspended(ContextId id) const { return context(id).suspended && context(id).in_flight.empty(); }
  /// Suspended contexts with packets, in order of creation.
  std::vector<ContextId> held() const;

  /// Packets submitted and not yet completed, signals and waits included.
  std::uint64_t outstanding() const { return outstanding_; }
  /// Contexts whose next packet is a wait that has not been satisfied, in order of creation.
  std::vector<StuckContext> stuck() const;
  /// Contexts with a submitted signal that would bring the fence to `value` or above.
  std::vector<ContextId> holders(FenceId fence, std::uint64_t value) const;
  /// It has decided `rounds_without_progress` times in a row with nothing that ran, ended or came in between, and
  /// decides no more.
  bool gave_up() const { return rounds_ > config_.rounds_without_progress; }
  /// Contexts with packets that have not completed, in order of creation.
  std::vector<ContextId> busy() const;
  /// Attempts to preempt on a node.
  const PreemptionAttempts& attempts(std::uint32_t node) const { return nodes_[node].attempts; }
  /// Time stamps of completed packets, in order of completion.
  struct TimestampRecord {
    ContextId context;
    std::uint64_t packet;
    std::uint32_t slot;
    std::uint64_t at_ps;
  };
  const std::vector<TimestampRecord>& timestamps() const { return timestamps_; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  struct Wait {
    std::uint32_t context = 0;
    bool reached = false;
    std::uint64_t release_ps = 0;  // of one on the hardware
    std::uint64_t known_ps = 0;    // when the scheduler learns of it, which holds the others back
    std::uint64_t packet = 0;      // id
  };
  struct Process {
    ProcessConfig config;
    LogName name;
    std::uint64_t slice_ps;
    std::uint64_t switch_ps;
    bool has_contexts = false;
    std::uint64_t without_present_ps = 0;  // engine time since `counted_from_ps`, of what has ended
    std::uint64_t counted_from_ps = 0;     // its last present, or when it got the focus
    bool outstayed = false;                // that was more than the focus is kept for
  };
  /// What the scheduler knows of a hardware queue; the engine may be further.
  struct HardwareQueue {
    std::size_t packets = 0;
    bool filling = true;             // takes packets until it is full, then not before hardware_queue_refill are left
    bool preempting = false;         // an answer is outstanding
    bool withholding = false;        // the request is for what is behind the running packet only
    bool short_of_places = false;    // its dispatch has groups without places on the shader array
    std::uint64_t short_packet = 0;  // the last that was
    bool short_again = false;        // and not for the first time
    std::uint64_t preemption_fence_id = 0;
    PreemptionLevel asked = PreemptionLevel::none;  // the finest that it may come to
    std::uint64_t overdue_ps = never;               // an answer that has not come by then is worth a warning
    std::uint32_t first = none;                     // in the hardware's context list, as last logged
    Turns turns;
    /// How the last attempt of each waiting context went: the same again is no other attempt.
    struct Judged {
      std::uint64_t waiting;  // packet
      std::uint64_t running;  // the same
      PreemptionAttempt result;
    };
    std::unordered_map<std::uint32_t, Judged> judged;  // by context; looked up alone
  };
  struct Node {
    Engine* engine;
    LogName path;
    std::vector<HardwareQueue> queues;
    ReadyContexts ready{wddm_policy, 0};  // whose next packet may run
    std::uint64_t next_fence_id = 1;
    std::uint64_t list_switches = 0;     // ContextSwitchFence
    std::uint64_t turns = 0;             // submissions
    std::uint32_t contexts = 0;          // how many have been created for it
    std::uint32_t first_context = none;  // of them
    std::vector<Arrivals> processes;
    std::uint32_t runlist = none;
    BandFloor floor{0};
    bool floor_granted = false;                           // the normal band runs because its part of the time had come
    std::vector<std::uint32_t> leaving;                   // contexts that may not want the node any more
    std::vector<std::uint32_t> on_hardware;               // contexts of which something is there, in order of creation
    std::array<std::uint32_t, priority_bands> wanting{};  // contexts that want the node, by band
    std::uint64_t retry_ps = never;                       // a quantum or grace period ends that somebody waits for
    std::uint64_t last_report_ps = 0;
    PreemptionAttempts attempts;
  };
  /// Engines that run one process at a time.
  struct Runlist {
    std::string name;
    std::vector<std::uint32_t> nodes;
    std::uint32_t process = none;  // whose turn it is
    std::uint64_t slice_end_ps = 0;
    bool demanded = false;   // another process waits
    bool late = false;       // its slice was over before anything of it ran
    bool switching = false;  // its engines are being stopped, or the next process is being loaded
    std::uint32_t answers = 0;
  };
  /// An interrupt on its way to the scheduler.
  struct Report {
    std::uint64_t due_ps = 0;
    std::uint32_t node = 0;
    std::uint32_t queue = 0;
    std::uint64_t fence_id = 0;
    bool preempted = false;
    bool fresh = true;  // what the GPU does by itself when the packet ends has not been done
    PreemptionReport preemption;
    std::vector<DmaPacket> packets;  // the one completed, or those that come back
  };

  void packet_completed(Engine& engine, std::uint32_t queue, DmaPacket packet) override;
  void packets_preempted(Engine& engine, std::uint32_t queue, const PreemptionReport& report,
                         std::vector<DmaPacket> packets) override;
  void packet_launched(Engine& engine, std::uint32_t queue) override;
  void places_wanted(Engine& engine, std::uint32_t queue, bool wanted) override;
  void fence_reached(std::uint64_t wait, Signaller by) override;

  // Packets and fences: scheduler.cpp.
  void settled(std::uint64_t);
  void schedule(std::uint64_t);
  void set_timer();
  void judge_focus();
  static void begin_focus(Process& process);
  void focus_presents(Process& process);
  void reconsider(std::uint64_t);
  void time_is_up(std::uint64_t);
  void settle(std::uint64_t);
  void wake(std::uint64_t context);
  void enqueue(std::uint32_t context, QueuePacket packet);
  void advance(std::uint32_t context);
  void get_ready(Context& context, QueuePacket& packet, std::uint32_t index);
  void withdraw(std::uint32_t context);
  bool pass_wait(Context& context, QueuePacket& packet, std::uint32_t index);
  void release_wait(std::uint64_t wait);
  void interrupt(Report report);
  void complete(Report& report);
  void write_signals(const Report& report);
  std::uint64_t interrupt_latency_ps();
  void take_place(Context& context, const QueuePacket& packet, std::optional<std::uint64_t> known_ps = {});
  void signal_now(Context& context, const QueuePacket& packet, std::optional<std::uint64_t> known_ps);
  void record(const Context& context, const QueuePacket& packet, const DmaPacket* dma);
  std::uint32_t node_index(const Engine& engine) const;

  // Hardware queues: scheduler_serve.cpp.
  void serve(std::uint32_t node);
  void fill(std::uint32_t node);
  void fill_from_one(std::uint32_t node);
  bool others_may_run(const Node& node, std::uint32_t context) const;
  ReadyContext ready_context(const Node& node, std::uint32_t context) const;
  RepresentedContexts::Named named(const Node& node) const;
  bool place(std::uint32_t node, const Candidate& candidate);
  void hand_over(std::uint32_t node, std::uint32_t context, std::uint32_t queue);
  void left_hardware(Node& node, std::uint32_t context);
  bool has_room(const Node& node, std::uint32_t queue) const;
  std::size_t queue_for(const Node& node, const Candidate& candidate) const;
  bool kept_out(const Node& node, const Candidate& candidate) const;
  void submit(std::uint32_t node, std::uint32_t context, std::uint32_t queue);
  void yield_waits(std::uint32_t node);

  // Turns and the normal band's floor: scheduler_turns.cpp.
  bool is_blocked(const QueuePacket& packet) const;
  Candidate ready_candidate(const Node& node, std::uint32_t context) const;
  Candidate queued_candidate(const Node& node, std::uint32_t queue, const DmaPacket& packet, bool first) const;
  Candidate candidate(const Node& node, std::uint32_t context, std::uint64_t packet, std::uint64_t ready_ps) const;
  void stand(const Node& node, std::uint32_t queue, Candidate& one) const;
  void use(Node& node, std::uint32_t queue, const DmaPacket& packet, std::uint64_t engine_ps);
  void to_the_end(Node& node, Turns& turns, const Peers& peers);
  void begin_turns(Node& node, std::uint32_t queue);
  void begin_wanting(Context& context, std::uint64_t packet);
  void end_turns(Node& node);
  void count_floor(Node& node);

  // Preemption: scheduler_preemption.cpp.
  void judge_queues(std::uint32_t node);
  void judge_places(std::uint32_t node);
  bool attempt_any(std::uint32_t node, const Candidate& waiting);
  bool attempt(std::uint32_t node, std::uint32_t queue, const Candidate& waiting);
  Verdict verdict(const Node& node, std::uint32_t queue, const Candidate& waiting) const;
  bool has_to_withhold(const Node& node, std::uint32_t queue, const Candidate& waiting) const;
  void count(Node& node, std::uint32_t queue, const Candidate& waiting, PreemptionAttempt result);
  static std::uint64_t first_in(const Node& node, std::uint32_t queue);
  void count_attempt(Node& node, std::uint32_t queue, std::uint64_t waiting, PreemptionAttempt result);
  /// Of a request: who has to give way, and for whom. 0: nobody in particular.
  struct Parties {
    std::uint64_t victim = 0;  // id of the queue packet
    std::uint64_t beneficiary = 0;
  };
  void request(std::uint32_t node, std::uint32_t queue, PreemptionReason reason, const Parties& parties,
               PreemptionLevel finest = PreemptionLevel::shader);
  void log_request(const Node& node, std::uint32_t queue, PreemptionReason reason, const Parties& parties);
  void preempted(Report& report);
  void warn_overdue(Node& node);

  // Processes and contexts: scheduler_context.cpp.
  LogName path_of(const Context& context) const;
  void close_if_done(std::uint32_t context);
  void free_closed();
  void rank_anew();
  void rank(Context& context);
  void log_rank(const Context& context);

  // Suspension, and what hardware scheduling tells of its contexts: scheduler_hardware.cpp.
  void suspension_over(std::uint32_t context);
  void touch(std::uint32_t context);
  void log_states();
  void log_list(Node& node, std::uint32_t queue);
  HwContextState state_of(std::uint32_t context) const;

  // Turns of processes: scheduler_runlist.cpp.
  bool may_run(const Node& node, const Context& context) const;
  void consider(std::uint32_t runlist);
  std::uint32_t next_process(const Runlist& runlist) const;
  bool grant_late_slice(Runlist& runlist) const;
  bool busy(const Runlist& runlist) const;
  bool has_queued(const Runlist& runlist) const;
  void stop_process(std::uint32_t runlist);
  void answered(std::uint32_t runlist);
  void activate(std::uint64_t runlist);

  SchedulerConfig config_;
  std::uint64_t latency_ps_;  // of an interrupt, without its jitter
  const PolicyTraits& policy_;
  std::uint64_t preemption_timeout_ps_;  // `never` where the policy has none
  std::mt19937_64 random_;
  FenceUnit& fences_;
  EventLog& log_;
  Agenda agenda_;
  std::vector<Node> nodes_;
  std::vector<Runlist> runlists_;
  std::vector<Process> processes_;
  Numbered<Context> contexts_;
  std::vector<std::uint32_t> closed_;  // contexts that may have nothing left
  Slots<Wait> waits_;
  std::vector<std::uint32_t> awake_;    // contexts to look at
  std::vector<std::uint32_t> touched_;  // contexts whose state may be another than the one last logged
  std::vector<Report> reports_;
  std::vector<TimestampRecord> timestamps_;
  std::vector<Candidate> candidates_;  // scratch of fill
  std::uint64_t released_at_ps_ = 0;   // when a signal last released a waiting context
  std::uint32_t released_ = 0;         // how many it has released at that moment
  std::uint64_t signal_known_ps_ = 0;  // of the signal that is being told of
  std::uint64_t next_packet_id_ = 1;
  std::uint64_t outstanding_ = 0;
  std::uint64_t rounds_ = 0;           // of decisions since something ran, ended or came
  std::uint64_t suspensions_ = 0;      // ContextSuspendFence
  DeltaCall schedule_;                 // one round for all that happens in a delta cycle
  DeltaCall settle_;                   // until what the engines do at this moment is done
  std::uint64_t outstays_ps_ = never;  // when the process with the focus has used up its time without a present
  Timer timer_;                        // the next end of a quantum, grace period or time slice that somebody waits for
};

}  // namespace fenceline
