// SPDX-License-Identifier: Apache-2.0
#include "api/report/perfetto/perfetto.hpp"

#include "api/report/deadline_row.hpp"
#include "api/report/perfetto/perfetto_layout.hpp"
#include "sim/text/json_text.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace fenceline {
namespace {

void append_integer(fmt::memory_buffer& out, std::uint64_t value) {
  const fmt::format_int digits(value);
  out.append(std::string_view(digits.data(), digits.size()));
}

/// What stands in the trace as the slice's category.
const char* category_of(SpanKind kind) { return moves_state(kind) ? "preemption" : name_of(kind); }

/// The module that a track belongs to: "adapter" of "adapter.copy0", "adapter.app" of "adapter.app.compute.wait".
std::string_view process_name_of(std::string_view track) {
  const std::size_t first = track.find('.');
  if (first == std::string_view::npos) return track;
  const std::size_t second = track.find('.', first + 1);
  return track.substr(0, second == std::string_view::npos ? first : second);
}

}  // namespace

PerfettoSink::PerfettoSink(OutputFile& file, std::function<std::vector<DeadlineRow>()> deadlines)
    : file_(file),
      deadlines_(std::move(deadlines)),
      regions_([this](const EventLog& of, const MarkerRow& row) { append(of, row); }) {
  file_.append(trace_beginning);
}

void PerfettoSink::span(const EventLog& log, const Span& span) {
  if (span.kind == SpanKind::task) return;  // its record says more
  regions_.span(span);
  if (span.kind == SpanKind::command && span.id != 0 && !log.enabled(EventLog::Detail::waves)) {
    batches_.add(span);
    return;
  }
  const bool piece = span.id != 0 && span.kind == SpanKind::packet;
  if (piece) {
    pieces_.push_back({span.id, span.start_ps, span.end_ps});
    for (const CommandBatch& batch : batches_.take(span.track, span.id)) append(log, batch);
  }
  const std::string_view thread = start_span(log, span);
  file_.buffer().append(std::string_view("}}"));
  if (piece) {
    follow_arrows(span, thread);
    if (const PacketUnderWay* packet = packets_.find(span.id)) {
      for (const FenceArrows::Slice& from : fence_arrows_.ran(packet->context, span, thread)) {
        const Arrow arrow{++arrows_, from.at_ps};
        append_arrow('s', "fence", arrow, from.at_ps, from.thread);
        append_arrow('f', "fence", arrow, span.start_ps, thread);
      }
    }
  }
  file_.end_record();
}

void PerfettoSink::append(const EventLog& log, const CommandBatch& batch) {
  start_span(log, batch.span);
  if (batch.commands > 1) fmt::format_to(std::back_inserter(file_.buffer()), ",\"commands\":{}", batch.commands);
  file_.buffer().append(std::string_view("}}"));
  file_.end_record();
}

/// Up to the arguments that all spans have, whose brace is open; the answer is its thread.
std::string_view PerfettoSink::start_span(const EventLog& log, const Span& span) {
  Track& track = track_of(log, span.track);
  const std::string_view thread = thread_of(track, track.lanes.place(span));
  const std::uint64_t start = on_grid(span.start_ps);
  fmt::memory_buffer& out = file_.buffer();
  start_event("{\"ph\":\"X\",\"name\":");
  append_json_string(out, log.text(span.name));
  out.append(std::string_view(",\"cat\":"));
  append_json_string(out, category_of(span.kind));
  out.append(thread);
  out.append(std::string_view(",\"ts\":"));
  out.append(TimeText(start).view());
  out.append(std::string_view(",\"dur\":"));
  out.append(TimeText(on_grid(span.end_ps) - start).view());
  out.append(std::string_view(",\"args\":{\"id\":"));
  append_integer(out, span.id);
  out.append(std::string_view(",\"start_ps\":"));
  append_integer(out, span.start_ps);
  out.append(std::string_view(",\"end_ps\":"));
  append_integer(out, span.end_ps);
  return thread;
}

void PerfettoSink::task(const EventLog& log, const TaskRecord& task) {
  if (task.what == TaskRecord::What::started) return;
  const auto out = std::back_inserter(file_.buffer());
  if (task.what == TaskRecord::What::cancelled) {
    const std::string_view thread = thread_of(track_of(log, task.track), 0);
    start_event("{\"ph\":\"i\",\"s\":\"t\",\"name\":\"cancelled\"");
    file_.buffer().append(thread);
    fmt::format_to(out, ",\"ts\":{},\"args\":{{\"id\":{}", TimeText(task.at_ps).view(), task.task);
  } else {
    start_span(log, {task.track, SpanKind::task, task.name, task.started_ps, task.at_ps, task.task});
    fmt::format_to(out, ",\"priority\":\"{}\",\"cpu_ps\":{}", task.boosted ? "boosted" : "idle", task.cpu_ps);
    if (task.processor) fmt::format_to(out, ",\"processor\":{}", *task.processor);
    if (task.host_thread != 0) fmt::format_to(out, ",\"host_thread\":{}", task.host_thread);
  }
  fmt::format_to(out, ",\"commit\":{},\"pipeline\":", task.commit);
  append_json_string(file_.buffer(), log.text(task.name));
  file_.buffer().append(std::string_view("}}"));
  file_.end_record();
}

void PerfettoSink::instant(const EventLog& log, const Instant& instant) {
  const std::string_view thread = thread_of(track_of(log, instant.track), 0);
  fmt::memory_buffer& out = file_.buffer();
  start_event("{\"ph\":\"i\",\"s\":\"t\",\"name\":");
  append_json_string(out, log.text(instant.name));
  out.append(thread);
  out.append(std::string_view(",\"ts\":"));
  out.append(TimeText(instant.at_ps).view());
  out.append(std::string_view(",\"args\":{\"value\":"));
  append_integer(out, instant.value);
  out.append(std::string_view("}}"));
  file_.end_record();
}

void PerfettoSink::append(const EventLog& log, const Counter& counter) {
  const Track& track = track_of(log, counter.track);
  fmt::memory_buffer& out = file_.buffer();
  // Perfetto names the row "<name> <key of the argument>"; chrome://tracing tells rows apart by category and name.
  start_event("{\"ph\":\"C\",\"name\":");
  append_json_string(out, track.name);
  out.append(std::string_view(",\"cat\":"));
  append_json_string(out, name_of(counter.kind));
  out.append(std::string_view(",\"pid\":"));
  append_integer(out, track.process);
  out.append(std::string_view(",\"ts\":"));
  out.append(TimeText(counter.at_ps).view());
  out.append(std::string_view(",\"args\":{"));
  append_json_string(out, name_of(counter.kind));
  out.push_back(':');
  append_integer(out, counter.value);
  out.append(std::string_view("}}"));
  file_.end_record();
}

void PerfettoSink::packet(const EventLog& log, const PacketRecord& packet) {
  const std::vector<PacketReason> reasons = in_pieces(packet, reasons_of(log, packet));
  Track& context = track_of(log, packet.context);
  fmt::memory_buffer& out = file_.buffer();
  fmt::basic_memory_buffer<char, 128> ids;
  ids.append(std::string_view(",\"cat\":\"packet\",\"id2\":{\"local\":\""));
  const fmt::format_int id(packet.id);
  ids.append(id.data(), id.data() + id.size());
  ids.append(std::string_view("\"}"));
  ids.append(thread_of(context, 0));
  const std::string_view same_for_all(ids.data(), ids.size());

  // Perfetto puts asynchronous slices of one name on one row, so the packet bears the name of its context.
  append_async('b', packet.submitted_ps, same_for_all, context.name);
  out.append(std::string_view(",\"args\":{\"id\":"));
  append_integer(out, packet.id);
  out.append(std::string_view(",\"type\":\""));
  out.append(std::string_view(name_of(packet.type)));
  out.append(std::string_view("\",\"label\":"));
  append_json_string(out, log.text(packet.label));
  out.append(std::string_view(",\"node\":"));
  append_json_string(out, log.text(packet.node));
  out.append(std::string_view(",\"submission_fence_id\":"));
  append_integer(out, packet.submission_fence_id);
  out.append(std::string_view(",\"fence_value\":"));
  append_integer(out, packet.fence_value);
  out.append(std::string_view(",\"preemptions\":"));
  append_integer(out, packet.preemptions);
  out.append(std::string_view(",\"status\":\""));
  out.append(std::string_view(name_of(packet.status)));
  out.append(std::string_view("\"}}"));
  for (const PacketReason& reason : reasons) {
    if (reason.start_ps == reason.end_ps) continue;
    append_async('b', reason.start_ps, same_for_all, reason.name);
    out.push_back('}');
    append_async('e', reason.end_ps, same_for_all, reason.name);
    out.push_back('}');
  }
  append_async('e', packet.completed_ps, same_for_all, context.name);
  out.push_back('}');
  file_.end_record();
  packets_.packet(packet);
  regions_.packet(log, packet);
  benefiting_.erase(packet.id);
  fence_arrows_.packet(packet);
  std::size_t& queued = queued_[packet.context];
  if (queued > 0) append_depth(context, std::nullopt, packet.completed_ps, --queued);
}

/// Reasons with "running" and "preempted" where they were.
std::vector<PacketReason> PerfettoSink::in_pieces(const PacketRecord& packet,
                                                  const std::array<PacketReason, 6>& reasons) {
  const auto first = std::stable_partition(pieces_.begin(), pieces_.end(),
                                           [&](const Piece& piece) { return piece.packet != packet.id; });
  const std::vector<Piece> own(first, pieces_.end());
  pieces_.erase(first, pieces_.end());
  std::uint64_t ran_ps = 0;
  for (const Piece& piece : own) ran_ps += piece.end_ps - piece.start_ps;
  // Else somebody has left spans out.
  const bool known = own.size() > 1 && ran_ps == packet.finished_ps - packet.started_ps - packet.preempted_ps;
  if (!known) return {reasons.begin(), reasons.end()};
  const auto& [queued, fence, node, running, preempted, completing] = reasons;
  std::vector<PacketReason> result = {queued, fence, node};
  for (const Piece& piece : own) {
    if (piece.start_ps > result.back().end_ps) {
      result.push_back({preempted.name, result.back().end_ps, piece.start_ps});
    }
    result.push_back({running.name, piece.start_ps, piece.end_ps});
  }
  result.push_back(completing);
  return result;
}

void PerfettoSink::finish(const EventLog& log, std::uint64_t) {
  for (const CommandBatch& batch : batches_.take_all()) append(log, batch);  // of packets that have not ended
  regions_.finish(log);
  for (auto& [array, residents] : residents_) append(log, residents);
  append_deadlines(log);
  file_.append("\n]}\n");
}

PerfettoSink::Track& PerfettoSink::track_of(const EventLog& log, LogName name) {
  const auto [index, is_new] = seen_.number_of(name);
  if (is_new) {
    const std::string_view text = log.text(name);
    tracks_.push_back({std::string(text), index, process_of(text), {}, {}, {}});
  }
  return tracks_[index];
}

std::size_t PerfettoSink::process_of(std::string_view track) {
  const std::string_view name = process_name_of(track);
  if (const auto found = processes_.find(name); found != processes_.end()) return found->second;
  const std::size_t process = processes_.size() + 1;
  processes_.emplace(name, process);
  append_metadata("process", fmt::format(",\"pid\":{}", process), name, process);
  return process;
}

std::string_view PerfettoSink::thread_of(Track& track, std::size_t lane) {
  while (track.threads.size() <= lane) {
    const std::size_t number = track.threads.size();
    track.threads.push_back(fmt::format(",\"pid\":{},\"tid\":{}", track.process, ++threads_));
    append_metadata("thread", track.threads.back(),
                    number == 0 ? track.name : fmt::format("{} ({})", track.name, number + 1),
                    track.number * lanes_per_track + number);
  }
  return track.threads[lane];
}

void PerfettoSink::start_event(std::string_view text) {
  file_.buffer().append(separator_);
  file_.buffer().append(text);
  separator_ = ",\n";
}

void PerfettoSink::append_metadata(std::string_view kind, std::string_view ids, std::string_view name,
                                   std::size_t sort_index) {
  const auto out = std::back_inserter(file_.buffer());
  start_event("{\"ph\":\"M\",\"name\":");
  fmt::format_to(out, "\"{}_name\"{},\"args\":{{\"name\":", kind, ids);
  append_json_string(file_.buffer(), name);
  file_.buffer().append(std::string_view("}}"));
  start_event("{\"ph\":\"M\",\"name\":");
  fmt::format_to(out, "\"{}_sort_index\"{},\"args\":{{\"sort_index\":{}}}}}", kind, ids, sort_index);
}

/// Without the closing brace: arguments may follow.
void PerfettoSink::append_async(char phase, std::uint64_t at_ps, std::string_view ids, std::string_view name) {
  fmt::memory_buffer& out = file_.buffer();
  start_event("{\"ph\":\"");
  out.push_back(phase);
  out.append(std::string_view("\",\"ts\":"));
  out.append(TimeText(at_ps).view());
  out.append(ids);
  out.append(std::string_view(",\"name\":"));
  append_json_string(out, name);
}

}  // namespace fenceline
