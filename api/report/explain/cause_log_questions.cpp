// SPDX-License-Identifier: Apache-2.0
// CauseLog, what is asked of it once the run is over.
#include "api/report/explain/cause_log.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace fenceline {
namespace {

/// The last of `records`, in the order of time, that is not later.
template <class Record>
const Record* last_up_to(const std::vector<Record>& records, std::uint64_t at_ps) {
  const auto later = std::upper_bound(records.begin(), records.end(), at_ps,
                                      [](std::uint64_t at, const Record& record) { return at < record.at_ps; });
  return later == records.begin() ? nullptr : &*std::prev(later);
}

}  // namespace

const CauseLog::Life* CauseLog::life(std::uint64_t packet) const {
  const auto found = lives_.find(packet);
  return found == lives_.end() ? nullptr : &found->second;
}

const std::vector<std::uint64_t>& CauseLog::of_queue(const std::string& queue) const {
  static const std::vector<std::uint64_t> none;
  if (const auto context = contexts_.find(queue); context != contexts_.end()) return queues_.at(context->second);
  const auto named =
      std::find_if(queues_.begin(), queues_.end(), [&](const auto& one) { return names_.at(one.first) == queue; });
  return named == queues_.end() ? none : named->second;
}

std::vector<std::string> CauseLog::queues() const {
  std::vector<std::string> names;
  for (const auto& [name, context] : contexts_) names.push_back(name);
  return names;
}

const CauseLog::Life* CauseLog::present_of(const std::string& swap_chain, std::uint64_t frame) const {
  const auto chain = chains_.find(swap_chain);
  return chain == chains_.end() ? nullptr : present_of(chain->second, frame);
}

const CauseLog::Life* CauseLog::present_of(LogName fence, std::uint64_t frame) const {
  const auto presents = frame_fences_.find(fence);
  if (presents == frame_fences_.end()) return nullptr;
  const auto packet = presents->second.find(frame);
  return packet == presents->second.end() ? nullptr : life(packet->second);
}

const FrameRecord* CauseLog::shown(const std::string& swap_chain, std::uint64_t frame) const {
  const auto chain = frames_.find(swap_chain);
  if (chain == frames_.end()) return nullptr;
  const auto found = chain->second.find(frame);
  return found == chain->second.end() ? nullptr : &found->second;
}

std::string CauseLog::frame_text(LogName fence, std::uint64_t frame) const {
  const auto chain = std::find_if(chains_.begin(), chains_.end(), [&](const auto& one) { return one.second == fence; });
  const std::string swap_chain = chain == chains_.end() ? name(fence) : chain->first;
  const FrameRecord* const shown = this->shown(swap_chain, frame);
  return fmt::format("frame {} of {}{}", frame, in_quotes(swap_chain),
                     shown == nullptr ? "" : " on " + in_quotes(name(shown->output)));
}

std::vector<std::string> CauseLog::swap_chains() const {
  std::vector<std::string> names;
  for (const auto& [name, fence] : chains_) names.push_back(name);
  return names;
}

std::vector<std::uint64_t> CauseLog::changes(std::uint64_t from_ps, std::uint64_t to_ps) const {
  std::vector<std::uint64_t> times = {from_ps, to_ps};
  const auto add = [&](std::uint64_t at_ps) {
    if (from_ps < at_ps && at_ps < to_ps) times.push_back(at_ps);
  };
  for (const auto& [id, life] : lives_) {
    add(life.submitted_ps);
    if (life.ready_ps) add(*life.ready_ps);
    if (life.hardware_ps) add(*life.hardware_ps);
    if (!life.done) continue;
    add(life.done->started_ps);
    add(life.done->finished_ps);
    add(life.done->completed_ps);
  }
  for (const auto& [node, spans] : spans_) {
    for (const Span& span : spans) {
      add(span.start_ps);
      add(span.end_ps);
    }
  }
  for (const auto& [fence, values] : raised_) {
    for (const Raised& one : values) add(one.at_ps);
  }
  for (const PagingRecord& move : moves_) add(move.end_ps);
  std::vector<std::uint64_t> others;
  turns_.add_changes(others);
  rooms_.add_changes(others);
  for (const std::uint64_t at_ps : others) add(at_ps);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

const CauseLog::Life* CauseLog::before(const Life& life, std::uint64_t at_ps) const {
  const auto queue = queues_.find(life.context);
  if (queue == queues_.end()) return nullptr;
  for (const std::uint64_t packet : queue->second) {
    if (packet == life.id) return nullptr;
    const Life& other = lives_.at(packet);
    if (!other.complete_at(at_ps)) return &other;
  }
  return nullptr;
}

const Span* CauseLog::own(const Life& life, std::uint64_t at_ps) const {
  const auto spans = of_packets_.find(life.id);
  if (spans == of_packets_.end()) return nullptr;
  for (const Span& span : spans->second) {
    if (span.start_ps <= at_ps && at_ps < span.end_ps) return &span;
  }
  return nullptr;
}

std::optional<std::uint64_t> CauseLog::next_run_ps(const Life& life, std::uint64_t at_ps) const {
  const auto spans = of_packets_.find(life.id);
  if (spans == of_packets_.end()) return std::nullopt;
  for (const Span& span : spans->second) {
    if (span.kind == SpanKind::packet && span.start_ps > at_ps) return span.start_ps;
  }
  return std::nullopt;
}

const Span* CauseLog::in_the_way_of(const Life& life, std::uint64_t at_ps) const {
  const auto spans = spans_.find(life.node);
  if (spans == spans_.end()) return nullptr;
  const std::uint64_t before_ps = next_run_ps(life, at_ps).value_or(end_ps_ + 1);  // what ends later still runs then
  const auto ends_later = [](std::uint64_t at, const Span& span) { return at < span.end_ps; };
  const bool stopped = life.done && life.done->started_ps <= at_ps;
  const Span* next = nullptr;
  const Span* last = nullptr;
  for (auto span = std::upper_bound(spans->second.begin(), spans->second.end(), at_ps, ends_later);
       span != spans->second.end() && span->end_ps <= before_ps; ++span) {
    if (span->id == life.id) continue;
    if (span->start_ps <= at_ps) {
      last = &*span;
    } else if (next == nullptr || span->start_ps < next->start_ps) {
      // Who was stopped was stopped for it; to one that has not run it is in the way where it came first.
      const Life* const other = this->life(span->id);
      if (stopped || (other != nullptr && other->hardware_ps && *other->hardware_ps <= at_ps)) next = &*span;
    }
  }
  return last != nullptr ? last : next;
}

const CauseLog::Life* CauseLog::ahead_of(const Life& life, std::uint64_t at_ps) const {
  const auto packets = submitted_.find({life.node, life.hardware_queue});
  if (packets == submitted_.end()) return nullptr;
  const std::optional<std::uint64_t> next_ps = next_run_ps(life, at_ps);
  for (const std::uint64_t packet : packets->second) {
    if (packet == life.id) return nullptr;
    const Life& other = lives_.at(packet);
    // Not one that was stopped for this one.
    const bool is_over_first = !next_ps || (other.done && other.done->finished_ps <= *next_ps);
    if (*other.hardware_ps <= at_ps && !other.complete_at(at_ps) && is_over_first) return &other;
  }
  return nullptr;
}

std::optional<CauseLog::Raised> CauseLog::reached(const Life& wait) const {
  if (wait.stands_at >= wait.value) return Raised{wait.submitted_ps, wait.stands_at, {}};
  return reached(wait.label, wait.value, wait.submitted_ps);
}

std::optional<CauseLog::Raised> CauseLog::reached(LogName fence, std::uint64_t value, std::uint64_t since_ps) const {
  const auto found = raised_.find(fence);
  if (found == raised_.end()) return std::nullopt;
  for (const Raised& one : found->second) {
    if (one.value >= value && one.at_ps >= since_ps) return one;
  }
  return std::nullopt;
}

const CauseLog::Life* CauseLog::signal_to_come(LogName fence, std::uint64_t value) const {
  const auto packets = signals_.find(fence);
  if (packets == signals_.end()) return nullptr;
  for (const std::uint64_t packet : packets->second) {
    const Life& signal = lives_.at(packet);
    if (signal.value >= value && !signal.done) return &signal;
  }
  return nullptr;
}

const CauseLog::Life* CauseLog::signal_undone(LogName fence, std::uint64_t value) const {
  const auto packets = signals_.find(fence);
  if (packets == signals_.end()) return nullptr;
  for (const std::uint64_t packet : packets->second) {
    const Life& signal = lives_.at(packet);
    if (signal.value >= value && !(signal.done && signal.done->status == PacketStatus::completed)) return &signal;
  }
  return nullptr;
}

bool CauseLog::is_by_removal(const Raised& raised) const {
  return raised.value == std::numeric_limits<std::uint64_t>::max() && removals_.count(raised.at_ps) > 0;
}

std::optional<std::uint64_t> CauseLog::stuck_ps(std::uint64_t packet) const {
  const auto found = stuck_.find(packet);
  return found == stuck_.end() ? std::nullopt : std::optional(found->second);
}

std::uint64_t CauseLog::stopped_for(std::uint64_t packet, std::uint64_t at_ps) const {
  const auto found = requests_.find(packet);
  const PreemptionRequest* const request = found == requests_.end() ? nullptr : last_up_to(found->second, at_ps);
  return request == nullptr ? 0 : request->beneficiary_packet;
}

std::optional<LogName> CauseLog::fence(const std::string& wanted) const {
  for (const auto& [path, text] : names_) {
    const bool is_fence = raised_.count(path) > 0 || signals_.count(path) > 0 || frame_fences_.count(path) > 0;
    if (is_fence && name(path) == wanted) return path;
  }
  return std::nullopt;
}

const CauseLog::Life* CauseLog::signal_of(LogName fence, const Raised& raised) const {
  const auto packets = signals_.find(fence);
  if (packets == signals_.end()) return nullptr;
  for (const std::uint64_t packet : packets->second) {
    const Life& signal = lives_.at(packet);
    if (signal.value != raised.value || !signal.done || signal.done->status != PacketStatus::completed) continue;
    // The fence moves as the packet retires, before the scheduler hears of it.
    if (signal.done->finished_ps <= raised.at_ps && raised.at_ps <= signal.done->completed_ps) return &signal;
  }
  return nullptr;
}

const AttemptRecord* CauseLog::attempt_for(std::uint64_t packet, std::uint64_t at_ps) const {
  const auto found = attempts_.find(packet);
  return found == attempts_.end() ? nullptr : last_up_to(found->second, at_ps);
}

const PreemptionRecord* CauseLog::answer_to(const AttemptRecord& attempt) const {
  const auto found = answers_.find({attempt.node, attempt.hardware_queue});
  if (found == answers_.end()) return nullptr;
  for (const PreemptionRecord& answer : found->second) {
    if (answer.requested_ps == attempt.at_ps) return &answer;
  }
  return nullptr;
}

LogName CauseLog::process_of(LogName context) const {
  const auto found = processes_.find(context);
  return found == processes_.end() ? LogName{} : found->second;
}

const PagingRecord* CauseLog::moving_for(LogName context, std::uint64_t at_ps, std::uint64_t before_ps) const {
  const auto process = processes_.find(context);
  if (process == processes_.end()) return nullptr;
  const std::string theirs = name(process->second);
  for (const PagingRecord& move : moves_) {  // in the order of their ends
    const std::string whose = name(move.process);
    const bool is_theirs =
        move.process == process->second || "process " + (whose.empty() ? "default" : whose) == theirs;
    if (is_theirs && move.end_ps > at_ps && move.end_ps <= before_ps) return &move;
  }
  return nullptr;
}

const PagingRecord* CauseLog::moving_at(std::uint64_t at_ps) const {
  const auto move = std::upper_bound(moves_.begin(), moves_.end(), at_ps,
                                     [](std::uint64_t at, const PagingRecord& one) { return at < one.end_ps; });
  const Life* const packet = move == moves_.end() ? nullptr : life(move->packet);
  const bool is_under_way = packet != nullptr && packet->done && packet->done->submitted_ps <= at_ps;
  return is_under_way || (packet != nullptr && move->start_ps <= at_ps) ? &*move : nullptr;
}

const CauseLog::Life* CauseLog::paging_at(std::uint64_t at_ps) const {
  for (const std::uint64_t packet : paging_) {
    const Life& life = lives_.at(packet);
    const std::uint64_t from_ps = life.done ? life.done->submitted_ps : *life.hardware_ps;
    if (from_ps <= at_ps && !life.complete_at(at_ps)) return &life;
  }
  return nullptr;
}

const PagingRecord* CauseLog::moving_until(std::uint64_t at_ps, std::uint64_t until_ps) const {
  const PagingRecord* first = nullptr;
  for (const PagingRecord& move : moves_) {
    if (move.end_ps > until_ps) return nullptr;
    if (first == nullptr && move.end_ps > at_ps) first = &move;
    if (move.end_ps == until_ps) return first;
  }
  return nullptr;
}

std::string CauseLog::process_name(LogName process) const {
  const std::string text = name(process);
  constexpr std::string_view before = "process ";
  return text.rfind(before, 0) == 0 ? text.substr(before.size()) : text;
}

std::string CauseLog::process_of_device(LogName process) const {
  const std::string text = name(process);
  return text.empty() ? "default" : text;
}

std::string CauseLog::name(LogName path) const {
  const auto found = names_.find(path);
  if (found == names_.end()) return "";
  for (const char* const below : {".scheduler.", ".fences.", ".display."}) {
    const std::size_t at = found->second.find(below);
    if (at != std::string::npos) return found->second.substr(at + std::string_view(below).size());
  }
  constexpr std::string_view adapter = "adapter.";
  return found->second.rfind(adapter, 0) == 0 ? found->second.substr(adapter.size()) : found->second;
}

}  // namespace fenceline
