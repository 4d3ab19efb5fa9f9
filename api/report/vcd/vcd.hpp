// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/first_seen.hpp"
#include "api/report/vcd/number_list.hpp"
#include "sim/files/output_file.hpp"
#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>

namespace fenceline {

/// Writes waves.vcd, a value change dump (IEEE 1364-2005, clause 18) in picoseconds for GTKWave and its like:
///
/// - `running` of an engine: how many of its packet spans cover the time; `busy`: whether one does
/// - the same of a worker that runs background tasks, from each task's start until it has finished
/// - `outstanding` of a context: packets of all types submitted and not completed
/// - every counter (a fence's `value`, with --trace a channel's rate) under its own name; x until it is first written
///
/// A dump must go forward in time, and a span or packet that is still to come may have begun at any time, so nothing
/// is written before finish(). Until then each time takes 3 to 5 bytes: about 20 bytes for a packet with its span, 7
/// for a counter. A signal whose starts did not come in order is sorted in finish(), 8 bytes for each of its starts.
class VcdSink final : public LogSink {
 public:
  explicit VcdSink(OutputFile& file) : file_(file) {}
  void span(const EventLog& log, const Span& span) override;
  void counter(const EventLog& log, const Counter& counter) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void task(const EventLog& log, const TaskRecord& task) override;
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
    CounterKind kind;
    NumberList times;
    NumberList values;
  };
  static Level& level_of(std::deque<Level>& levels, FirstSeen& seen, LogName track);
  static void add(std::deque<Level>& levels, FirstSeen& seen, LogName track, std::uint64_t start, std::uint64_t end);

  OutputFile& file_;
  FirstSeen seen_engines_;
  FirstSeen seen_workers_;
  FirstSeen seen_contexts_;
  std::map<std::pair<LogName, CounterKind>, std::size_t> seen_values_;
  std::deque<Level> engines_;
  std::deque<Level> workers_;
  std::deque<Level> contexts_;
  std::deque<Value> values_;
};

}  // namespace fenceline
