// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
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
  void queued(const EventLog& log, const QueuedRecord& queued) override { tell(&LogSink::queued, log, queued); }
  void submission(const EventLog& log, const SubmissionRecord& record) override {
    tell(&LogSink::submission, log, record);
  }
  void patch(const EventLog& log, const PatchRecord& patch) override { tell(&LogSink::patch, log, patch); }
  void interrupt(const EventLog& log, const InterruptRecord& record) override {
    tell(&LogSink::interrupt, log, record);
  }
  void context(const EventLog& log, const ContextRecord& context) override;
  void ready(const EventLog& log, const ReadyRecord& ready) override { tell(&LogSink::ready, log, ready); }
  void attempt(const EventLog& log, const AttemptRecord& attempt) override { tell(&LogSink::attempt, log, attempt); }
  void request(const EventLog& log, const PreemptionRequest& request) override {
    tell(&LogSink::request, log, request);
  }
  void preemption(const EventLog& log, const PreemptionRecord& record) override {
    tell(&LogSink::preemption, log, record);
  }
  void task(const EventLog& log, const TaskRecord& task) override { tell(&LogSink::task, log, task); }
  void frame(const EventLog& log, const FrameRecord& frame) override { tell(&LogSink::frame, log, frame); }
  void recovery(const EventLog& log, const RecoveryRecord& record) override { tell(&LogSink::recovery, log, record); }
  void paging(const EventLog& log, const PagingRecord& paging) override { tell(&LogSink::paging, log, paging); }
  void message(const EventLog& log, const Message& message) override { tell(&LogSink::message, log, message); }
  void finish(const EventLog& log, std::uint64_t end_ps) override;

 private:
  template <class Record>
  void tell(void (LogSink::*what)(const EventLog&, const Record&), const EventLog& log, const Record& record) const {
    if (!reached_ps_) return;
    for (LogSink* const sink : sinks_) (sink->*what)(log, record);
  }
  void listen(EventLog::Detail detail);
  void reach(std::uint64_t now_ps);

  EventLog& log_;
  EventLog::Detail detail_ = EventLog::Detail::packets;
  std::vector<LogSink*> sinks_;
  std::map<LogName, std::uint64_t> awaited_;  // packets that are not complete
  std::optional<std::uint64_t> reached_ps_;
  std::vector<ContextRecord> contexts_;  // as they stand, by when they were made
  std::map<std::pair<LogName, CounterKind>, Counter> counters_;
};

}  // namespace fenceline
