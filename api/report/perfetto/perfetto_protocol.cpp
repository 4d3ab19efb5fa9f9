// SPDX-License-Identifier: Apache-2.0
// PerfettoSink, the family of functions that show what scheduler and nodes tell each other.
#include "api/report/interrupt_payload.hpp"
#include "api/report/perfetto/perfetto.hpp"
#include "api/report/perfetto/perfetto_layout.hpp"
#include "sim/text/json_text.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <iterator>

namespace fenceline {
namespace {

/// A node's protocol stands below its lanes.
constexpr std::size_t protocol_lane = 999;

}  // namespace

void PerfettoSink::queued(const EventLog& log, const QueuedRecord& queued) {
  packets_.queued(queued);
  regions_.queued(queued);
  append_depth(track_of(log, queued.context), std::nullopt, queued.at_ps, ++queued_[queued.context]);
}

void PerfettoSink::ready(const EventLog&, const ReadyRecord& ready) { packets_.ready(ready); }

void PerfettoSink::submission(const EventLog& log, const SubmissionRecord& submission) {
  packets_.submission(submission);
  const PacketUnderWay& packet = *packets_.find(submission.packet);
  start_instant(submission.at_ps, protocol_of(track_of(log, submission.node)), "submission", "submission");
  append_packet(log, "packet", submission.packet);
  const auto out = std::back_inserter(file_.buffer());
  fmt::format_to(out, ",\"hardware_queue\":{},\"submission_fence_id\":{}", submission.hardware_queue,
                 submission.submission_fence_id);
  if (submission.resubmissions != 0) {
    fmt::format_to(out, ",\"submission_fence_id_before\":{},\"times_back\":{}", packet.earlier_submission_fence_id,
                   submission.resubmissions);
  }
  end_instant();
  append_depth(track_of(log, submission.node), submission.hardware_queue, submission.at_ps,
               hardware_depths_.submission(submission));
}

void PerfettoSink::interrupt(const EventLog& log, const InterruptRecord& interrupt) {
  start_instant(interrupt.at_ps, protocol_of(track_of(log, interrupt.node)), "interrupt", name_of(interrupt.type));
  const auto out = std::back_inserter(file_.buffer());
  fmt::format_to(out, "\"hardware_queue\":{}", interrupt.hardware_queue);
  if (const char* name = fence_id_name(interrupt.type)) fmt::format_to(out, ",\"{}\":{}", name, interrupt.fence_id);
  if (interrupt.type == InterruptType::dma_preempted) {
    fmt::format_to(out, ",\"LastCompletedFenceId\":{}", interrupt.last_completed_fence_id);
  }
  if (interrupt.context != LogName{}) {
    file_.buffer().append(std::string_view(",\"context\":"));
    append_json_string(file_.buffer(), log.text(interrupt.context));
  }
  fmt::format_to(out, ",\"dpc_ps\":{}", interrupt.dpc_ps);
  end_instant();
  if (const auto depth = hardware_depths_.interrupt(interrupt)) {
    append_depth(track_of(log, interrupt.node), interrupt.hardware_queue, interrupt.at_ps, *depth);
  }
}

void PerfettoSink::context(const EventLog& log, const ContextRecord& context) {
  start_instant(context.at_ps, protocol_of(track_of(log, context.node)), "rank", "rank");
  file_.buffer().append(std::string_view("\"context\":"));
  append_json_string(file_.buffer(), log.text(context.context));
  file_.buffer().append(std::string_view(",\"process\":"));
  append_json_string(file_.buffer(), log.text(context.process));
  fmt::format_to(std::back_inserter(file_.buffer()),
                 ",\"band\":{},\"level\":{},\"in_process\":{},\"quantum_ps\":{},\"grace_ps\":{},"
                 "\"grace_same_priority_ps\":{},\"process_quantum_ps\":{},\"process_grace_ps\":{}",
                 context.band, context.level, context.in_process, context.quantum_ps, context.grace_ps,
                 context.grace_same_priority_ps, context.process_quantum_ps, context.process_grace_ps);
  end_instant();
}

void PerfettoSink::attempt(const EventLog& log, const AttemptRecord& attempt) {
  start_instant(attempt.at_ps, protocol_of(track_of(log, attempt.node)), "attempt", log.text(attempt.result));
  append_packet(log, "running_packet", attempt.running_packet);
  if (attempt.waiting_packet != 0) {
    file_.buffer().push_back(',');
    append_packet(log, "waiting_packet", attempt.waiting_packet);
  }
  fmt::format_to(std::back_inserter(file_.buffer()), ",\"hardware_queue\":{}", attempt.hardware_queue);
  end_instant();
}

void PerfettoSink::request(const EventLog& log, const PreemptionRequest& request) {
  const std::string_view thread = protocol_of(track_of(log, request.node));
  start_instant(request.at_ps, thread, "request", fmt::format("request: {}", name_of(request.reason)));
  const auto out = std::back_inserter(file_.buffer());
  fmt::format_to(out, "\"hardware_queue\":{},\"preemption_fence_id\":{}", request.hardware_queue,
                 request.preemption_fence_id);
  if (request.victim_packet != 0) {
    file_.buffer().push_back(',');
    append_packet(log, "victim_packet", request.victim_packet);
  }
  const Arrow arrow{++arrows_, request.at_ps};
  if (request.beneficiary_packet != 0) {
    file_.buffer().push_back(',');
    append_packet(log, "beneficiary_packet", request.beneficiary_packet);
    const PacketUnderWay* packet = packets_.find(request.beneficiary_packet);
    if (packet != nullptr && packet->ready_ps) fmt::format_to(out, ",\"ready_ps\":{}", *packet->ready_ps);
    benefiting_.emplace(request.beneficiary_packet, arrow);
  }
  if (request.level_limit != LogName{}) {
    file_.buffer().append(std::string_view(",\"level_limit\":"));
    append_json_string(file_.buffer(), log.text(request.level_limit));
  }
  end_instant();
  // Arrows begin in slices, and instants are none: a slice of a nanosecond.
  start_event("{\"ph\":\"X\",\"cat\":\"request\",\"name\":\"request\"");
  file_.buffer().append(thread);
  fmt::format_to(out, ",\"ts\":{},\"dur\":{},\"args\":{{\"preemption_fence_id\":{}",
                 TimeText(on_grid(request.at_ps)).view(), TimeText(1000).view(), request.preemption_fence_id);
  end_instant();
  asked_.insert_or_assign({request.node, request.hardware_queue}, arrow);
  append_arrow('s', "preemption", arrow, request.at_ps, thread);
}

void PerfettoSink::preemption(const EventLog& log, const PreemptionRecord& preemption) {
  asked_.erase({preemption.node, preemption.hardware_queue});
  Track& node = track_of(log, preemption.node);
  fmt::basic_memory_buffer<char, 128> ids;
  fmt::format_to(std::back_inserter(ids), ",\"cat\":\"preemption\",\"id2\":{{\"local\":\"{}.{}\"}}", node.number,
                 preemption.preemption_fence_id);
  ids.append(thread_of(node, 0));
  const std::string_view same_for_all(ids.data(), ids.size());
  const std::string name = node.name + " preemption";
  fmt::memory_buffer& out = file_.buffer();
  append_async('b', preemption.requested_ps, same_for_all, name);
  fmt::format_to(std::back_inserter(out),
                 ",\"args\":{{\"hardware_queue\":{},\"preemption_fence_id\":{},\"packets\":{},\"level_asked\":\"{}\","
                 "\"level_reached\":\"{}\",\"saved_bytes\":{},\"context_bytes\":{},\"register_bytes\":{},"
                 "\"shared_bytes\":{},\"thread_bytes\":{}}}}}",
                 preemption.hardware_queue, preemption.preemption_fence_id, preemption.packets,
                 log.text(preemption.level_asked), log.text(preemption.level_reached), preemption.saved_bytes,
                 preemption.saved.context, preemption.saved.registers, preemption.saved.shared,
                 preemption.saved.threads);
  const std::uint64_t drains_ps = preemption.requested_ps + preemption.restore_wait_ps;
  const PacketReason parts[] = {{"waits for a restore", preemption.requested_ps, drains_ps},
                                {"drain", drains_ps, preemption.stopped_ps},
                                {"save", preemption.stopped_ps, preemption.free_ps}};
  for (const PacketReason& part : parts) {
    if (part.start_ps == part.end_ps) continue;
    append_async('b', part.start_ps, same_for_all, part.name);
    out.push_back('}');
    append_async('e', part.end_ps, same_for_all, part.name);
    out.push_back('}');
  }
  append_async('e', preemption.free_ps, same_for_all, name);
  out.push_back('}');
  file_.end_record();
}

/// A packet ran on that thread: it is what a request stopped, or for what one was made.
void PerfettoSink::follow_arrows(const Span& span, std::string_view thread) {
  const PacketUnderWay* packet = packets_.find(span.id);
  if (span.stopped && packet != nullptr) {
    const auto asked = asked_.find({packet->node, packet->hardware_queue});
    if (asked != asked_.end()) append_arrow('t', "preemption", asked->second, span.end_ps, thread);
  }
  const auto [first, last] = benefiting_.equal_range(span.id);
  for (auto one = first; one != last; ++one) {
    if (span.start_ps >= one->second.from_ps) append_arrow('f', "preemption", one->second, span.start_ps, thread);
  }
  benefiting_.erase(first, last);
}

/// Binds to the slice of the thread that encloses the time.
void PerfettoSink::append_arrow(char phase, const char* what, const Arrow& arrow, std::uint64_t at_ps,
                                std::string_view thread) {
  start_event("{\"ph\":\"");
  fmt::memory_buffer& out = file_.buffer();
  out.push_back(phase);
  fmt::format_to(std::back_inserter(out), "\",\"bp\":\"e\",\"cat\":\"{}\",\"name\":\"{}\",\"id\":{}", what, what,
                 arrow.number);
  out.append(thread);
  out.append(std::string_view(",\"ts\":"));
  out.append(TimeText(on_grid(at_ps)).view());
  out.push_back('}');
}

std::string_view PerfettoSink::protocol_of(Track& node) {
  if (node.protocol.empty()) {
    node.protocol = fmt::format(",\"pid\":{},\"tid\":{}", node.process, ++threads_);
    append_metadata("thread", node.protocol, node.name + " protocol", node.number * lanes_per_track + protocol_lane);
  }
  return node.protocol;
}

/// With the opening brace of its arguments.
void PerfettoSink::start_instant(std::uint64_t at_ps, std::string_view thread, std::string_view kind,
                                 std::string_view name) {
  fmt::memory_buffer& out = file_.buffer();
  start_event("{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"");
  out.append(kind);
  out.append(std::string_view("\",\"name\":"));
  append_json_string(out, name);
  out.append(thread);
  out.append(std::string_view(",\"ts\":"));
  out.append(TimeText(at_ps).view());
  out.append(std::string_view(",\"args\":{"));
}

void PerfettoSink::end_instant() {
  file_.buffer().append(std::string_view("}}"));
  file_.end_record();
}

/// `"packet":12,"packet_context":"adapter.scheduler.app"`.
void PerfettoSink::append_packet(const EventLog& log, std::string_view key, std::uint64_t packet) {
  fmt::format_to(std::back_inserter(file_.buffer()), "\"{}\":{}", key, packet);
  const PacketUnderWay* found = packets_.find(packet);
  if (found == nullptr) return;
  fmt::format_to(std::back_inserter(file_.buffer()), ",\"{}_context\":", key);
  append_json_string(file_.buffer(), log.text(found->context));
}

}  // namespace fenceline
