// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace fenceline {

// What modules tell of in the event log (sim/log.hpp).

/// Index of an interned string of one EventLog. 0 is the empty string.
enum class LogName : std::uint32_t {};

/// What took time.
enum class SpanKind : std::uint8_t {
  packet,          ///< a piece of a packet, on its engine
  command,         ///< a piece of a command of it
  wave,            ///< groups of a grid that ran side by side
  save,            ///< a packet gave way, and its context's state was saved
  context_switch,  ///< another context was loaded
  restore,         ///< saved state was brought back
  frame,           ///< on screen
  task,            ///< a background task, on the worker that ran it
  pipeline,        ///< a pipeline state was created, by a process
  region,          ///< a queue was in a region of markers: of outputs, the log has MarkerRecords
};
constexpr std::size_t span_kinds = 10;
constexpr const char* name_of(SpanKind kind) {
  switch (kind) {
    case SpanKind::packet: return "packet";
    case SpanKind::command: return "command";
    case SpanKind::wave: return "wave";
    case SpanKind::save: return "save";
    case SpanKind::context_switch: return "switch";
    case SpanKind::restore: return "restore";
    case SpanKind::frame: return "frame";
    case SpanKind::task: return "task";
    case SpanKind::pipeline: return "pipeline";
    case SpanKind::region: return "region";
  }
  return "?";
}
/// The engine moved a context's state and ran nothing meanwhile.
constexpr bool moves_state(SpanKind kind) {
  return kind == SpanKind::save || kind == SpanKind::context_switch || kind == SpanKind::restore;
}

/// Something that took time.
struct Span {
  LogName track;            ///< SystemC-style path of the thing that was busy, "adapter.copy0"
  SpanKind kind;            ///< what sort of thing it did
  LogName name;             ///< what it did
  std::uint64_t start_ps;   ///< simulated time, picoseconds
  std::uint64_t end_ps;     ///< never before start_ps
  std::uint64_t id;         ///< packet id it belongs to; 0 = none
  bool stopped = false;     ///< it was not done: it goes on in another span, or again
  std::size_t command = 0;  ///< of a command's: its index in the list
};

/// What sort of thing happens at one time; whoever goes by it needs no names.
enum class InstantKind : std::uint8_t {
  other,      ///< to be shown alone
  suspended,  ///< of a context
  resumed,
  stuck,  ///< a packet of it has come to a command that never ends
};

/// Something that happened at one time: a fence signalled, an interrupt.
struct Instant {
  LogName track;        ///< path of the thing it happened to
  LogName name;         ///< what happened
  std::uint64_t at_ps;  ///< simulated time
  std::uint64_t value;  ///< fence value, packet id or 0
  InstantKind kind = InstantKind::other;
};

/// Which quantity.
enum class CounterKind : std::uint8_t { fence_value, bytes_per_s, resident_threads };
constexpr const char* name_of(CounterKind kind) {
  switch (kind) {
    case CounterKind::fence_value: return "value";
    case CounterKind::bytes_per_s: return "bytes_per_s";
    case CounterKind::resident_threads: return "resident_threads";
  }
  return "?";
}

/// A quantity that changed.
struct Counter {
  LogName track;        ///< path of the thing it is of, "adapter.fences.done"
  CounterKind kind;     ///< which quantity
  std::uint64_t at_ps;  ///< simulated time
  std::uint64_t value;  ///< from now on
};

/// What a queue packet asked for. GPUView's packet types, as far as Fenceline models them.
enum class PacketType : std::uint8_t { render, signal, wait, present, paging, context_switch };
constexpr const char* name_of(PacketType type) {
  switch (type) {
    case PacketType::render: return "render";
    case PacketType::signal: return "signal";
    case PacketType::wait: return "wait";
    case PacketType::present: return "present";
    case PacketType::paging: return "paging";
    case PacketType::context_switch: return "context_switch";
  }
  return "?";
}

/// The system's own: it goes before all others and is stopped for nobody.
constexpr bool is_of_system(PacketType type) { return type >= PacketType::paging; }
/// It is a DMA buffer, which an engine runs.
constexpr bool has_commands(PacketType type) { return type == PacketType::render || is_of_system(type); }
/// Signals and presents need no engine: they take place once everything before them is complete.
constexpr bool takes_a_moment(PacketType type) { return type == PacketType::signal || type == PacketType::present; }

/// How a queue packet ended.
enum class PacketStatus : std::uint8_t {
  completed,
  timed_out,  ///< the watchdog reset its node (TDR) before it was done
  discarded,  ///< thrown away because its device was removed, or is in error
};
constexpr const char* name_of(PacketStatus status) {
  switch (status) {
    case PacketStatus::completed: return "completed";
    case PacketStatus::timed_out: return "timed_out";
    case PacketStatus::discarded: return "discarded";
  }
  return "?";
}

/// The life of one queue packet with GPUView's stamps. The stamps never decrease in the order they are listed,
/// so the reasons (queued, fence, node, running, preempted, completing) tile [submitted, completed] with no gap.
struct PacketRecord {
  std::uint64_t id;           ///< unique in the machine, in order of submission, from 1
  LogName context;            ///< path of the context, "adapter.scheduler.compute"
  LogName node;               ///< path of the node that ran it; empty for signal, wait and present packets
  LogName label;              ///< name of the command list or fence; of a present: the fence of its swap chain's frames
  PacketType type;            ///< what it asked for
  std::uint32_t preemptions;  ///< times it came back from the hardware queue unfinished
  std::uint64_t submission_fence_id;  ///< id of its last submission on the node; 0 = never reached hardware
  std::uint64_t fence_value;          ///< signal, wait: the value; present: the frame
  std::uint64_t submitted_ps;         ///< entered the context's software queue
  std::uint64_t head_ps;              ///< became the first packet of its context: end of "queued"
  std::uint64_t ready_ps;             ///< its waits were satisfied: end of "fence"
  std::uint64_t hardware_ps;   ///< handed to the node's hardware queue, in the submission in which it began to run
  std::uint64_t started_ps;    ///< launch, switch and restore are over, the front end begins: end of "node"
  std::uint64_t finished_ps;   ///< all commands complete, not yet retired: end of "running" and "preempted"
  std::uint64_t completed_ps;  ///< the scheduler learned of it (DPC); fences moved as it retired: end of "completing"
  PacketStatus status = PacketStatus::completed;  ///< how it ended
  std::uint64_t preempted_ps = 0;                 ///< between start and finish: stopped, and not yet gone on
  std::uint32_t pieces = 1;    ///< render: pieces of its list that were submitted; 1: it was not split
  bool awaits_others = false;  ///< of a broadcast signal or present: others are not there yet, it takes place later
  bool rejected = false;       ///< discarded because its next piece would leak bindings
};

/// A packet enters its context's software queue.
struct QueuedRecord {
  LogName context;              ///< path of the context
  LogName node;                 ///< of the context
  std::uint64_t packet;         ///< id of the queue packet
  PacketType type;              ///< what it asks for
  LogName fence;                ///< signal, wait, present: path of the fence
  std::uint64_t fence_value;    ///< signal, wait: the value; present: the frame
  std::uint64_t stands_at;      ///< signal, wait, present: the fence's value at this moment; a wait counts from here on
  std::uint64_t at_ps;          ///< simulated time
  LogName list{};               ///< of a list that is broadcast: its name
  std::uint64_t commands = 0;   ///< render: of the list
  std::uint64_t broadcast = 0;  ///< id of the first of those that are broadcast together, this one among them; 0: none
  std::uint32_t copies = 1;     ///< how many these are: one on each adapter
  LogName label{};              ///< render: name of its list, whether it is broadcast or not
};

/// A packet enters a hardware queue.
struct SubmissionRecord {
  LogName node;                       ///< path of the node
  std::uint32_t hardware_queue;       ///< of the node
  LogName context;                    ///< path of the context
  std::uint64_t packet;               ///< id of the queue packet
  std::uint64_t submission_fence_id;  ///< its new id on the node
  PacketType type;                    ///< what it asks for
  std::uint32_t resubmissions;        ///< times it came back before
  std::uint64_t at_ps;                ///< simulated time
  std::uint32_t piece = 1;            ///< of a list that is split: which, from 1
  bool last = true;                   ///< of them
  std::uint64_t from_command = 0;     ///< render: of its list, with which it begins or goes on
  std::uint64_t end_command = 0;      ///< render: the one behind its last
};

/// A piece of a list is patched before it is submitted, in the order of its patch location list: from now on a slot
/// holds a resource, or nothing (DxgkDdiPatch). Not where the hardware has virtual addresses (NoDmaPatching).
struct PatchRecord {
  std::uint64_t packet;  ///< id of the queue packet
  std::uint32_t piece;   ///< of its list, from 1
  std::uint32_t slot;    ///< SlotId
  bool bound;            ///< false: the slot is unbound
  std::uint64_t at_ps;   ///< simulated time
};

/// DXGK_INTERRUPT_TYPE, names and values, as far as they occur.
enum class InterruptType : std::uint8_t {
  dma_completed = 1,
  dma_preempted = 2,
  dma_page_faulted = 9,
  monitored_fence_signaled = 11,
  hwcontextlist_switch_completed = 13,
  suspend_context_completed = 17,
  native_fence_signaled = 19,
};
constexpr const char* name_of(InterruptType type) {
  switch (type) {
    case InterruptType::dma_completed: return "dma_completed";
    case InterruptType::dma_preempted: return "dma_preempted";
    case InterruptType::dma_page_faulted: return "dma_page_faulted";
    case InterruptType::monitored_fence_signaled: return "monitored_fence_signaled";
    case InterruptType::hwcontextlist_switch_completed: return "hwcontextlist_switch_completed";
    case InterruptType::suspend_context_completed: return "suspend_context_completed";
    case InterruptType::native_fence_signaled: return "native_fence_signaled";
  }
  return "?";
}

/// An interrupt with its payload (DXGKARGCB_NOTIFY_INTERRUPT_DATA).
struct InterruptRecord {
  LogName node;                  ///< that raised it
  std::uint32_t hardware_queue;  ///< of the node
  InterruptType type;            ///< what it says
  /// SubmissionFenceId, PreemptionFenceId, ContextSwitchFence or ContextSuspendFence; 0: of a fence
  std::uint64_t fence_id;
  std::uint64_t last_completed_fence_id;  ///< dma_preempted: LastCompletedFenceId
  std::uint64_t at_ps;                    ///< raised by the hardware
  std::uint64_t dpc_ps;                   ///< the scheduler knows, or CPU threads that wait for the fence
  LogName context{};                      ///< hwcontextlist_switch_completed, suspend_context_completed: whose
};

/// Where a context stands and how long its turns and periods of grace last: when it is made, and whenever that changes.
/// It counts from then on for all that has not ended.
struct ContextRecord {
  LogName context;                       ///< path of the context
  LogName node;                          ///< path of its node
  LogName process;                       ///< "process game": one for each process of the scheduler
  std::uint8_t band;                     ///< DXGK_SCHEDULING_PRIORITY_BAND: 0 idle, 1 normal, 2 focus, 3 realtime
  std::uint32_t level;                   ///< inside the band
  int in_process;                        ///< against contexts of its own process
  std::uint64_t quantum_ps;              ///< of its turn among its process's contexts
  std::uint64_t grace_ps;                ///< against a higher rank
  std::uint64_t grace_same_priority_ps;  ///< against an equal one of its process, after the quantum
  std::uint64_t at_ps;                   ///< from when on
  std::uint64_t process_quantum_ps = 0;  ///< of its process's turn among the processes of its band and level
  std::uint64_t process_grace_ps = 0;    ///< against another process of its band and level, after that
};

/// The first packet of a context's software queue wants its node from now on; again where it came back, or could not
/// go there meanwhile.
struct ReadyRecord {
  LogName context;       ///< path of the context
  LogName node;          ///< path of the node
  std::uint64_t packet;  ///< id of the queue packet
  std::uint64_t at_ps;   ///< simulated time
};

/// Why the scheduler asks a node to stop.
enum class PreemptionReason : std::uint8_t {
  higher_rank,       ///< the one that waits is of a higher rank, and the grace is over
  quantum,           ///< it is of equal rank, and the turn is over
  floor,             ///< the normal or the focus band has had its part of the time
  wait_yields,       ///< a wait that holds the hardware queue gives way to whoever wants it
  suspended,         ///< the context is being suspended
  runlist,           ///< another process's slice begins
  asked,             ///< from outside, whatever the rules say
  overtakes_queued,  ///< it goes before one that is queued behind the one that runs
  watchdog,          ///< the one that runs has run too long
  reset,             ///< a reset of another engine takes this one along
};
constexpr const char* name_of(PreemptionReason reason) {
  switch (reason) {
    case PreemptionReason::higher_rank: return "higher_rank";
    case PreemptionReason::quantum: return "quantum";
    case PreemptionReason::floor: return "floor";
    case PreemptionReason::wait_yields: return "wait_yields";
    case PreemptionReason::suspended: return "suspended";
    case PreemptionReason::runlist: return "runlist";
    case PreemptionReason::asked: return "asked";
    case PreemptionReason::overtakes_queued: return "overtakes_queued";
    case PreemptionReason::watchdog: return "watchdog";
    case PreemptionReason::reset: return "reset";
  }
  return "?";
}

/// The scheduler asks a node to preempt what a hardware queue holds (DXGKARG_PREEMPTCOMMAND).
struct PreemptionRequest {
  LogName node;                                       ///< that is asked
  std::uint32_t hardware_queue;                       ///< of the node
  std::uint64_t preemption_fence_id;                  ///< ties the request to its answer; unique on the node
  std::uint64_t at_ps;                                ///< simulated time
  PreemptionReason reason = PreemptionReason::asked;  ///< why
  std::uint64_t victim_packet = 0;                    ///< that has to give way; 0: whatever the hardware queue holds
  std::uint64_t beneficiary_packet = 0;               ///< for which it has to; 0: for none in particular
  LogName level_limit{};  ///< the finest level at which it may be stopped; empty: the engine's finest
};

/// Whether a packet that waits could have one stopped that is on the node, and if not why.
struct AttemptRecord {
  LogName node;                  ///< whose
  std::uint32_t hardware_queue;  ///< on which the attempt was made
  std::uint64_t waiting_packet;  ///< id of the queue packet that waits
  std::uint64_t running_packet;  ///< first in the hardware queue
  LogName result;                ///< "Success", "MissLessPriority" ...: D3DKMT_QUERYRESULT_PREEMPTION_ATTEMPT_RESULT
  std::uint64_t at_ps;           ///< simulated time
};

/// State that is saved and restored, by what it is.
struct StateBytes {
  std::uint64_t context = 0;                                                      ///< of the context itself
  std::uint64_t registers = 0;                                                    ///< of resident threads
  std::uint64_t shared = 0;                                                       ///< their groups' shared memory
  std::uint64_t threads = 0;                                                      ///< what else there is of each thread
  std::uint64_t total() const { return context + registers + shared + threads; }  ///< all kinds together
  StateBytes& operator+=(const StateBytes& other) {                               ///< kind by kind
    context += other.context;
    registers += other.registers;
    shared += other.shared;
    threads += other.threads;
    return *this;
  }
};

/// A request to preempt and what became of it.
struct PreemptionRecord {
  LogName node;                       ///< that was asked
  std::uint32_t hardware_queue;       ///< of the node
  std::uint64_t preemption_fence_id;  ///< of the request: it ties it to its answer
  std::uint64_t requested_ps;         ///< simulated time of the request
  std::uint64_t stopped_ps;           ///< end of "drain"
  std::uint64_t free_ps;              ///< end of "save": the engine is free
  std::uint64_t saved_bytes;          ///< written out; the same is read when it goes on
  std::uint32_t packets;              ///< came back
  std::uint64_t known_ps = 0;         ///< the scheduler learned of it (DPC)
  /// The request came while the packet was being restored: that goes on to its end first. Part of requested to stopped.
  std::uint64_t restore_wait_ps = 0;
  StateBytes saved{};       ///< saved_bytes by kind
  LogName level_asked{};    ///< "pixel_boundary": the finest at which it could have stopped
  LogName level_reached{};  ///< at which it did; empty: nothing was stopped
};

/// A background task starts, ends, or is cancelled (Windows has ETW events for it).
struct TaskRecord {
  enum class What : std::uint8_t { started, finished, cancelled };
  What what;                                 ///< happens to it
  LogName track;                             ///< path of the worker that runs it; cancelled: of background processing
  LogName name;                              ///< what it works on
  std::uint64_t task;                        ///< its number in its queue, from 1
  std::uint64_t commit;                      ///< the first commit whose set it is in; 0: none
  bool boosted;                              ///< it started above idle priority
  std::uint64_t at_ps;                       ///< simulated time
  std::uint64_t started_ps;                  ///< cancelled: the same
  std::uint64_t cpu_ps;                      ///< finished: CPU time that it took
  std::optional<std::uint32_t> processor{};  ///< finished: of modelled cores, where it ended; unset: it took turns
  std::uint32_t host_thread = 0;             ///< of the kernel, where real threads run tasks; 0: simulated
};

/// A frame of a swap chain has left the screen, or never gets there.
struct FrameRecord {
  enum class Fate : std::uint8_t {
    shown,     ///< from a vertical blank on
    tore,      ///< from the middle of a refresh on
    discarded  ///< a newer one took its place before it got there
  };
  LogName swap_chain;                        ///< path of the swap chain
  LogName output;                            ///< path of the output
  Fate fate;                                 ///< what became of it
  std::uint64_t frame;                       ///< its number, from 1
  bool composed;                             ///< a compositor took it: it came with a frame of that one's
  std::uint32_t interval;                    ///< vertical blanks that it was to stay for
  std::optional<std::uint64_t> input_ps;     ///< the input that it shows was read then; unset: nobody said
  std::uint64_t presented_ps;                ///< the present was queued
  std::uint64_t ready_ps;                    ///< all that its queue has before the present was complete
  std::uint64_t on_screen_ps;                ///< it was there from then on; discarded: when it was
  std::uint64_t left_ps;                     ///< another one took its place, or the run ended; discarded: the same
  std::optional<std::uint32_t> tear_line{};  ///< tore: the line that was being scanned; unset: none, it was all blank
  std::uint64_t lines = 0;                   ///< lines that were scanned out while it was on screen
};
constexpr const char* name_of(FrameRecord::Fate fate) {
  switch (fate) {
    case FrameRecord::Fate::shown: return "shown";
    case FrameRecord::Fate::tore: return "tore";
    case FrameRecord::Fate::discarded: return "discarded";
  }
  return "?";
}

}  // namespace fenceline
