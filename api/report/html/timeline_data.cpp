// SPDX-License-Identifier: Apache-2.0
#include "api/report/html/timeline_data.hpp"

#include "sim/begin_record.hpp"
#include "sim/text/json_text.hpp"

#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

namespace fenceline {
namespace {

/// Of all values of an enumeration: `,"key":["first","second"]`.
template <class Enumeration>
void append_names(fmt::memory_buffer& out, std::string_view key) {
  fmt::format_to(std::back_inserter(out), ",\"{}\":[", key);
  for (std::uint8_t value = 0; *name_of(static_cast<Enumeration>(value)) != '?'; ++value) {
    fmt::format_to(std::back_inserter(out), "{}\"{}\"", value == 0 ? "" : ",",
                   name_of(static_cast<Enumeration>(value)));
  }
  out.push_back(']');
}

}  // namespace

/// Written from the left to the right; names that it needs are written before it.
class TimelineData::Line {
 public:
  Line(TimelineData& data, char kind) : data_(data) {
    data.line_.clear();
    data.line_.push_back(kind);
  }
  ~Line() = default;
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  Line& number(std::uint64_t number) {
    const fmt::format_int digits(number);
    comma();
    data_.line_.append(std::string_view(digits.data(), digits.size()));
    return *this;
  }
  /// The first time of the record.
  Line& at(std::uint64_t ps) {
    comma();
    difference(data_.last_ps_, ps);
    data_.last_ps_ = ps;
    return *this;
  }
  /// Another time of it; 0 where it is the same.
  Line& later(std::uint64_t ps) {
    comma();
    difference(data_.last_ps_, ps);
    return *this;
  }
  /// A time or none: nothing between commas.
  Line& maybe(const std::optional<std::uint64_t>& ps) {
    if (ps) return later(*ps);
    comma();
    return *this;
  }
  void end() {
    data_.line_.push_back('\n');
    data_.text_.append({data_.line_.data(), data_.line_.size()});
  }

 private:
  void comma() {
    if (data_.line_.size() > 1) data_.line_.push_back(',');
  }
  void difference(std::uint64_t from, std::uint64_t to) {
    if (to < from) data_.line_.push_back('-');
    const fmt::format_int digits(to < from ? from - to : to - from);
    data_.line_.append(std::string_view(digits.data(), digits.size()));
  }

  TimelineData& data_;
};

TimelineData::TimelineData(OutputFile& file, const std::vector<std::string>& prefixes) : text_(file) {
  line_.append(std::string_view("h{\"prefixes\":["));
  for (const std::string& prefix : prefixes) {
    if (&prefix != &prefixes.front()) line_.push_back(',');
    append_json_string(line_, prefix);
  }
  line_.push_back(']');
  append_names<PacketType>(line_, "types");
  append_names<PacketStatus>(line_, "statuses");
  append_names<SpanKind>(line_, "spans");
  append_names<PreemptionReason>(line_, "reasons");
  append_names<FrameRecord::Fate>(line_, "fates");
  append_names<RecoveryRecord::Step>(line_, "steps");
  append_names<PagingOperation>(line_, "operations");
  line_.append(std::string_view("}\n"));
  text_.append({line_.data(), line_.size()});
}

std::uint64_t TimelineData::number_of(const EventLog& log, LogName name) {
  if (name == LogName{}) return 0;
  const auto [index, is_new] = names_.number_of(name);
  if (is_new) {
    constexpr std::size_t most_bytes = 300;  // a name may be of any length
    line_.clear();
    line_.push_back('n');
    append_json_string(line_, log.text(name).substr(0, most_bytes));
    line_.push_back('\n');
    text_.append({line_.data(), line_.size()});
  }
  return index + 1;
}

void TimelineData::span(const EventLog& log, const Span& span) {
  const bool shown = span.kind == SpanKind::packet || span.kind == SpanKind::pipeline || moves_state(span.kind);
  if (!shown) return;
  if (const auto open = open_.find(span.id); span.kind == SpanKind::packet && open != open_.end()) {
    open->second.begun_ps.reset();
  }
  const std::uint64_t track = number_of(log, span.track);
  const std::uint64_t name = number_of(log, span.name);
  Line(*this, 's')
      .at(span.start_ps)
      .later(span.end_ps)
      .number(track)
      .number(static_cast<std::uint64_t>(span.kind))
      .number(name)
      .number(span.id)
      .number(span.stopped ? 1 : 0)
      .end();
}

void TimelineData::instant(const EventLog& log, const Instant& instant) {
  const std::uint64_t track = number_of(log, instant.track);
  const std::uint64_t name = number_of(log, instant.name);
  Line(*this, 'i').at(instant.at_ps).number(track).number(name).number(instant.value).end();
}

void TimelineData::counter(const EventLog& log, const Counter& counter) {
  if (counter.kind != CounterKind::fence_value) return;
  const std::uint64_t fence = number_of(log, counter.track);
  Line(*this, 'c').at(counter.at_ps).number(fence).number(counter.value).end();
}

void TimelineData::packet(const EventLog& log, const PacketRecord& packet) {
  open_.erase(packet.id);
  const std::uint64_t context = number_of(log, packet.context);
  const std::uint64_t node = number_of(log, packet.node);
  const std::uint64_t label = number_of(log, packet.label);
  Line(*this, 'p')
      .at(packet.submitted_ps)
      .later(packet.head_ps)
      .later(packet.ready_ps)
      .later(packet.hardware_ps)
      .later(packet.started_ps)
      .later(packet.finished_ps)
      .later(packet.completed_ps)
      .number(packet.id)
      .number(context)
      .number(node)
      .number(label)
      .number(static_cast<std::uint64_t>(packet.type))
      .number(static_cast<std::uint64_t>(packet.status))
      .number(packet.preemptions)
      .number(packet.preempted_ps)
      .number(packet.submission_fence_id)
      .number(packet.fence_value)
      .number(packet.pieces)
      .end();
}

void TimelineData::queued(const EventLog& log, const QueuedRecord& queued) {
  const std::uint64_t context = number_of(log, queued.context);
  const std::uint64_t node = number_of(log, queued.node);
  const std::uint64_t label = number_of(log, queued.fence != LogName{}   ? queued.fence
                                             : queued.label != LogName{} ? queued.label
                                                                         : queued.list);
  Line(*this, 'q')
      .at(queued.at_ps)
      .number(queued.packet)
      .number(context)
      .number(node)
      .number(label)
      .number(static_cast<std::uint64_t>(queued.type))
      .number(queued.fence_value)
      .end();
}

void TimelineData::ready(const ReadyRecord& ready) {
  Open& open = open_[ready.packet];
  if (!open.ready_ps) open.ready_ps = ready.at_ps;
}

void TimelineData::begun(const EventLog& log, const BeginRecord& begin) {
  Open& open = open_[begin.packet];
  open.begun_ps = begin.at_ps;
  open.track = number_of(log, begin.node);
  open.label = number_of(log, begin.label);
}

void TimelineData::submission(const EventLog& log, const SubmissionRecord& record) {
  const std::uint64_t node = number_of(log, record.node);
  Line(*this, 'u')
      .at(record.at_ps)
      .number(node)
      .number(record.hardware_queue)
      .number(record.packet)
      .number(record.submission_fence_id)
      .end();
}

void TimelineData::interrupt(const EventLog& log, const InterruptRecord& interrupt) {
  const bool completed = interrupt.type == InterruptType::dma_completed;
  if (!completed && interrupt.type != InterruptType::dma_preempted) return;
  const std::uint64_t node = number_of(log, interrupt.node);
  Line(*this, 'e')
      .at(interrupt.dpc_ps)
      .number(node)
      .number(interrupt.hardware_queue)
      .number(completed ? 1 : 0)
      .number(completed ? interrupt.fence_id : interrupt.last_completed_fence_id)
      .end();
}

void TimelineData::context(const EventLog& log, const ContextRecord& context) {
  const std::uint64_t name = number_of(log, context.context);
  const std::uint64_t process = number_of(log, context.process);
  Line(*this, 'x').at(context.at_ps).number(name).number(process).number(context.band).number(context.level).end();
}

void TimelineData::attempt(const EventLog& log, const AttemptRecord& attempt) {
  const std::uint64_t result = number_of(log, attempt.result);
  Line(*this, 'a').at(attempt.at_ps).number(attempt.waiting_packet).number(attempt.running_packet).number(result).end();
}

void TimelineData::request(const EventLog& log, const PreemptionRequest& request) {
  const std::uint64_t node = number_of(log, request.node);
  Line(*this, 'r')
      .at(request.at_ps)
      .number(node)
      .number(request.hardware_queue)
      .number(request.preemption_fence_id)
      .number(static_cast<std::uint64_t>(request.reason))
      .number(request.victim_packet)
      .number(request.beneficiary_packet)
      .end();
}

void TimelineData::preemption(const EventLog& log, const PreemptionRecord& record) {
  const std::uint64_t node = number_of(log, record.node);
  const std::uint64_t asked = number_of(log, record.level_asked);
  const std::uint64_t reached = number_of(log, record.level_reached);
  Line(*this, 'v')
      .at(record.requested_ps)
      .later(record.stopped_ps)
      .later(record.free_ps)
      .later(record.known_ps)
      .number(record.restore_wait_ps)
      .number(node)
      .number(record.hardware_queue)
      .number(record.preemption_fence_id)
      .number(record.packets)
      .number(record.saved_bytes)
      .number(asked)
      .number(reached)
      .end();
}

void TimelineData::task(const EventLog& log, const TaskRecord& task) {
  const std::uint64_t track = number_of(log, task.track);
  const std::uint64_t name = number_of(log, task.name);
  Line line(*this, 't');
  line.at(task.started_ps)
      .later(task.at_ps)
      .number(static_cast<std::uint64_t>(task.what))
      .number(track)
      .number(name)
      .number(task.task)
      .number(task.boosted ? 1 : 0)
      .number(task.cpu_ps)
      .number(task.processor ? *task.processor + std::uint64_t{1} : 0)
      .end();
}

void TimelineData::frame(const EventLog& log, const FrameRecord& frame) {
  const std::uint64_t chain = number_of(log, frame.swap_chain);
  const std::uint64_t output = number_of(log, frame.output);
  Line(*this, 'f')
      .at(frame.on_screen_ps)
      .later(frame.left_ps)
      .later(frame.presented_ps)
      .later(frame.ready_ps)
      .number(chain)
      .number(output)
      .number(static_cast<std::uint64_t>(frame.fate))
      .number(frame.frame)
      .number(frame.interval)
      .number(frame.composed ? 1 : 0)
      .end();
}

void TimelineData::recovery(const EventLog& log, const RecoveryRecord& record) {
  if (!is_row(record.step)) return;
  const std::uint64_t node = number_of(log, record.node);
  const std::uint64_t process = number_of(log, record.process);
  const std::uint64_t reason = number_of(log, record.reason);
  const std::uint64_t list = number_of(log, record.list);
  const std::uint64_t command = number_of(log, record.command);
  Line(*this, 'y')
      .at(record.at_ps)
      .number(static_cast<std::uint64_t>(record.step))
      .number(record.episode)
      .number(node)
      .number(process)
      .number(record.packet)
      .number(reason)
      .number(list)
      .number(command)
      .end();
}

void TimelineData::paging(const EventLog& log, const PagingRecord& record) {
  const std::uint64_t resource = number_of(log, record.resource);
  const std::uint64_t process = number_of(log, record.process);
  Line(*this, 'g')
      .at(record.start_ps)
      .later(record.end_ps)
      .number(record.packet)
      .number(static_cast<std::uint64_t>(record.operation))
      .number(resource)
      .number(record.bytes)
      .number(process)
      .end();
}

void TimelineData::deadline(const EventLog& log, const DeadlineRow& deadline) {
  const std::uint64_t name = number_of(log, deadline.name);
  const std::uint64_t fence = number_of(log, deadline.fence);
  Line(*this, 'd')
      .at(deadline.due_ps)
      .maybe(deadline.reached_ps)
      .number(name)
      .number(fence)
      .number(deadline.value)
      .end();
}

void TimelineData::finish(std::uint64_t end_ps) {
  for (const auto& [id, open] : open_) {
    if (open.ready_ps) Line(*this, 'w').at(*open.ready_ps).number(id).end();
    if (open.begun_ps && *open.begun_ps <= end_ps) {
      Line(*this, 'b').at(*open.begun_ps).number(id).number(open.track).number(open.label).end();
    }
  }
  Line(*this, 'z').at(end_ps).end();
  text_.finish();
}

}  // namespace fenceline
