// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/thread_log.hpp"

#include "api/workload/load/workload_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {
namespace {

/// The type of the packets that a step queues, if it does.
std::optional<PacketType> queued_by(Step::Kind kind) {
  switch (kind) {
    case Step::Kind::execute: return PacketType::render;
    case Step::Kind::queue_signal: return PacketType::signal;
    case Step::Kind::queue_wait: return PacketType::wait;
    case Step::Kind::present: return PacketType::present;
    default: return std::nullopt;
  }
}

/// What it signals it signals as it comes to it.
bool signals_at_once(Step::Kind kind) { return kind == Step::Kind::queue_signal || kind == Step::Kind::fence_signal; }

}  // namespace

void ThreadLog::queue_begins(std::size_t, const TimelineCursor&) { acting_.reset(); }

void ThreadLog::thread_begins(std::size_t thread, const TimelineCursor& at, std::uint64_t at_ps) {
  if (threads_.size() <= thread) threads_.resize(thread + 1);
  const Step& step = at.step();
  threads_[thread].did.push_back({at_ps, step.kind, step.fence, at.value()});
  threads_[thread].last = at;
  threads_[thread].acted = false;
}

void ThreadLog::thread_acts(std::size_t thread, std::uint64_t at_ps) {
  if (threads_.size() <= thread) return;
  threads_[thread].acted = true;
  acting_ = thread;
  acted_ps_ = at_ps;
}

std::optional<ThreadLog::Place> ThreadLog::queueing(const QueuedRecord& queued) const {
  if (!known() || !acting_ || acted_ps_ != queued.at_ps) return std::nullopt;
  const Thread& thread = threads_[*acting_];
  if (queued_by(thread.did.back().kind) != queued.type) return std::nullopt;
  return Place{*acting_, thread.did.size() - 1};
}

std::optional<ThreadLog::Place> ThreadLog::raising(const std::string& fence, std::uint64_t value,
                                                   std::uint64_t at_ps) const {
  if (!known() || !acting_ || acted_ps_ != at_ps) return std::nullopt;
  const Thread& thread = threads_[*acting_];
  const Did& did = thread.did.back();
  const bool raises = did.kind == Step::Kind::fence_signal && did.value == value && fence_of(did) == fence;
  if (!raises) return std::nullopt;
  return Place{*acting_, thread.did.size() - 1};
}

std::string ThreadLog::name(std::size_t thread) const {
  const auto& cpus = loaded_->workload.cpus;
  return thread < cpus.size() ? cpus[thread].name : fmt::format("{}", thread);
}

std::optional<ThreadLog::Place> ThreadLog::at(std::size_t thread, std::uint64_t at_ps) const {
  if (thread >= threads_.size()) return std::nullopt;
  const std::vector<Did>& did = threads_[thread].did;
  const auto later =
      std::upper_bound(did.begin(), did.end(), at_ps, [](std::uint64_t at, const Did& one) { return at < one.at_ps; });
  if (later == did.begin()) return std::nullopt;
  return Place{thread, static_cast<std::size_t>(later - did.begin()) - 1};
}

std::uint64_t ThreadLog::end_of(const Place& place) const {
  const std::vector<Did>& did = threads_[place.thread].did;
  return place.step + 1 < did.size() ? did[place.step + 1].at_ps : 0;
}

std::string ThreadLog::fence_of(const Did& did) const {
  const auto& fences = loaded_->program.fences;
  return did.fence < fences.size() ? fences[did.fence].name : "";
}

std::optional<ThreadLog::Place> ThreadLog::to_signal(const std::string& fence, std::uint64_t value) const {
  if (!known()) return std::nullopt;
  const auto& fences = loaded_->program.fences;
  const auto named = std::find_if(fences.begin(), fences.end(), [&](const auto& one) { return one.name == fence; });
  if (named == fences.end()) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(named - fences.begin());
  const std::vector<Timeline>& timelines = loaded_->program.cpu_timelines;
  for (std::size_t i = 0; i < timelines.size(); ++i) {
    const bool has_begun = i < threads_.size() && threads_[i].last;
    TimelineCursor cursor = has_begun ? *threads_[i].last : TimelineCursor(timelines[i]);
    if (has_begun && threads_[i].acted && signals_at_once(cursor.step().kind)) cursor.next();
    if (signals_later(cursor, number, value)) return Place{i, has_begun ? threads_[i].did.size() : 0};
  }
  return std::nullopt;
}

}  // namespace fenceline
