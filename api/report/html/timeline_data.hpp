// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/deadline_row.hpp"
#include "api/report/first_seen.hpp"
#include "api/report/html/packed_text.hpp"
#include "sim/files/output_file.hpp"
#include "sim/log.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// The log of a run as the timeline of timeline.html reads it (page/data.js), a line a record: a letter that says what
/// it is, then numbers with commas between them. The first time of a record is how much later than that of the record
/// before, the others of a record count from its first one, so that they stay small. Names are lines of their own, each
/// before its first use; from then on they go by their number, from 1. Commands, waves and what scheduler and nodes
/// tell each other besides are left out.
class TimelineData {
 public:
  /// Names of tracks are shown without the first of these prefixes that they begin with.
  TimelineData(OutputFile& file, const std::vector<std::string>& prefixes);

  /// Of the record; those that are not shown leave no line.
  void span(const EventLog& log, const Span& span);
  void instant(const EventLog& log, const Instant& instant);              ///< such as a vertical blank
  void counter(const EventLog& log, const Counter& counter);              ///< of a fence
  void packet(const EventLog& log, const PacketRecord& packet);           ///< its whole life
  void queued(const EventLog& log, const QueuedRecord& queued);           ///< it may never complete
  void ready(const ReadyRecord& ready);                                   ///< a line only where it never completes
  void begun(const EventLog& log, const BeginRecord& begin);              ///< a line only where it never ends
  void submission(const EventLog& log, const SubmissionRecord& record);   ///< it is in a hardware queue from now on
  void interrupt(const EventLog& log, const InterruptRecord& interrupt);  ///< it is there no more
  void context(const EventLog& log, const ContextRecord& context);        ///< who it is
  void attempt(const EventLog& log, const AttemptRecord& attempt);        ///< why another one went on
  void request(const EventLog& log, const PreemptionRequest& request);    ///< who gives way to whom
  void preemption(const EventLog& log, const PreemptionRecord& record);   ///< what it took
  void task(const EventLog& log, const TaskRecord& task);                 ///< on a worker
  void frame(const EventLog& log, const FrameRecord& frame);              ///< on a screen
  void recovery(const EventLog& log, const RecoveryRecord& record);       ///< after a timeout
  void paging(const EventLog& log, const PagingRecord& record);           ///< what a paging packet moved
  void deadline(const EventLog& log, const DeadlineRow& deadline);        ///< how it went
  /// Nothing follows.
  void finish(std::uint64_t end_ps);

 private:
  /// Of a packet that is under way.
  struct Open {
    std::optional<std::uint64_t> ready_ps;  // it wants its node
    std::optional<std::uint64_t> begun_ps;  // it has run since
    std::uint64_t track = 0;
    std::uint64_t label = 0;
  };
  /// A line, which is written when it goes.
  class Line;
  std::uint64_t number_of(const EventLog& log, LogName name);

  PackedText text_;
  FirstSeen names_;
  std::map<std::uint64_t, Open> open_;  // by id
  std::uint64_t last_ps_ = 0;
  fmt::memory_buffer line_;
};

}  // namespace fenceline
