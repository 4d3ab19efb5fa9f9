// SPDX-License-Identifier: Apache-2.0
#include "sim/log.hpp"

#include "sim/assert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline {

EventLog::EventLog() {
  texts_.emplace_back();
  names_.emplace(texts_.back(), LogName{0});
}

void EventLog::attach(LogSink& sink, Detail detail) {
  for (const Attached& attached : sinks_) {
    FENCELINE_ASSERT(attached.sink != &sink, "EventLog: a sink was attached twice");
  }
  sinks_.push_back({&sink, detail});
  detail_ = std::max(detail_, detail);
}

void EventLog::detach(LogSink& sink) {
  const auto is_sink = [&sink](const Attached& attached) { return attached.sink == &sink; };
  sinks_.erase(std::remove_if(sinks_.begin(), sinks_.end(), is_sink), sinks_.end());
  detail_ = Detail::packets;
  for (const Attached& attached : sinks_) detail_ = std::max(detail_, attached.detail);
}

LogName EventLog::name(std::string_view text) {
  if (last_name_ && text == this->text(*last_name_)) return *last_name_;
  if (const auto found = names_.find(text); found != names_.end()) {
    last_name_ = found->second;
  } else {
    last_name_ = LogName{static_cast<std::uint32_t>(texts_.size())};
    texts_.emplace_back(text);
    names_.emplace(texts_.back(), *last_name_);
  }
  return *last_name_;
}

LogName EventLog::own_name(const std::string& text) {
  std::uint64_t& owners = owners_[name(text)];
  if (owners == 0) {
    owners = 1;
    return name(text);
  }
  for (;;) {  // somebody may be called "text#2" outright
    const LogName numbered = name(text + "#" + std::to_string(++owners));
    if (owners_.try_emplace(numbered, 1).second) return numbered;
  }
}

void EventLog::span(const Span& span) {
  if (!enabled()) return;
  FENCELINE_ASSERT(span.start_ps <= span.end_ps,
                   fmt::format("{}: span \"{}\" starts at {} ps, after its end at {} ps", text(span.track),
                               text(span.name), span.start_ps, span.end_ps));
  for (const Attached& attached : sinks_) attached.sink->span(*this, span);
}

void EventLog::instant(const Instant& instant) {
  for (const Attached& attached : sinks_) attached.sink->instant(*this, instant);
}

void EventLog::counter(const Counter& counter) {
  for (const Attached& attached : sinks_) attached.sink->counter(*this, counter);
}

void EventLog::packet(const PacketRecord& packet) {
  for (const Attached& attached : sinks_) attached.sink->packet(*this, packet);
}

void EventLog::queued(const QueuedRecord& queued) {
  for (const Attached& attached : sinks_) attached.sink->queued(*this, queued);
}

void EventLog::submission(const SubmissionRecord& submission) {
  for (const Attached& attached : sinks_) attached.sink->submission(*this, submission);
}

void EventLog::begun(const BeginRecord& begin) {
  for (const Attached& attached : sinks_) attached.sink->begun(*this, begin);
}

void EventLog::patch(const PatchRecord& patch) {
  for (const Attached& attached : sinks_) attached.sink->patch(*this, patch);
}

void EventLog::interrupt(const InterruptRecord& interrupt) {
  for (const Attached& attached : sinks_) attached.sink->interrupt(*this, interrupt);
}

void EventLog::context(const ContextRecord& context) {
  for (const Attached& attached : sinks_) attached.sink->context(*this, context);
}

void EventLog::ready(const ReadyRecord& ready) {
  for (const Attached& attached : sinks_) attached.sink->ready(*this, ready);
}

void EventLog::attempt(const AttemptRecord& attempt) {
  for (const Attached& attached : sinks_) attached.sink->attempt(*this, attempt);
}

void EventLog::turn(const ProcessTurnRecord& turn) {
  for (const Attached& attached : sinks_) attached.sink->turn(*this, turn);
}

void EventLog::request(const PreemptionRequest& request) {
  for (const Attached& attached : sinks_) attached.sink->request(*this, request);
}

void EventLog::preemption(const PreemptionRecord& preemption) {
  for (const Attached& attached : sinks_) attached.sink->preemption(*this, preemption);
}

void EventLog::task(const TaskRecord& task) {
  for (const Attached& attached : sinks_) attached.sink->task(*this, task);
}

void EventLog::frame(const FrameRecord& frame) {
  for (const Attached& attached : sinks_) attached.sink->frame(*this, frame);
}

void EventLog::recovery(const RecoveryRecord& recovery) {
  for (const Attached& one : sinks_) one.sink->recovery(*this, recovery);
}

void EventLog::paging(const PagingRecord& paging) {
  for (const Attached& one : sinks_) one.sink->paging(*this, paging);
}

void EventLog::room(const RoomRecord& room) {
  for (const Attached& one : sinks_) one.sink->room(*this, room);
}

void EventLog::marker(const MarkerRecord& marker) {
  for (const Attached& attached : sinks_) attached.sink->marker(*this, marker);
}

void EventLog::message(const Message& message) {
  for (const Attached& attached : sinks_) attached.sink->message(*this, message);
}

void EventLog::finish(std::uint64_t end_ps) {
  for (const Attached& attached : sinks_) attached.sink->finish(*this, end_ps);
}

}  // namespace fenceline
