// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace fenceline {

/// Keeps from sinks what a run tells before a point: so many packets of some queues are complete then. At the point
/// they hear where contexts and counters stand, and from then on everything (docs/replay.md, rule 23).
class FastForward final : public LogSink {
 public:
  explicit FastForward(EventLog& log);
  ~FastForward() override;
  FastForward(const FastForward&) = delete;
  FastForward& operator=(const FastForward&) = delete;

  /// As EventLog's: the sink hears the log by way of this one.
  void attach(LogSink& sink, EventLog::Detail detail);
  void detach(LogSink& sink);  ///< it hears nothing any more

  /// The point, before the run: how many packets of each of these contexts are before it. None: it is now.
  void await(std::map<LogName, std::uint64_t> packets, std::uint64_t now_ps);
  /// When it came; nothing: it has not.
  std::optional<std::uint64_t> reached_ps() const { return reached_ps_; }

  void span(const EventLog& log, const Span& span) override { tell(&LogSink::span, log, span); }
  void instant(const EventLog& log, const Instant& instant) override { tell(&LogSink::instant, log, instant); }
  void counter(const EventLog& log, const Counter& counter) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void queued(const EventLog& log, const QueuedRecord& queued) override;
  void submission(const EventLog& log, const SubmissionRecord& record) override;
  void begun(const EventLog& log, const BeginRecord& begin) override { tell(&LogSink::begun, log, begin); }
  void patch(const EventLog& log, const PatchRecord& patch) override { tell(&LogSink::patch, log, patch); }
  void interrupt(const EventLog& log, const InterruptRecord& record) override;
  void context(const EventLog& log, const ContextRecord& context) override;
  void ready(const EventLog& log, const ReadyRecord& ready) override;
  void attempt(const EventLog& log, const AttemptRecord& attempt) override { tell(&LogSink::attempt, log, attempt); }
  void turn(const EventLog& log, const ProcessTurnRecord& turn) override { tell(&LogSink::turn, log, turn); }
  void request(const EventLog& log, const PreemptionRequest& request) override;
  void preemption(const EventLog& log, const PreemptionRecord& record) override;
  void task(const EventLog& log, const TaskRecord& task) override { tell(&LogSink::task, log, task); }
  void frame(const EventLog& log, const FrameRecord& frame) override { tell(&LogSink::frame, log, frame); }
  void recovery(const EventLog& log, const RecoveryRecord& record) override;
  void paging(const EventLog& log, const PagingRecord& paging) override { tell(&LogSink::paging, log, paging); }
  void room(const EventLog& log, const RoomRecord& room) override { tell(&LogSink::room, log, room); }
  void marker(const EventLog& log, const MarkerRecord& marker) override;
  void message(const EventLog& log, const Message& message) override { tell(&LogSink::message, log, message); }
  void finish(const EventLog& log, std::uint64_t end_ps) override;

 private:
  template <class Record>
  void tell(void (LogSink::*what)(const EventLog&, const Record&), const EventLog& log, const Record& record) const {
    if (!reached_ps_) return;
    for (LogSink* const sink : sinks_) (sink->*what)(log, record);
  }
  using Kept =
      std::variant<QueuedRecord, ReadyRecord, SubmissionRecord, InterruptRecord, PreemptionRequest, MarkerRecord>;
  using HardwareQueue = std::pair<LogName, std::uint32_t>;  // of a node
  /// Returns its number.
  std::uint64_t keep(const Kept& record);
  template <class Numbers>
  void forget(const Numbers& numbers);
  void forget_ended();
  void listen(EventLog::Detail detail);
  void reach(std::uint64_t now_ps);

  EventLog& log_;
  EventLog::Detail detail_ = EventLog::Detail::packets;
  std::vector<LogSink*> sinks_;
  std::map<LogName, std::uint64_t> awaited_;  // packets that are not complete
  std::optional<std::uint64_t> reached_ps_;
  std::vector<ContextRecord> contexts_;  // as they stand, by when they were made
  std::map<std::pair<LogName, CounterKind>, Counter> counters_;
  std::map<std::uint64_t, Kept> kept_;  // by number, in their order
  std::uint64_t next_ = 0;              // number of what is kept
  // Numbers of what is kept: of packets that have not ended, of those in hardware, of requests without an answer
  // and who gave way for them.
  std::map<std::uint64_t, std::vector<std::uint64_t>> of_packets_;
  std::vector<std::uint64_t> ended_;  // packets, as long as requests are about them
  std::map<HardwareQueue, std::deque<std::uint64_t>> in_hardware_;
  std::map<HardwareQueue, std::vector<std::uint64_t>> requests_;
};

}  // namespace fenceline
