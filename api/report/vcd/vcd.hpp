// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/first_seen.hpp"
#include "api/report/packets_under_way.hpp"
#include "api/report/perfetto/hardware_depths.hpp"
#include "api/report/vcd/number_list.hpp"
#include "sim/files/output_file.hpp"
#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

struct DeadlineRow;

/// Writes waves.vcd, a value change dump (IEEE 1364-2005, clause 18) in picoseconds for GTKWave and its like:
///
/// - `running` of an engine: how many of its packet spans cover the time; `busy`: whether one does
/// - `save`, `switch` and `restore` of an engine that moves state: whether it does
/// - `running` of a context: how many of its packets run, so which context an engine has
/// - `depth0` and so on of an engine: DMA buffers in that hardware queue
/// - the same of a worker that runs background tasks, from each task's start until it has finished
/// - `outstanding` of a context: packets of all types submitted and not completed
/// - every counter (a fence's `value`, with --trace a channel's rate and the shader array's resident threads) under its
///   own name; x until it is first written, a workload's fence at its initial value
/// - `due` of a deadline: turns over whenever it is due, as a vertical blank does; `missed`: how many times it was not
///   kept then, so far
/// - `vblank` of an output: the number of the refresh that began last, as far as frames went by them; `frame` of a swap
///   chain: the one on screen
///
/// A dump must go forward in time, and a span or packet that is still to come may have begun at any time, so nothing
/// is written before finish(). Until then each time takes 3 to 5 bytes: about 20 bytes for a packet with its span, 7
/// for a counter. A signal whose starts did not come in order is sorted in finish(), 8 bytes for each of its starts.
class VcdSink final : public LogSink {
 public:
  /// Asked at the end of the run; may be empty: where counters stood at its start, and times of deadlines.
  explicit VcdSink(OutputFile& file, std::function<std::vector<Counter>()> initial = {},
                   std::function<std::vector<DeadlineRow>()> deadlines = {})
      : file_(file), initial_(std::move(initial)), deadlines_(std::move(deadlines)) {}
  void span(const EventLog& log, const Span& span) override;
  void counter(const EventLog& log, const Counter& counter) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void task(const EventLog& log, const TaskRecord& task) override;
  void instant(const EventLog& log, const Instant& instant) override;
  void queued(const EventLog&, const QueuedRecord& queued) override { packets_.queued(queued); }
  void submission(const EventLog& log, const SubmissionRecord& submission) override;
  void interrupt(const EventLog& log, const InterruptRecord& interrupt) override;
  void recovery(const EventLog& log, const RecoveryRecord& recovery) override;
  void frame(const EventLog& log, const FrameRecord& frame) override;
  void finish(const EventLog& log, std::uint64_t end_ps) override;

 private:
  /// How many intervals cover a time.
  struct Level {
    LogName track;
    NumberList starts;
    NumberList ends;
  };
  struct Value {
    LogName track;
    std::string name;
    NumberList times;
    NumberList values;
    std::optional<std::uint64_t> initial = {};
  };
  static Level& level_of(std::deque<Level>& levels, FirstSeen& seen, LogName track);
  Value& value_of(LogName track, const std::string& name);
  void add_value(LogName track, const std::string& name, std::uint64_t at_ps, std::uint64_t value);
  static void add(std::deque<Level>& levels, FirstSeen& seen, LogName track, std::uint64_t start, std::uint64_t end);

  OutputFile& file_;
  std::function<std::vector<Counter>()> initial_;
  std::function<std::vector<DeadlineRow>()> deadlines_;
  FirstSeen seen_engines_;
  FirstSeen seen_workers_;
  FirstSeen seen_contexts_;
  FirstSeen seen_runs_;
  std::map<std::pair<LogName, std::string>, std::size_t> seen_values_;
  std::deque<Level> engines_;
  std::deque<Level> workers_;
  std::deque<Level> contexts_;
  std::deque<Level> runs_;  // of contexts
  std::map<std::pair<SpanKind, LogName>, Level> moves_;
  std::deque<Value> values_;
  PacketsUnderWay packets_;
  HardwareDepths depths_;
};

}  // namespace fenceline
