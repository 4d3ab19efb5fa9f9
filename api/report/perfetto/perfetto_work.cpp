// SPDX-License-Identifier: Apache-2.0
// PerfettoSink, the family of functions that show how full queues and the shader array are and how
// deadlines went.
#include "api/report/deadline_row.hpp"
#include "api/report/perfetto/perfetto.hpp"
#include "sim/text/json_text.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>

namespace fenceline {

void PerfettoSink::counter(const EventLog& log, const Counter& counter) {
  if (counter.kind != CounterKind::resident_threads) {
    append(log, counter);
    return;
  }
  // A wave ends and the next begins at one moment: what it comes to is one change, or none.
  const auto [array, is_new] = residents_.try_emplace(counter.track, Residents{counter});
  if (!is_new && array->second.last.at_ps < counter.at_ps) append(log, array->second);
  array->second.last = counter;
}

void PerfettoSink::append(const EventLog& log, Residents& residents) {
  if (residents.last.value == residents.written) return;
  append(log, residents.last);
  residents.written = residents.last.value;
}

/// Of a context's software queue, or of a node's hardware queue.
void PerfettoSink::append_depth(const Track& track, std::optional<std::uint32_t> hardware_queue, std::uint64_t at_ps,
                                std::size_t packets) {
  start_event("{\"ph\":\"C\",\"name\":");
  append_json_string(file_.buffer(), hardware_queue ? fmt::format("{} hardware queue {}", track.name, *hardware_queue)
                                                    : track.name + " queue");
  fmt::format_to(std::back_inserter(file_.buffer()), ",\"pid\":{},\"ts\":{},\"args\":{{\"packets\":{}}}}}",
                 track.process, TimeText(at_ps).view(), packets);
  file_.end_record();
}

/// On the thread of its queue.
void PerfettoSink::append(const EventLog& log, const MarkerRow& row) {
  if (row.region) {
    start_span(log, {row.context, SpanKind::region, row.name, row.start_ps, row.end_ps, row.packet});
    file_.buffer().push_back(',');
  } else {
    start_instant(row.start_ps, thread_of(track_of(log, row.context), 0), "marker", log.text(row.name));
  }
  file_.buffer().append(std::string_view("\"path\":"));
  append_json_string(file_.buffer(), row.path);
  if (row.packet != 0) {
    file_.buffer().append(std::string_view(",\"list\":"));
    append_json_string(file_.buffer(), log.text(row.list));
  }
  if (row.color != 0) fmt::format_to(std::back_inserter(file_.buffer()), ",\"color\":\"0x{:08x}\"", row.color);
  end_instant();
}

/// On a thread of each deadline's own.
void PerfettoSink::append_deadlines(const EventLog& log) {
  if (!deadlines_) return;
  std::map<LogName, std::string> threads;
  for (const DeadlineRow& row : deadlines_()) {
    std::string& thread = threads[row.name];
    if (thread.empty()) {
      thread = fmt::format(",\"pid\":{},\"tid\":{}", process_of("deadlines"), ++threads_);
      append_metadata("thread", thread, fmt::format("deadline {}", log.text(row.name)), threads.size());
    }
    const bool met = row.reached_ps && *row.reached_ps <= row.due_ps;
    start_instant(row.due_ps, thread, "deadline", met ? "met" : row.reached_ps ? "missed" : "not reached");
    file_.buffer().append(std::string_view("\"fence\":"));
    append_json_string(file_.buffer(), log.text(row.fence));
    const auto out = std::back_inserter(file_.buffer());
    fmt::format_to(out, ",\"value\":{},\"due_ps\":{}", row.value, row.due_ps);
    if (row.reached_ps) fmt::format_to(out, ",\"reached_ps\":{}", *row.reached_ps);
    end_instant();
  }
}

}  // namespace fenceline
