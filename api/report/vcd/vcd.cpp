// SPDX-License-Identifier: Apache-2.0
#include "api/report/vcd/vcd.hpp"

#include "api/report/vcd/deadline_waves.hpp"
#include "api/report/vcd/vcd_scopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace fenceline {
namespace {

void sort(NumberList& list) {
  if (list.is_sorted()) return;
  std::vector<std::uint64_t> numbers;
  numbers.reserve(list.size());
  NumberList::Reader reader(list);
  for (std::size_t i = 0; i < list.size(); ++i) numbers.push_back(reader.next());
  list = {};
  std::sort(numbers.begin(), numbers.end());
  for (const std::uint64_t number : numbers) list.append(number);
}

/// By time; of values at one time the last one written stays last.
void sort(NumberList& times, NumberList& values) {
  if (times.is_sorted()) return;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> changes;
  changes.reserve(times.size());
  NumberList::Reader time(times);
  NumberList::Reader value(values);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::uint64_t at = time.next();
    changes.emplace_back(at, value.next());
  }
  times = {};
  values = {};
  std::stable_sort(changes.begin(), changes.end(), [](auto& a, auto& b) { return a.first < b.first; });
  for (const auto& [at, to] : changes) {
    times.append(at);
    values.append(to);
  }
}

/// Merges the changes of all signals by time and writes them.
class Dump {
 public:
  explicit Dump(OutputFile& file) : file_(file) {}

  void add_level(const NumberList& starts, const NumberList& ends, std::string code, std::string busy_code) {
    signals_.push_back({std::move(code), std::move(busy_code), 0, 0, true});
    add_source(starts, std::nullopt, 1);
    add_source(ends, std::nullopt, ~std::uint64_t{0});
  }
  /// Without an initial value it is unknown until the first time.
  void add_value(const NumberList& times, const NumberList& values, std::string code,
                 std::optional<std::uint64_t> initial) {
    signals_.push_back({std::move(code), {}, initial.value_or(0), 0, initial.has_value()});
    add_source(times, NumberList::Reader(values), 0);
  }
  /// A wire of one bit, 0 at the start.
  void add_wire(const NumberList& times, const NumberList& values, std::string code) {
    signals_.push_back({{}, std::move(code), 0, 0, true});
    add_source(times, NumberList::Reader(values), 0);
  }

  void write(std::uint64_t end_ps) {
    file_.append("#0\n$dumpvars\n");
    apply_changes_at(0);
    for (Signal& signal : signals_) write_value(signal, true);
    file_.append("$end\n");
    std::uint64_t at = 0;
    while (!due_.empty()) {
      at = due_.front().at_ps;
      apply_changes_at(at);
      bool stamped = false;
      for (const std::size_t index : changed_) {
        Signal& signal = signals_[index];
        if (signal.known && signal.value == signal.written) continue;
        // Of those of which only the fact counts, how many is not written.
        if (signal.code.empty() && (signal.value == 0) == (signal.written == 0)) {
          signal.written = signal.value;
          continue;
        }
        if (!stamped) write_time(at);
        stamped = true;
        signal.known = true;
        write_value(signal, false);
      }
    }
    if (end_ps > at) write_time(end_ps);  // the last values last until the end
  }

 private:
  struct Signal {
    std::string code;       ///< empty: only whether it is above 0
    std::string busy_code;  ///< empty: only how much it is
    std::uint64_t value;
    std::uint64_t written;
    bool known;
  };
  /// A list of times at which one signal changes.
  struct Source {
    std::size_t signal;
    std::size_t left;
    NumberList::Reader times;
    std::optional<NumberList::Reader> values;
    std::uint64_t step;  ///< what is added at each time; unused with values
  };
  /// The next change of a source.
  struct Due {
    std::uint64_t at_ps;
    std::size_t source;
  };
  static bool later(const Due& a, const Due& b) { return std::tie(a.at_ps, a.source) > std::tie(b.at_ps, b.source); }

  void add_source(const NumberList& times, std::optional<NumberList::Reader> values, std::uint64_t step) {
    if (times.size() == 0) return;
    sources_.push_back({signals_.size() - 1, times.size() - 1, NumberList::Reader(times), std::move(values), step});
    due_.push_back({sources_.back().times.next(), sources_.size() - 1});
    std::push_heap(due_.begin(), due_.end(), later);
  }

  /// Leaves in changed_, in order and once each, the signals that have changes at this time.
  void apply_changes_at(std::uint64_t at_ps) {
    changed_.clear();
    while (!due_.empty() && due_.front().at_ps == at_ps) {
      std::pop_heap(due_.begin(), due_.end(), later);
      Source& source = sources_[due_.back().source];
      Signal& signal = signals_[source.signal];
      if (changed_.empty() || changed_.back() != source.signal) changed_.push_back(source.signal);
      do {
        signal.value = source.values ? source.values->next() : signal.value + source.step;
        if (source.left == 0) break;
        --source.left;
        due_.back().at_ps = source.times.next();
      } while (due_.back().at_ps == at_ps);
      if (due_.back().at_ps == at_ps) {
        due_.pop_back();
      } else {
        std::push_heap(due_.begin(), due_.end(), later);
      }
    }
    if (at_ps == 0) {
      for (const std::size_t index : changed_) signals_[index].known = true;
    }
  }

  void write_time(std::uint64_t at_ps) {
    const fmt::format_int digits(at_ps);
    write_line('#', {digits.data(), digits.size()});
  }

  void write_value(Signal& signal, bool first) {
    if (!signal.known) {
      write_line('b', "x", signal.code);
    } else {
      char bits[64];
      std::size_t begin = sizeof bits;
      std::uint64_t rest = signal.value;
      do {
        bits[--begin] = static_cast<char>('0' + (rest & 1));
      } while ((rest >>= 1) != 0);
      if (!signal.code.empty()) write_line('b', {bits + begin, sizeof bits - begin}, signal.code);
      if (!signal.busy_code.empty() && (first || (signal.value == 0) != (signal.written == 0))) {
        write_line(signal.value == 0 ? '0' : '1', signal.busy_code);
      }
    }
    signal.written = signal.value;
  }

  void write_line(char kind, std::string_view text, std::string_view code = {}) {
    fmt::memory_buffer& out = file_.buffer();
    out.push_back(kind);
    out.append(text);
    if (!code.empty()) out.push_back(' ');
    out.append(code);
    out.push_back('\n');
    file_.end_record();
  }

  OutputFile& file_;
  std::vector<Signal> signals_;
  std::vector<Source> sources_;  ///< those of one signal are neighbours
  std::vector<Due> due_;         ///< a heap, the earliest in front
  std::vector<std::size_t> changed_;
};

}  // namespace

void VcdSink::span(const EventLog&, const Span& span) {
  if (span.kind == SpanKind::packet) {
    add(engines_, seen_engines_, span.track, span.start_ps, span.end_ps);
    const PacketUnderWay* packet = packets_.find(span.id);
    if (packet != nullptr) add(runs_, seen_runs_, packet->context, span.start_ps, span.end_ps);
  } else if (moves_state(span.kind)) {
    Level& level = moves_[{span.kind, span.track}];
    level.track = span.track;
    level.starts.append(span.start_ps);
    level.ends.append(span.end_ps);
  }
}

void VcdSink::counter(const EventLog&, const Counter& counter) {
  add_value(counter.track, name_of(counter.kind), counter.at_ps, counter.value);
}

void VcdSink::instant(const EventLog& log, const Instant& instant) {
  if (log.text(instant.name) == "vblank") add_value(instant.track, "vblank", instant.at_ps, instant.value);
}

void VcdSink::frame(const EventLog&, const FrameRecord& frame) {
  if (frame.fate != FrameRecord::Fate::discarded) {
    add_value(frame.swap_chain, "frame", frame.on_screen_ps, frame.frame);
  }
}

void VcdSink::submission(const EventLog&, const SubmissionRecord& submission) {
  add_value(submission.node, fmt::format("depth{}", submission.hardware_queue), submission.at_ps,
            depths_.submission(submission));
}

void VcdSink::interrupt(const EventLog&, const InterruptRecord& interrupt) {
  if (const auto depth = depths_.interrupt(interrupt)) {
    add_value(interrupt.node, fmt::format("depth{}", interrupt.hardware_queue), interrupt.at_ps, *depth);
  }
}

void VcdSink::recovery(const EventLog&, const RecoveryRecord& recovery) {
  using Step = RecoveryRecord::Step;
  if (recovery.step != Step::engine_reset && recovery.step != Step::adapter_reset) return;
  for (const auto& [node, queue] : depths_.reset(recovery.node)) {
    add_value(node, fmt::format("depth{}", queue), recovery.at_ps, 0);
  }
}

void VcdSink::packet(const EventLog&, const PacketRecord& packet) {
  packets_.packet(packet);
  add(contexts_, seen_contexts_, packet.context, packet.submitted_ps, packet.completed_ps);
}

void VcdSink::task(const EventLog&, const TaskRecord& task) {
  if (task.what == TaskRecord::What::cancelled) return;
  Level& worker = level_of(workers_, seen_workers_, task.track);
  // A worker runs a task at a time; the sink may have come when it ran already.
  if (worker.starts.size() == worker.ends.size()) worker.starts.append(task.started_ps);
  if (task.what == TaskRecord::What::finished) worker.ends.append(task.at_ps);
}

void VcdSink::finish(const EventLog& log, std::uint64_t end_ps) {
  VcdScopes scopes;
  Dump dump(file_);
  for (std::deque<Level>* levels : {&engines_, &workers_}) {
    for (Level& one : *levels) {
      sort(one.starts);
      sort(one.ends);
      const std::string busy = scopes.add(log.text(one.track), "busy", 1);
      dump.add_level(one.starts, one.ends, scopes.add(log.text(one.track), "running", 32), busy);
    }
  }
  for (auto& [kind_and_track, level] : moves_) {
    sort(level.starts);
    sort(level.ends);
    dump.add_level(level.starts, level.ends, {}, scopes.add(log.text(level.track), name_of(kind_and_track.first), 1));
  }
  for (Level& context : runs_) {
    sort(context.starts);
    sort(context.ends);
    dump.add_level(context.starts, context.ends, scopes.add(log.text(context.track), "running", 32), {});
  }
  for (Level& context : contexts_) {
    sort(context.starts);
    sort(context.ends);
    dump.add_level(context.starts, context.ends, scopes.add(log.text(context.track), "outstanding", 32), {});
  }
  if (initial_) {
    for (const Counter& counter : initial_()) {
      value_of(counter.track, name_of(counter.kind)).initial = counter.value;
    }
  }
  for (Value& value : values_) {
    sort(value.times, value.values);
    dump.add_value(value.times, value.values, scopes.add(log.text(value.track), value.name, 64), value.initial);
  }
  const auto deadlines = deadlines_ ? deadline_waves(deadlines_(), end_ps) : DeadlineWaves();
  for (const auto& [name, wave] : deadlines) {
    const std::string path = "deadlines." + std::string(log.text(name));
    dump.add_wire(wave.times, wave.turns, scopes.add(path, "due", 1));
    dump.add_value(wave.times, wave.missed, scopes.add(path, "missed", 64), 0);
  }
  file_.append("$version Fenceline $end\n$timescale 1 ps $end\n");
  scopes.write(file_);
  file_.append("$enddefinitions $end\n");
  dump.write(end_ps);
}

VcdSink::Value& VcdSink::value_of(LogName track, const std::string& name) {
  const auto [known, is_new] = seen_values_.try_emplace({track, name}, values_.size());
  if (is_new) values_.push_back({track, name, {}, {}});
  return values_[known->second];
}

void VcdSink::add_value(LogName track, const std::string& name, std::uint64_t at_ps, std::uint64_t number) {
  Value& value = value_of(track, name);
  value.times.append(at_ps);
  value.values.append(number);
}

VcdSink::Level& VcdSink::level_of(std::deque<Level>& levels, FirstSeen& seen, LogName track) {
  const auto [index, is_new] = seen.number_of(track);
  if (is_new) levels.push_back({track, {}, {}});
  return levels[index];
}

void VcdSink::add(std::deque<Level>& levels, FirstSeen& seen, LogName track, std::uint64_t start, std::uint64_t end) {
  Level& level = level_of(levels, seen, track);
  level.starts.append(start);
  level.ends.append(end);
}

}  // namespace fenceline
