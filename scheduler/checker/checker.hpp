// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"
#include "scheduler/checker/frame_checker.hpp"
#include "scheduler/checker/node_limits.hpp"
#include "scheduler/checker/piece_checker.hpp"
#include "scheduler/checker/recovery_checker.hpp"
#include "scheduler/checker/rule_checker.hpp"
#include "scheduler/checker/violations.hpp"
#include "sim/log.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fenceline {

/// `stops_at`: the coarsest of the granularities of what it runs, as far as anybody knows.
NodeLimits limits_of(const Engine& engine, PreemptionLevel stops_at = PreemptionLevel::none);

/// Holds a run against the rules of queues, fences and preemption, record by record.
///
/// It knows nothing but what the log says, so what it cannot decide from there the log lacks. The rules, by topic:
///
/// Hardware queues. One holds no more packets than its depth, runs one at a time and ends them in the order submitted.
/// A node runs no more packets at once than it has hardware queues.
///
/// Ids. Submissions and requests to preempt draw from one sequence of the node, which only grows; a packet that comes
/// back is submitted with a new id. DMA_COMPLETED names the oldest submission that has not ended, DMA_PREEMPTED the
/// request under way and the last submission that completed; everything behind that one comes back. Source: GPU
/// preemption, "Nonpaging commands will be resubmitted with newly assigned fence IDs"; DXGKARGCB_NOTIFY_INTERRUPT_DATA.
///
/// Packets. Each completes, or is reported as aborted, exactly once, and not before the scheduler has learned of the
/// interrupt; it has come back as often as its record says. When a run rests, what has not completed waits for a fence
/// or belongs to a suspended context; a packet of such a context is not submitted.
///
/// Pieces (docs/splitting.md). Those of a list are submitted one after the other, each when the scheduler has learned
/// of the end of the one before; the list is complete with the last. State is restored before one exactly where
/// something else has run in between. In the Windows 7 model nothing of another context comes to the hardware queue
/// before the last one has ended, or runs there. What they hold, leaks and broadcast lists are PieceChecker's.
///
/// Order. Command lists of a context run and complete in the order queued; a signal takes place after everything before
/// it, and moves its fence at once; nothing passes a wait. A wait passes only after its fence has reached the value,
/// counted from the moment at which the wait was queued, even if the fence was rewound since. Source: multi-engine
/// synchronization, "Fences"; vkd3d-proton's test of signal availability.
///
/// Time. The log is written in the order of time. A packet's stamps never decrease, so that its reasons tile its life;
/// the pieces that ran and the time in between add up to the picosecond.
///
/// Who runs, and who gives way to whom when, is RuleChecker's. Frames on screen are FrameChecker's, timeouts, resets
/// and removed devices RecoveryChecker's.
///
/// It keeps what belongs to packets that have not completed, and a little for every queue and fence.
class Checker final : public LogSink {
 public:
  /// Listens to the log until it is destroyed; nothing may have been queued before. Without rules it is not held
  /// against those of RuleChecker.
  Checker(EventLog& log, const std::vector<NodeLimits>& nodes, const std::optional<SchedulingRules>& rules = {},
          const std::vector<OutputLimits>& outputs = {}, const std::optional<TdrRules>& tdr = {});
  ~Checker() override;
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  /// Nothing more will happen unless more is queued or signalled: what is left over must be waiting for a fence.
  void rests(std::uint64_t at_ps);
  /// From now on it is not held against the rules of RuleChecker: what they decide by changes while it runs.
  void leave_rules() { rules_.reset(); }
  bool passed() const { return violations_.none(); }  ///< no rule is broken so far
  /// The first violations, each saying where and when, what was expected and what was found.
  const std::vector<std::string>& violations() const { return violations_.kept(); }
  /// All of them, also those not kept.
  std::uint64_t count() const { return violations_.count(); }
  /// The first few as one sentence; empty if there are none.
  std::string report() const { return violations_.report(); }

  void context(const EventLog& log, const ContextRecord& record) override;
  void ready(const EventLog& log, const ReadyRecord& record) override;
  void attempt(const EventLog& log, const AttemptRecord& record) override;
  void queued(const EventLog& log, const QueuedRecord& record) override;
  void submission(const EventLog& log, const SubmissionRecord& record) override;
  void patch(const EventLog& log, const PatchRecord& record) override;
  void span(const EventLog& log, const Span& span) override;
  void interrupt(const EventLog& log, const InterruptRecord& record) override;
  void request(const EventLog& log, const PreemptionRequest& request) override;
  void preemption(const EventLog& log, const PreemptionRecord& record) override;
  void packet(const EventLog& log, const PacketRecord& record) override;
  void counter(const EventLog& log, const Counter& counter) override;
  void instant(const EventLog& log, const Instant& instant) override;
  void frame(const EventLog& log, const FrameRecord& record) override;
  void recovery(const EventLog& log, const RecoveryRecord& record) override;
  void finish(const EventLog& log, std::uint64_t end_ps) override;

 private:
  /// Where a packet is: in the software queue, in a hardware queue, or complete as far as the hardware knows.
  enum class Place : std::uint8_t { software, hardware, done };
  struct Packet {
    PacketType type;
    Place place = Place::software;
    bool ran = false;          // in its present submission
    bool ended = false;        // and to its end
    bool stuck = false;        // at a command that never ends
    bool reached = false;      // wait: its fence was there
    std::uint32_t context;     // index
    std::uint32_t queue = 0;   // of its last submission
    std::uint32_t ran_on = 0;  // hardware queue of its last piece
    std::uint32_t returns = 0;
    LogName node{};
    LogName fence{};
    std::uint64_t value = 0;
    std::uint64_t queued_ps = 0;
    std::uint64_t reached_ps = 0;
    std::uint64_t fence_id = 0;      // of its last submission
    std::uint64_t submitted_ps = 0;  // of its last submission
    std::uint64_t hardware_ps = 0;   // of the submission that started it
    std::uint64_t known_ps = 0;      // when the scheduler learns that it completed or came back
    std::uint64_t pieces = 0;
    std::uint64_t first_ps = 0;    // start of its first piece
    std::uint64_t last_ps = 0;     // end of its last piece
    std::uint64_t gaps_ps = 0;     // between its pieces
    std::uint32_t dma_pieces = 0;  // of a list that is split: submitted so far
    bool last = true;              // its last submission was for the last of them
    bool between = false;          // a piece has ended, and the next one has not begun
    bool next_piece = true;        // its next submission is for another one
    bool restored = false;         // in its present submission
    bool unheard = false;          // it came back from a node that was held: nobody may have heard of it
  };
  /// What came back with one DMA_PREEMPTED, until the scheduler has learned of it.
  struct Return {
    std::uint64_t fence_id;
    std::uint64_t requested_ps;
    std::optional<std::uint64_t> stopped_ps;  // end of the piece that was stopped
    std::uint64_t at_ps;
    std::uint32_t packets;
  };
  struct HardwareQueue {
    /// The scheduler has learned of all that it has raised.
    void all_handled(std::uint64_t at_ps) {
      known_ps = std::min(known_ps, at_ps);
      returned_ps = std::min(returned_ps, at_ps);
    }
    std::deque<std::uint64_t> packets;  // ids, the front one may run
    std::uint64_t last_completed = 0;   // submission fence id
    std::uint64_t free_ps = 0;          // nothing ran after
    std::uint64_t known_ps = 0;         // the scheduler knows of all its interrupts
    std::uint64_t returned_ps = 0;      // and of the last DMA_PREEMPTED
    std::optional<PreemptionRequest> request;
    std::deque<Return> returns;
    std::uint64_t ran = 0;                       // packet that ran last; 0: none
    std::optional<std::uint32_t> split_context;  // of which a split list has begun and not ended (Windows 7 model)
  };
  struct Node {
    LogName path{};
    std::uint32_t depth = 0;
    std::uint64_t last_id = 0;  // drawn from the node's sequence
    bool held = false;          // it gets nothing, and is asked nothing: a reset is under way
    bool reset = false;         // since then
    std::vector<HardwareQueue> queues;
  };
  struct Context {
    LogName path{};
    LogName node{};
    LogName owner{};  // it, or without contexts its process: all queues of that are one
    bool suspended = false;
    std::array<std::deque<std::uint64_t>, static_cast<std::size_t>(PacketType::context_switch) + 1>
        left;  // by PacketType: ids of those that have not completed, in order
  };
  struct Fence {
    bool known = false;
    std::uint64_t value = 0;
    std::multimap<std::uint64_t, std::uint64_t> waits;  // value, packet id: not reached yet
  };
  struct Signal {
    std::uint64_t packet;
    LogName fence;
    std::uint64_t value;
    std::uint64_t at_ps;
  };
  using Packets = std::unordered_map<std::uint64_t, Packet>;  // looked up, never walked through

  // What the rules have in common: checker.cpp.
  void violation(std::uint64_t at_ps, const std::string& where, const std::string& expected, const std::string& found) {
    violations_.add(at_ps, where, expected, found);
  }
  void moment(std::uint64_t at_ps);
  std::string where(LogName node, std::uint32_t queue) const;
  std::string where(std::uint64_t id, const Packet& packet) const;
  std::string text(LogName name) const { return std::string(log_.text(name)); }
  Packet* packet_of(std::uint64_t id, std::uint64_t at_ps, const char* what);
  Node* node_of(LogName name, std::uint64_t at_ps);
  HardwareQueue* queue_of(LogName node, std::uint32_t queue, std::uint64_t at_ps);
  Context& context_of(LogName name);
  Fence& fence_of(LogName name);
  // Hardware queues and ids: checker_hardware.cpp.
  void draw(Node& node, std::uint64_t id, std::uint64_t at_ps, const std::string& where);
  void check_ahead(std::uint64_t id, const Packet& packet, std::uint32_t queue, std::uint64_t at_ps);
  void completed(const InterruptRecord& record, HardwareQueue& queue);
  void preempted(const InterruptRecord& record, HardwareQueue& queue);
  // Packets, their order and fences: checker_packets.cpp.
  void wrong(const PacketRecord& record, const Packet& packet, const std::string& expected, const std::string& found);
  void check_record(const PacketRecord& record, const Packet& packet);
  void check_order(const PacketRecord& record, const Packet& packet);
  bool ended_until(const std::deque<std::uint64_t>& others, std::uint64_t id) const;
  void check_run(const PacketRecord& record, const Packet& packet);
  void check_moment(const PacketRecord& record, const Packet& packet);
  void check_left(const Context& context, std::uint64_t at_ps, bool held);

  EventLog& log_;
  std::vector<Node> nodes_;
  std::vector<Context> contexts_;
  std::vector<std::uint32_t> node_index_;     // by LogName
  std::vector<std::uint32_t> context_index_;  // by LogName
  std::vector<std::uint32_t> fence_index_;
  std::vector<Fence> fences_;
  Packets packets_;
  std::optional<Signal> signal_;  // its fence moves next
  std::uint64_t now_ps_ = 0;
  std::uint64_t last_packet_ = 0;
  Violations violations_;
  bool back_to_back_ = false;  // pieces of a list: the Windows 7 model
  bool has_contexts_ = true;   // else all of a process on a node are one
  std::optional<RuleChecker> rules_;
  PieceChecker pieces_;
  FrameChecker frames_;
  std::optional<RecoveryChecker> recovery_;
};

}  // namespace fenceline
