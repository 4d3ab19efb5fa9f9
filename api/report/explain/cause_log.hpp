// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/explain/process_turns.hpp"
#include "api/report/explain/room_waits.hpp"
#include "api/report/explain/thread_log.hpp"
#include "sim/begin_record.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fenceline {

/// Keeps of a run what is needed to say why a packet had not run yet at some time: packets with their queues, what
/// nodes did, who raised fences, attempts to stop what ran, what memory moved, whose turn it was. Memory grows with the
/// run.
class CauseLog final : public LogSink {
 public:
  /// A packet, from when it was queued.
  struct Life {
    std::uint64_t id = 0;
    LogName context{};
    PacketType type = PacketType::render;
    LogName label{};              ///< list; of a signal, wait or present the fence
    std::uint64_t value = 0;      ///< of the fence
    std::uint64_t stands_at = 0;  ///< wait: the fence's value when it was submitted
    std::uint64_t submitted_ps = 0;
    LogName node{};                            ///< on whose hardware queue it was; empty: on none
    std::uint32_t hardware_queue = 0;          ///< of the node
    std::optional<std::uint64_t> ready_ps;     ///< wants its node since then, the first time
    std::optional<std::uint64_t> hardware_ps;  ///< in a hardware queue since then, the first time
    std::optional<PacketRecord> done;          ///< unset: it never was
    std::optional<ThreadLog::Place> by;        ///< the step that queued it; unset: no CPU thread is known to have
    std::vector<std::pair<std::uint64_t, bool>> places{};  ///< from when on it was in a hardware queue, or not

    /// It was in a hardware queue; what came back is not.
    bool on_hardware_at(std::uint64_t at_ps) const {
      bool on_hardware = false;
      for (const auto& [from_ps, there] : places) {
        if (from_ps <= at_ps) on_hardware = there;
      }
      return on_hardware;
    }
    /// It was the first of its queue, perhaps, and did not want its node yet: what it needs was not in video memory.
    bool is_held_at(std::uint64_t at_ps) const {
      return type == PacketType::render && !on_hardware_at(at_ps) && (!ready_ps || *ready_ps > at_ps);
    }
    /// It had come to its end, whatever that was.
    bool complete_at(std::uint64_t at_ps) const { return done && done->completed_ps <= at_ps; }
  };
  /// A fence has a value from then on.
  struct Raised {
    std::uint64_t at_ps;
    std::uint64_t value;
    std::optional<ThreadLog::Place> by;  ///< the step that raised it; unset: no CPU thread is known to have
  };

  /// Hears of the steps of CPU threads (RunOptions::steps), if anybody tells it whose they are.
  ThreadLog& threads() { return threads_; }
  const ThreadLog& threads() const { return threads_; }  ///< the same

  void span(const EventLog& log, const Span& span) override;
  void begun(const EventLog& log, const BeginRecord& begin) override;
  void counter(const EventLog& log, const Counter& counter) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void queued(const EventLog& log, const QueuedRecord& queued) override;
  void context(const EventLog& log, const ContextRecord& context) override;
  void ready(const EventLog& log, const ReadyRecord& ready) override;
  void submission(const EventLog& log, const SubmissionRecord& submission) override;
  void attempt(const EventLog& log, const AttemptRecord& attempt) override;
  void turn(const EventLog& log, const ProcessTurnRecord& turn) override;
  void preemption(const EventLog& log, const PreemptionRecord& preemption) override;
  void paging(const EventLog& log, const PagingRecord& paging) override;
  void room(const EventLog& log, const RoomRecord& room) override;
  void recovery(const EventLog& log, const RecoveryRecord& record) override;
  void instant(const EventLog& log, const Instant& instant) override;
  void request(const EventLog& log, const PreemptionRequest& request) override;
  void frame(const EventLog& log, const FrameRecord& frame) override;
  void finish(const EventLog& log, std::uint64_t end_ps) override;

  std::uint64_t end_ps() const { return end_ps_; }
  /// Null: there is none of this number.
  const Life* life(std::uint64_t packet) const;
  /// The packets of a queue of this name in their order; empty: there is no such queue.
  const std::vector<std::uint64_t>& of_queue(const std::string& queue) const;
  std::vector<std::string> queues() const;
  /// The present of a swap chain's frame, once the run is over; null: there was none.
  const Life* present_of(const std::string& swap_chain, std::uint64_t frame) const;
  /// What became of it on the screen; null: it never got so far.
  const FrameRecord* shown(const std::string& swap_chain, std::uint64_t frame) const;
  /// Of a fence of frames: "frame 3 of "window" on "display"", as far as it is known.
  std::string frame_text(LogName fence, std::uint64_t frame) const;
  /// Of all that a present was queued for, in the order of their names.
  std::vector<std::string> swap_chains() const;
  /// Every time in a span of time at which something changed of what is kept here, and its two ends, in their order.
  std::vector<std::uint64_t> changes(std::uint64_t from_ps, std::uint64_t to_ps) const;

  /// The first packet before this one in its queue that was not complete then; null: none.
  const Life* before(const Life& life, std::uint64_t at_ps) const;
  /// What its node did of this packet then: ran it, or moved state for it. Null: nothing.
  const Span* own(const Life& life, std::uint64_t at_ps) const;
  /// Its node runs it, the first time after then; unset: never again.
  std::optional<std::uint64_t> next_run_ps(const Life& life, std::uint64_t at_ps) const;
  /// What its node did of others then, or was to do of one that was there, and had done before this packet ran next.
  /// Null: nothing that was in its way.
  const Span* in_the_way_of(const Life& life, std::uint64_t at_ps) const;
  /// Who was on its hardware queue at that time before it: the first that came. Null: nobody.
  const Life* ahead_of(const Life& life, std::uint64_t at_ps) const;
  /// When the fence of a wait got to its value, since the wait was submitted; unset: never.
  std::optional<Raised> reached(const Life& wait) const;
  /// The same of a fence since then, whoever waits for it.
  std::optional<Raised> reached(LogName fence, std::uint64_t value, std::uint64_t since_ps) const;
  /// A queue's signal to at least this value that had been queued and was never complete: the first. Null: there is
  /// none.
  const Life* signal_to_come(LogName fence, std::uint64_t value) const;
  /// The same that was queued, if only later, and never took place; null: there is none.
  const Life* signal_undone(LogName fence, std::uint64_t value) const;
  /// The removal of a device raised it: all its fences are as high as they go then.
  bool is_by_removal(const Raised& raised) const;
  /// Since when the packet was at a command that never ends; unset: it never was.
  std::optional<std::uint64_t> stuck_ps(std::uint64_t packet) const;
  /// For which packet this one was to stop that did then; 0: for none in particular.
  std::uint64_t stopped_for(std::uint64_t packet, std::uint64_t at_ps) const;
  /// The fence that a workload calls so. Unset: nothing was ever signalled there, or was to be.
  std::optional<LogName> fence(const std::string& wanted) const;
  /// The queue's signal that raised it then. Null: somebody else did.
  const Life* signal_of(LogName fence, const Raised& raised) const;
  /// The present of a frame, if this is the fence of a swap chain's frames. Null: it is not.
  const Life* present_of(LogName fence, std::uint64_t frame) const;
  bool is_of_frames(LogName fence) const { return frame_fences_.count(fence) > 0; }
  /// The last attempt up to then to have something stopped for it.
  const AttemptRecord* attempt_for(std::uint64_t packet, std::uint64_t at_ps) const;
  /// What became of an attempt that was a success. Null: it was never answered.
  const PreemptionRecord* answer_to(const AttemptRecord& attempt) const;
  /// Whose turn it was on a node then. Unset: processes take no turns there.
  std::optional<ProcessTurns::State> turn_at(LogName node, std::uint64_t at_ps) const { return turns_.at(node, at_ps); }
  LogName process_of(LogName context) const;  ///< as turns have it; empty: not known
  /// What memory was moving then, or was still to be moved, for the process of this queue, of what had moved by
  /// `before_ps`: the first to be over. Null: none.
  const PagingRecord* moving_for(LogName context, std::uint64_t at_ps, std::uint64_t before_ps) const;
  /// What memory moved, or was about to, in a paging packet that was under way then: the first to be over. Null: none.
  const PagingRecord* moving_at(std::uint64_t at_ps) const;
  /// The paging packet that was under way then, whatever it moves. Null: none.
  const Life* paging_at(std::uint64_t at_ps) const;
  /// Who waited for room that others had.
  const RoomWaits& rooms() const { return rooms_; }
  /// The same of whatever memory, where its last move was over just then: what raised a fence by that. Null: nothing.
  const PagingRecord* moving_until(std::uint64_t at_ps, std::uint64_t until_ps) const;

  /// The name that a workload gives a queue, fence, list or node.
  std::string name(LogName path) const;
  std::string process_name(LogName process) const;  ///< the same of a process
  /// The same of the one that memory moves for, as records have it.
  std::string process_of_device(LogName process) const;

 private:
  std::map<std::uint64_t, Life> lives_;
  std::map<LogName, std::vector<std::uint64_t>> queues_;   // packets of contexts, in their order
  std::map<std::string, LogName> contexts_;                // by name
  std::map<LogName, LogName> processes_;                   // of contexts
  std::map<LogName, std::vector<Span>> spans_;             // of nodes, in the order of their ends
  std::map<std::uint64_t, std::vector<Span>> of_packets_;  // the same, by packet
  std::map<std::pair<LogName, std::uint32_t>, std::vector<std::uint64_t>> submitted_;  // packets, by hardware queue
  std::map<LogName, std::vector<std::uint64_t>> signals_;                              // packets, by fence
  std::map<LogName, std::vector<Raised>> raised_;                                      // by fence
  std::map<std::uint64_t, std::vector<AttemptRecord>> attempts_;                       // by the packet that waits
  std::vector<PagingRecord> moves_;
  std::vector<std::uint64_t> paging_;  // packets
  RoomWaits rooms_;
  std::set<std::uint64_t> removals_;                                  // of devices, when
  std::map<std::uint64_t, std::uint64_t> stuck_;                      // packets, since when
  std::map<std::uint64_t, std::vector<PreemptionRequest>> requests_;  // by the packet that has to give way
  std::map<std::pair<LogName, std::uint32_t>, std::vector<PreemptionRecord>> answers_;  // by hardware queue
  std::map<std::uint64_t, BeginRecord> begun_;                                          // packets that run
  ProcessTurns turns_;
  ThreadLog threads_;
  std::map<LogName, std::map<std::uint64_t, std::uint64_t>> frame_fences_;  // presents, by fence and frame
  std::map<std::string, LogName> chains_;                                   // fences of frames, by swap chain
  std::map<std::string, std::map<std::uint64_t, FrameRecord>> frames_;      // by swap chain and frame
  std::map<LogName, std::string> names_;
  std::uint64_t end_ps_ = 0;
};

}  // namespace fenceline
