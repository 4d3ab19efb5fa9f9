// SPDX-License-Identifier: Apache-2.0
#include "api/report/text.hpp"

#include "api/report/interrupt_payload.hpp"
#include "api/report/packets.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>

namespace fenceline {
namespace {

constexpr std::size_t time_width = 13;  // lines stay aligned for runs of up to 1 s

/// DXGK_SCHEDULING_PRIORITY_BAND.
constexpr const char* name_of_band(std::uint8_t band) {
  constexpr const char* names[] = {"idle", "normal", "focus", "realtime"};
  return band < std::size(names) ? names[band] : "?";
}

}  // namespace

void TextSink::instant(const EventLog& log, const Instant& instant) {
  start_line(Severity::info, instant.at_ps, log.text(instant.track));
  append_line_text(log.text(instant.name));
  if (instant.value != 0) fmt::format_to(std::back_inserter(file_.buffer()), " {}", instant.value);
  end_line();
}

void TextSink::packet(const EventLog& log, const PacketRecord& packet) {
  const auto reasons = reasons_of(log, packet);
  const bool completed = packet.status == PacketStatus::completed;
  fmt::memory_buffer& line = file_.buffer();
  const auto out = std::back_inserter(line);
  start_line(completed ? Severity::info : Severity::warning, packet.completed_ps, log.text(packet.context));
  fmt::format_to(out, "packet {} {} \"", packet.id, name_of(packet.type));
  append_line_text(log.text(packet.label));
  line.push_back('"');
  if (packet.type != PacketType::render) fmt::format_to(out, " {}", packet.fence_value);
  if (packet.node != LogName{}) {
    line.append(std::string_view(" on "));
    append_line_text(log.text(packet.node));
  }
  fmt::format_to(out, " {} after {} us", completed ? "done" : name_of(packet.status),
                 TimeText(packet.completed_ps - packet.submitted_ps).view());
  const char* separator = ": ";
  for (const PacketReason& reason : reasons) {
    if (reason.start_ps == reason.end_ps) continue;
    fmt::format_to(out, "{}{} {}", separator, reason.name, TimeText(reason.end_ps - reason.start_ps).view());
    separator = ", ";
  }
  if (packet.preemptions != 0) fmt::format_to(out, "{}preempted {} times", separator, packet.preemptions);
  end_line();
  packets_.packet(packet);
}

void TextSink::marker(const EventLog& log, const MarkerRecord& marker) {
  start_line(Severity::info, marker.at_ps, log.text(marker.context));
  append_line_text(name_of(marker.kind));
  if (marker.kind != MarkerKind::end) {
    append_line_text(" \"");
    append_line_text(log.text(marker.name));
    append_line_text("\"");
  }
  if (marker.packet != 0) {
    fmt::format_to(std::back_inserter(file_.buffer()), " of packet {}, before command {}", marker.packet,
                   marker.command);
  }
  end_line();
}

void TextSink::recovery(const EventLog& log, const RecoveryRecord& record) {
  using Step = RecoveryRecord::Step;
  const auto out = std::back_inserter(file_.buffer());
  const bool told = record.step != Step::cancelled && record.step != Step::device_created && is_row(record.step);
  const std::string_view node = log.text(record.node);
  start_line(told ? Severity::warning : Severity::info, record.at_ps, node.empty() ? "adapter.scheduler" : node);
  fmt::format_to(out, "recovery: {}", name_of(record.step));
  if (record.hardware_queue) fmt::format_to(out, " of hardware queue {}", *record.hardware_queue);
  const auto named = [&](const char* what, LogName name) {
    if (log.text(name).empty()) return;
    fmt::format_to(out, ", {} ", what);
    append_line_text(log.text(name));
  };
  named("process", record.process);
  named("queue", record.queue);
  if (record.packet > 0) fmt::format_to(out, ", packet {}", record.packet);
  if (record.fence_id > 0) fmt::format_to(out, ", fence id {}", record.fence_id);
  if (record.last_submitted) fmt::format_to(out, ", last submitted {}", *record.last_submitted);
  if (record.last_completed) fmt::format_to(out, ", last completed {}", *record.last_completed);
  named("list", record.list);
  if (record.command_index) fmt::format_to(out, ", command {}", *record.command_index);
  named("which is", record.command);
  named("resource", record.resource);
  named("reason", record.reason);
  end_line();
}

void TextSink::queued(const EventLog&, const QueuedRecord& queued) { packets_.queued(queued); }

void TextSink::ready(const EventLog&, const ReadyRecord& ready) { packets_.ready(ready); }

void TextSink::submission(const EventLog& log, const SubmissionRecord& submission) {
  packets_.submission(submission);
  const PacketUnderWay& packet = *packets_.find(submission.packet);
  const auto out = std::back_inserter(file_.buffer());
  start_line(Severity::info, submission.at_ps, log.text(submission.node));
  append_packet(log, submission.packet);
  if (packet.ready_ps) fmt::format_to(out, ", ready for {} us,", TimeText(submission.at_ps - *packet.ready_ps).view());
  fmt::format_to(out, " submitted to hardware queue {}, SubmissionFenceId {}", submission.hardware_queue,
                 submission.submission_fence_id);
  if (submission.piece > 1 || !submission.last) fmt::format_to(out, ", piece {}", submission.piece);
  if (submission.resubmissions != 0) {
    fmt::format_to(out, ", was {} before it came back", packet.earlier_submission_fence_id);
  }
  end_line();
}

void TextSink::interrupt(const EventLog& log, const InterruptRecord& interrupt) {
  const auto out = std::back_inserter(file_.buffer());
  start_line(Severity::info, interrupt.at_ps, log.text(interrupt.node));
  fmt::format_to(out, "interrupt {} of hardware queue {}", name_of(interrupt.type), interrupt.hardware_queue);
  if (const char* name = fence_id_name(interrupt.type)) fmt::format_to(out, ", {} {}", name, interrupt.fence_id);
  if (interrupt.type == InterruptType::dma_preempted) {
    fmt::format_to(out, ", LastCompletedFenceId {}", interrupt.last_completed_fence_id);
  }
  if (interrupt.context != LogName{}) {
    file_.buffer().append(std::string_view(", "));
    append_line_text(log.text(interrupt.context));
  }
  fmt::format_to(out, ", known at {} us", TimeText(interrupt.dpc_ps).view());
  end_line();
}

void TextSink::context(const EventLog& log, const ContextRecord& context) {
  const auto out = std::back_inserter(file_.buffer());
  start_line(Severity::info, context.at_ps, log.text(context.context));
  append_line_text(log.text(context.process));
  fmt::format_to(out, ", {} band, level {}, in-process priority {}; quantum {} us, of its process {} us",
                 name_of_band(context.band), context.level, context.in_process, TimeText(context.quantum_ps).view(),
                 TimeText(context.process_quantum_ps).view());
  fmt::format_to(out, "; grace {} us, {} us for its process's, {} us for its equals", TimeText(context.grace_ps).view(),
                 TimeText(context.grace_same_priority_ps).view(), TimeText(context.process_grace_ps).view());
  end_line();
}

void TextSink::attempt(const EventLog& log, const AttemptRecord& attempt) {
  const auto out = std::back_inserter(file_.buffer());
  start_line(Severity::info, attempt.at_ps, log.text(attempt.node));
  file_.buffer().append(std::string_view("attempt to preempt "));
  append_packet(log, attempt.running_packet);
  fmt::format_to(out, " in hardware queue {}", attempt.hardware_queue);
  if (attempt.waiting_packet != 0) {
    file_.buffer().append(std::string_view(" for "));
    append_packet(log, attempt.waiting_packet);
  }
  file_.buffer().append(std::string_view(": "));
  append_line_text(log.text(attempt.result));
  end_line();
}

void TextSink::request(const EventLog& log, const PreemptionRequest& request) {
  const auto out = std::back_inserter(file_.buffer());
  start_line(Severity::info, request.at_ps, log.text(request.node));
  fmt::format_to(out, "request to preempt hardware queue {}, PreemptionFenceId {}, {}", request.hardware_queue,
                 request.preemption_fence_id, name_of(request.reason));
  if (request.victim_packet != 0) {
    file_.buffer().append(std::string_view(": "));
    append_packet(log, request.victim_packet);
    file_.buffer().append(std::string_view(" gives way"));
  }
  if (request.beneficiary_packet != 0) {
    file_.buffer().append(std::string_view(request.victim_packet == 0 ? ": " : " "));
    file_.buffer().append(std::string_view("to "));
    append_packet(log, request.beneficiary_packet);
    const PacketUnderWay* packet = packets_.find(request.beneficiary_packet);
    if (packet != nullptr && packet->ready_ps) {
      fmt::format_to(out, ", ready for {} us", TimeText(request.at_ps - *packet->ready_ps).view());
    }
  }
  if (request.level_limit != LogName{}) {
    file_.buffer().append(std::string_view(", no finer than "));
    append_line_text(log.text(request.level_limit));
  }
  end_line();
}

void TextSink::preemption(const EventLog& log, const PreemptionRecord& preemption) {
  const auto out = std::back_inserter(file_.buffer());
  start_line(Severity::info, preemption.known_ps, log.text(preemption.node));
  fmt::format_to(out, "request {} answered by hardware queue {}, packets back: {}", preemption.preemption_fence_id,
                 preemption.hardware_queue, preemption.packets);
  if (preemption.level_reached != LogName{}) {
    file_.buffer().append(std::string_view(", level reached: "));
    append_line_text(log.text(preemption.level_reached));
  }
  if (preemption.restore_wait_ps != 0) {
    fmt::format_to(out, ", waited {} us for a restore", TimeText(preemption.restore_wait_ps).view());
  }
  const std::uint64_t drain_ps = preemption.stopped_ps - preemption.requested_ps - preemption.restore_wait_ps;
  fmt::format_to(out, ", drain {} us, save {} us of {} bytes", TimeText(drain_ps).view(),
                 TimeText(preemption.free_ps - preemption.stopped_ps).view(), preemption.saved_bytes);
  end_line();
}

void TextSink::task(const EventLog& log, const TaskRecord& task) {
  const auto out = std::back_inserter(file_.buffer());
  start_line(Severity::info, task.at_ps, log.text(task.track));
  fmt::format_to(out, "background task {} \"", task.task);
  append_line_text(log.text(task.name));
  file_.buffer().push_back('"');
  switch (task.what) {
    case TaskRecord::What::started:
      fmt::format_to(out, " started at {} priority", task.boosted ? "boosted" : "idle");
      break;
    case TaskRecord::What::finished:
      fmt::format_to(out, " finished after {} us", TimeText(task.at_ps - task.started_ps).view());
      fmt::format_to(out, ", {} of them CPU time", TimeText(task.cpu_ps).view());
      if (task.processor) fmt::format_to(out, ", on processor {}", *task.processor);
      if (task.host_thread != 0) fmt::format_to(out, ", on thread {}", task.host_thread);
      break;
    case TaskRecord::What::cancelled: fmt::format_to(out, " cancelled"); break;
  }
  if (task.commit != 0) fmt::format_to(out, ", of commit {}", task.commit);
  end_line();
}

void TextSink::message(const EventLog& log, const Message& message) {
  start_line(message.severity, message.at_ps, log.text(message.track));
  append_line_text(message.text);
  end_line();
}

void TextSink::finish(const EventLog&, std::uint64_t end_ps) {
  start_line(Severity::info, end_ps, "run");
  file_.buffer().append(std::string_view("end"));
  end_line();
}

void TextSink::start_line(Severity severity, std::uint64_t at_ps, std::string_view track) {
  fmt::memory_buffer& line = file_.buffer();
  const TimeText time(at_ps);
  line.push_back('[');
  line.push_back(severity == Severity::warning ? 'W' : ' ');
  line.push_back(' ');
  for (std::size_t width = time.view().size(); width < time_width; ++width) line.push_back(' ');
  line.append(time.view());
  line.append(std::string_view(" us] "));
  append_line_text(track);
  line.append(std::string_view(": "));
}

/// One event is one line, so control characters are shown escaped.
void TextSink::append_line_text(std::string_view text) {
  fmt::memory_buffer& line = file_.buffer();
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) {
      line.push_back(c);
    } else if (c == '\n') {
      line.append(std::string_view("\\n"));
    } else {
      fmt::format_to(std::back_inserter(line), "\\x{:02x}", byte);
    }
  }
}

/// "packet 12 of adapter.scheduler.app"
void TextSink::append_packet(const EventLog& log, std::uint64_t packet) {
  fmt::format_to(std::back_inserter(file_.buffer()), "packet {}", packet);
  const PacketUnderWay* found = packets_.find(packet);
  if (found == nullptr) return;
  file_.buffer().append(std::string_view(" of "));
  append_line_text(log.text(found->context));
}

void TextSink::end_line() {
  file_.buffer().push_back('\n');
  file_.end_record();
}

}  // namespace fenceline
