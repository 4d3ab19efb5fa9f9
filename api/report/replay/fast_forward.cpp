// SPDX-License-Identifier: Apache-2.0
#include "api/report/replay/fast_forward.hpp"

#include <algorithm>

namespace fenceline {

FastForward::FastForward(EventLog& log) : log_(log) { log_.attach(*this, detail_); }

FastForward::~FastForward() { log_.detach(*this); }

void FastForward::attach(LogSink& sink, EventLog::Detail detail) {
  sinks_.push_back(&sink);
  if (detail > detail_) listen(detail);
}

void FastForward::detach(LogSink& sink) {
  sinks_.erase(std::remove(sinks_.begin(), sinks_.end(), &sink), sinks_.end());
}

void FastForward::listen(EventLog::Detail detail) {
  detail_ = detail;
  log_.detach(*this);
  log_.attach(*this, detail_);
}

void FastForward::await(std::map<LogName, std::uint64_t> packets, std::uint64_t now_ps) {
  awaited_ = std::move(packets);
  if (awaited_.empty()) reach(now_ps);
}

void FastForward::packet(const EventLog& log, const PacketRecord& packet) {
  tell(&LogSink::packet, log, packet);
  const auto awaited = awaited_.find(packet.context);
  if (awaited == awaited_.end()) return;
  if (--awaited->second == 0) awaited_.erase(awaited);
  if (awaited_.empty()) reach(packet.completed_ps);
}

void FastForward::counter(const EventLog& log, const Counter& counter) {
  if (!reached_ps_) counters_[{counter.track, counter.kind}] = counter;
  tell(&LogSink::counter, log, counter);
}

void FastForward::context(const EventLog& log, const ContextRecord& context) {
  if (!reached_ps_) {
    const auto is_it = [&](const ContextRecord& one) { return one.context == context.context; };
    const auto known = std::find_if(contexts_.begin(), contexts_.end(), is_it);
    if (known == contexts_.end()) {
      contexts_.push_back(context);
    } else {
      *known = context;
    }
  }
  tell(&LogSink::context, log, context);
}

void FastForward::finish(const EventLog& log, std::uint64_t end_ps) {
  for (LogSink* const sink : sinks_) sink->finish(log, end_ps);
}

void FastForward::reach(std::uint64_t now_ps) {
  reached_ps_ = now_ps;
  for (const ContextRecord& context : contexts_) tell(&LogSink::context, log_, context);
  for (const auto& [of, counter] : counters_) tell(&LogSink::counter, log_, counter);
}

}  // namespace fenceline
