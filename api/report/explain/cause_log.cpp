// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/cause_log.hpp"

namespace fenceline {

void CauseLog::span(const EventLog& log, const Span& span) {
  if (span.kind != SpanKind::packet && !moves_state(span.kind)) return;
  names_.emplace(span.track, log.text(span.track));
  names_.emplace(span.name, log.text(span.name));
  if (span.kind == SpanKind::packet) begun_.erase(span.id);
  spans_[span.track].push_back(span);
  of_packets_[span.id].push_back(span);
}

void CauseLog::begun(const EventLog& log, const BeginRecord& begin) {
  names_.emplace(begin.node, log.text(begin.node));
  names_.emplace(begin.label, log.text(begin.label));
  begun_.insert_or_assign(begin.packet, begin);
}

void CauseLog::counter(const EventLog& log, const Counter& counter) {
  if (counter.kind != CounterKind::fence_value) return;
  names_.emplace(counter.track, log.text(counter.track));
  raised_[counter.track].push_back({counter.at_ps, counter.value, {}});
  if (threads_.known()) {
    raised_[counter.track].back().by = threads_.raising(name(counter.track), counter.value, counter.at_ps);
  }
}

void CauseLog::packet(const EventLog& log, const PacketRecord& packet) {
  begun_.erase(packet.id);
  Life& life = lives_[packet.id];
  life.done = packet;
  if (packet.label != LogName{}) life.label = packet.label;
  names_.emplace(packet.label, log.text(packet.label));
}

void CauseLog::queued(const EventLog& log, const QueuedRecord& queued) {
  Life life;
  life.id = queued.packet;
  life.context = queued.context;
  life.type = queued.type;
  life.label = queued.type == PacketType::render ? queued.label : queued.fence;
  life.value = queued.fence_value;
  life.stands_at = queued.stands_at;
  life.submitted_ps = queued.at_ps;
  life.by = threads_.queueing(queued);
  lives_.insert_or_assign(queued.packet, life);
  queues_[queued.context].push_back(queued.packet);
  names_.emplace(queued.context, log.text(queued.context));
  names_.emplace(life.label, log.text(life.label));
  contexts_.emplace(name(queued.context), queued.context);
  if (queued.type == PacketType::signal) signals_[queued.fence].push_back(queued.packet);
  // A frame's number is the value of its swap chain's fence.
  if (queued.type == PacketType::present) frame_fences_[queued.fence].emplace(queued.fence_value, queued.packet);
}

void CauseLog::context(const EventLog& log, const ContextRecord& context) {
  processes_[context.context] = context.process;
  names_.emplace(context.process, log.text(context.process));
}

void CauseLog::ready(const EventLog& log, const ReadyRecord& ready) {
  Life& life = lives_[ready.packet];
  if (!life.ready_ps) life.ready_ps = ready.at_ps;
  life.places.emplace_back(ready.at_ps, false);
  life.node = ready.node;
  names_.emplace(ready.node, log.text(ready.node));
}

void CauseLog::submission(const EventLog& log, const SubmissionRecord& submission) {
  Life& life = lives_[submission.packet];
  if (is_of_system(submission.type)) {
    life.id = submission.packet;
    life.context = submission.context;
    life.type = submission.type;
    names_.emplace(submission.context, log.text(submission.context));
    if (submission.type == PacketType::paging && !life.hardware_ps) paging_.push_back(submission.packet);
  }
  life.node = submission.node;
  life.hardware_queue = submission.hardware_queue;
  names_.emplace(submission.node, log.text(submission.node));
  life.places.emplace_back(submission.at_ps, true);
  if (!life.hardware_ps) {
    life.hardware_ps = submission.at_ps;
    submitted_[{submission.node, submission.hardware_queue}].push_back(submission.packet);
  }
}

void CauseLog::turn(const EventLog& log, const ProcessTurnRecord& turn) {
  names_.emplace(turn.process, log.text(turn.process));
  turns_.add(turn);
}

void CauseLog::preemption(const EventLog& log, const PreemptionRecord& preemption) {
  names_.emplace(preemption.level_reached, log.text(preemption.level_reached));
  answers_[{preemption.node, preemption.hardware_queue}].push_back(preemption);
}

void CauseLog::attempt(const EventLog& log, const AttemptRecord& attempt) {
  names_.emplace(attempt.result, log.text(attempt.result));
  attempts_[attempt.waiting_packet].push_back(attempt);
}

void CauseLog::paging(const EventLog& log, const PagingRecord& paging) {
  names_.emplace(paging.resource, log.text(paging.resource));
  names_.emplace(paging.process, log.text(paging.process));
  moves_.push_back(paging);
}

void CauseLog::room(const EventLog& log, const RoomRecord& room) {
  names_.emplace(room.process, log.text(room.process));
  for (const RoomRecord::Holder& holder : room.holders) names_.emplace(holder.resource, log.text(holder.resource));
  rooms_.add(room);
}

void CauseLog::recovery(const EventLog&, const RecoveryRecord& record) {
  if (record.step == RecoveryRecord::Step::device_removed) removals_.insert(record.at_ps);
}

void CauseLog::instant(const EventLog&, const Instant& instant) {
  if (instant.kind == InstantKind::stuck) stuck_.emplace(instant.value, instant.at_ps);
}

void CauseLog::request(const EventLog&, const PreemptionRequest& request) {
  if (request.victim_packet != 0) requests_[request.victim_packet].push_back(request);
}

void CauseLog::frame(const EventLog& log, const FrameRecord& frame) {
  names_.emplace(frame.swap_chain, log.text(frame.swap_chain));
  names_.emplace(frame.output, log.text(frame.output));
  frames_[name(frame.swap_chain)].emplace(frame.frame, frame);
}

void CauseLog::finish(const EventLog&, std::uint64_t end_ps) {
  end_ps_ = end_ps;
  // What still runs is to run beyond the end.
  for (const auto& [packet, begin] : begun_) {
    const Span span{begin.node, SpanKind::packet, begin.label, begin.at_ps, end_ps + 1, packet};
    spans_[begin.node].push_back(span);
    of_packets_[packet].push_back(span);
  }
  // A fence of frames is called what the swap chain is, unless another fence is called that: frames tell whose it is.
  for (const auto& [fence, presents] : frame_fences_) {
    std::string chain = name(fence);
    for (const auto& [swap_chain, frames] : frames_) {
      const auto& [number, frame] = *frames.begin();
      const auto present = presents.find(number);
      if (present != presents.end() && lives_.at(present->second).submitted_ps == frame.presented_ps) {
        if (chains_.count(swap_chain) == 0) chain = swap_chain;
        if (chain == name(fence)) break;
      }
    }
    chains_.emplace(chain, fence);
  }
}

}  // namespace fenceline
