// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/deadline_row.hpp"
#include "api/report/html/timeline_data.hpp"
#include "api/report/stats.hpp"
#include "sim/files/output_file.hpp"
#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

/// A table that stands below the others: its cells are plain text, numbers included.
struct HtmlTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::string note;
};

/// What a report says of the run that the log does not know.
struct HtmlHeading {
  std::string workload;
  std::string machine;
  std::string version;
  /// Names are shown without the first of these that they begin with: "adapter.copy0" as "copy0".
  std::vector<std::string> prefixes;
  /// Asked at the end of the run; may be empty.
  std::function<std::vector<HtmlTable>()> tables = {};
  /// The same.
  std::function<std::vector<DeadlineRow>()> deadlines = {};
};

/// Writes timeline.html: the run as a picture to move about in, key figures and tables on one page that needs no
/// network. It carries its scripts (page/, D3) and the log as TimelineData has it; what it grows with is that, and a
/// table line for each engine, queue and fence. Memory grows with the packets that are under way at a time. All
/// statistics come from `stats`, which must be attached to the same log, before this sink.
class HtmlSink final : public LogSink {
 public:
  HtmlSink(OutputFile& file, const StatsSink& stats, HtmlHeading heading);
  void span(const EventLog& log, const Span& span) override { data_.span(log, span); }
  void instant(const EventLog& log, const Instant& instant) override { data_.instant(log, instant); }
  void counter(const EventLog& log, const Counter& counter) override { data_.counter(log, counter); }
  void packet(const EventLog& log, const PacketRecord& packet) override { data_.packet(log, packet); }
  void queued(const EventLog& log, const QueuedRecord& queued) override { data_.queued(log, queued); }
  void ready(const EventLog&, const ReadyRecord& ready) override { data_.ready(ready); }
  void begun(const EventLog& log, const BeginRecord& begin) override { data_.begun(log, begin); }
  void submission(const EventLog& log, const SubmissionRecord& record) override { data_.submission(log, record); }
  void interrupt(const EventLog& log, const InterruptRecord& record) override { data_.interrupt(log, record); }
  void context(const EventLog& log, const ContextRecord& context) override { data_.context(log, context); }
  void attempt(const EventLog& log, const AttemptRecord& attempt) override { data_.attempt(log, attempt); }
  void request(const EventLog& log, const PreemptionRequest& request) override { data_.request(log, request); }
  void preemption(const EventLog& log, const PreemptionRecord& record) override { data_.preemption(log, record); }
  void task(const EventLog& log, const TaskRecord& task) override { data_.task(log, task); }
  void frame(const EventLog& log, const FrameRecord& frame) override { data_.frame(log, frame); }
  void recovery(const EventLog& log, const RecoveryRecord& record) override { data_.recovery(log, record); }
  void paging(const EventLog& log, const PagingRecord& record) override { data_.paging(log, record); }
  void message(const EventLog& log, const Message& message) override;
  void finish(const EventLog& log, std::uint64_t end_ps) override;

 private:
  static constexpr std::size_t most_warnings = 20;

  std::string shown(std::string_view name) const;
  void write_facts(const std::vector<TrackStats>& tracks, const std::vector<ContextStats>& contexts);
  void write_warnings();
  void write_timeline();
  void write_engines(const std::vector<TrackStats>& tracks);
  void write_queues(const std::vector<ContextStats>& contexts);
  void write_fences();
  void write(const HtmlTable& table);

  OutputFile& file_;
  const StatsSink& stats_;
  HtmlHeading heading_;
  TimelineData data_;
  std::vector<std::string> warnings_;
  std::uint64_t warning_count_ = 0;
};

}  // namespace fenceline
