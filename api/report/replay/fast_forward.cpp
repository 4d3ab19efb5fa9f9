// SPDX-License-Identifier: Apache-2.0
#include "api/report/replay/fast_forward.hpp"

#include <algorithm>
#include <iterator>

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

std::uint64_t FastForward::keep(const Kept& record) {
  kept_.emplace(next_, record);
  return next_++;
}

template <class Numbers>
void FastForward::forget(const Numbers& numbers) {
  for (const std::uint64_t number : numbers) kept_.erase(number);
}

void FastForward::queued(const EventLog& log, const QueuedRecord& queued) {
  if (!reached_ps_) of_packets_[queued.packet].push_back(keep(queued));
  tell(&LogSink::queued, log, queued);
}

/// Those of a list are its packet's; regions of a queue are kept for what it gets in them.
void FastForward::marker(const EventLog& log, const MarkerRecord& marker) {
  tell(&LogSink::marker, log, marker);
  if (reached_ps_) return;
  if (marker.packet != 0) {
    of_packets_[marker.packet].push_back(keep(marker));
  } else if (marker.kind != MarkerKind::set) {
    keep(marker);
  }
}

void FastForward::ready(const EventLog& log, const ReadyRecord& ready) {
  if (!reached_ps_) of_packets_[ready.packet].push_back(keep(ready));
  tell(&LogSink::ready, log, ready);
}

void FastForward::submission(const EventLog& log, const SubmissionRecord& record) {
  if (!reached_ps_) in_hardware_[{record.node, record.hardware_queue}].push_back(keep(record));
  tell(&LogSink::submission, log, record);
}

void FastForward::interrupt(const EventLog& log, const InterruptRecord& record) {
  if (const auto queue = in_hardware_.find({record.node, record.hardware_queue}); queue != in_hardware_.end()) {
    std::deque<std::uint64_t>& packets = queue->second;
    if (record.type == InterruptType::dma_completed && !packets.empty()) {
      // It has left the hardware queue; its packet ends when the scheduler learns of it.
      auto& of_packet = of_packets_[std::get<SubmissionRecord>(kept_.at(packets.front())).packet];
      of_packet.push_back(packets.front());
      of_packet.push_back(keep(record));
      packets.pop_front();
    } else if (record.type == InterruptType::dma_preempted) {
      // Who gave way is part of the answer.
      if (const auto asked = requests_.find(queue->first); asked != requests_.end()) {
        asked->second.insert(asked->second.end(), packets.begin(), packets.end());
        asked->second.push_back(keep(record));
      } else {
        forget(packets);
      }
      packets.clear();
    }
  }
  tell(&LogSink::interrupt, log, record);
}

void FastForward::request(const EventLog& log, const PreemptionRequest& request) {
  if (!reached_ps_) requests_[{request.node, request.hardware_queue}].push_back(keep(request));
  tell(&LogSink::request, log, request);
}

void FastForward::preemption(const EventLog& log, const PreemptionRecord& record) {
  if (const auto asked = requests_.find({record.node, record.hardware_queue}); asked != requests_.end()) {
    forget(asked->second);
    requests_.erase(asked);
    forget_ended();
  }
  tell(&LogSink::preemption, log, record);
}

/// A reset is the end of what was asked of its engines.
void FastForward::recovery(const EventLog& log, const RecoveryRecord& record) {
  using Reset = RecoveryRecord::Step;
  if (record.step == Reset::engine_reset || record.step == Reset::adapter_reset) {
    for (auto asked = requests_.begin(); asked != requests_.end();) {
      const bool is_reset = record.step == Reset::adapter_reset || asked->first.first == record.node;
      if (is_reset) forget(asked->second);
      asked = is_reset ? requests_.erase(asked) : std::next(asked);
    }
    forget_ended();
  }
  tell(&LogSink::recovery, log, record);
}

/// Packets that have ended and that no request is about any more.
void FastForward::forget_ended() {
  const auto is_named = [this](std::uint64_t packet) {
    return std::any_of(requests_.begin(), requests_.end(), [&](const auto& asked) {
      return std::any_of(asked.second.begin(), asked.second.end(), [&](std::uint64_t number) {
        const auto* request = std::get_if<PreemptionRequest>(&kept_.at(number));
        return request != nullptr && (request->victim_packet == packet || request->beneficiary_packet == packet);
      });
    });
  };
  const auto is_over = [&](std::uint64_t packet) {
    if (is_named(packet)) return false;
    if (const auto kept = of_packets_.find(packet); kept != of_packets_.end()) {
      forget(kept->second);
      of_packets_.erase(kept);
    }
    return true;
  };
  ended_.erase(std::remove_if(ended_.begin(), ended_.end(), is_over), ended_.end());
}

void FastForward::packet(const EventLog& log, const PacketRecord& packet) {
  tell(&LogSink::packet, log, packet);
  if (reached_ps_) return;
  ended_.push_back(packet.id);
  forget_ended();
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
  for (const auto& [number, kept] : kept_) {
    if (const auto* queued = std::get_if<QueuedRecord>(&kept)) tell(&LogSink::queued, log_, *queued);
    if (const auto* ready = std::get_if<ReadyRecord>(&kept)) tell(&LogSink::ready, log_, *ready);
    if (const auto* submission = std::get_if<SubmissionRecord>(&kept)) tell(&LogSink::submission, log_, *submission);
    if (const auto* interrupt = std::get_if<InterruptRecord>(&kept)) tell(&LogSink::interrupt, log_, *interrupt);
    if (const auto* marker = std::get_if<MarkerRecord>(&kept)) tell(&LogSink::marker, log_, *marker);
    if (const auto* request = std::get_if<PreemptionRequest>(&kept)) tell(&LogSink::request, log_, *request);
  }
  kept_.clear();
  of_packets_.clear();
  in_hardware_.clear();
  requests_.clear();
  ended_.clear();
}

}  // namespace fenceline
