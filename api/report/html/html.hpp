// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/html/packet_timeline.hpp"
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
};

/// Writes report.html: key figures, a timeline and tables on one page that needs no network and runs no script. The
/// page and the memory are bounded (see PacketTimeline and html_of), apart from a table line for each engine, queue and
/// fence. All statistics come from `stats`, which must be attached to the same log, before this sink.
class HtmlSink final : public LogSink {
 public:
  HtmlSink(OutputFile& file, const StatsSink& stats, HtmlHeading heading);
  void span(const EventLog& log, const Span& span) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void task(const EventLog& log, const TaskRecord& task) override;
  void message(const EventLog& log, const Message& message) override;
  void finish(const EventLog& log, std::uint64_t end_ps) override;

 private:
  static constexpr std::size_t most_warnings = 20;

  std::string shown(std::string_view name) const;
  void write_facts(const std::vector<TrackStats>& tracks, const std::vector<ContextStats>& contexts);
  void write_warnings();
  void write_timeline(const EventLog& log);
  void write_engines(const std::vector<TrackStats>& tracks);
  void write_queues(const std::vector<ContextStats>& contexts);
  void write_fences();
  void write(const HtmlTable& table);

  OutputFile& file_;
  const StatsSink& stats_;
  HtmlHeading heading_;
  PacketTimeline timeline_;
  std::vector<std::string> warnings_;
  std::uint64_t warning_count_ = 0;
};

}  // namespace fenceline
