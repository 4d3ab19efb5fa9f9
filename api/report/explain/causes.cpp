// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/causes.hpp"

#include "api/report/explain/cause_link.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <utility>

namespace fenceline {
namespace {

using Life = CauseLog::Life;
using Place = ThreadLog::Place;

/// Links from a packet, else a thread, on.
void follow(const CauseLog& log, std::uint64_t packet, std::optional<Place> thread, std::uint64_t at_ps,
            std::vector<Cause>& causes) {
  std::set<std::uint64_t> seen;  // who waits for each other round about
  std::set<std::size_t> seen_threads;
  for (;;) {
    if (const Life* const life = log.life(packet); life != nullptr && seen.insert(packet).second) {
      FoundLink link = link_of(log, *life, at_ps);
      causes.push_back(std::move(link.cause));
      thread = link.by_thread;
    } else if (thread && seen_threads.insert(thread->thread).second) {
      FoundLink link = link_of(log, *thread, at_ps, causes.back().until_ps);
      causes.push_back(std::move(link.cause));
      thread = link.by_thread;
    } else {
      return;
    }
    packet = causes.back().by_packet;
  }
}

}  // namespace

std::vector<Cause> causes_of(const CauseLog& log, std::uint64_t packet, std::uint64_t at_ps) {
  std::vector<Cause> causes;
  follow(log, packet, std::nullopt, at_ps, causes);
  return causes;
}

std::vector<Cause> causes_of(const CauseLog& log, const AwaitedFence& awaited) {
  const Life* const before = log.life(awaited.packet);
  if (before != nullptr && !before->complete_at(awaited.due_ps)) return causes_of(log, before->id, awaited.due_ps);
  Cause cause{};
  cause.kind = CauseKind::not_signalled;
  cause.queue = awaited.deadline;
  cause.what = fmt::format("fence {} at {}", in_quotes(awaited.fence), awaited.value);
  cause.until_ps = awaited.reached_ps.value_or(0);
  std::optional<Place> thread;
  const Life* signal = nullptr;
  const std::optional<LogName> fence = log.fence(awaited.fence);
  const auto reached = fence && awaited.reached_ps ? log.reached(*fence, awaited.value, *awaited.reached_ps)
                                                   : std::optional<CauseLog::Raised>();
  if (reached) {
    signal = log.signal_of(*fence, *reached);
    thread = reached->by;
    if (log.is_by_removal(*reached)) {
      signal = log.signal_undone(*fence, awaited.value);
      if (signal == nullptr) thread = log.threads().to_signal(awaited.fence, awaited.value);
      if (signal == nullptr && !thread) cause.kind = CauseKind::removed;
    }
  } else if (!awaited.reached_ps) {
    if (fence) signal = log.signal_to_come(*fence, awaited.value);
    if (signal == nullptr) thread = log.threads().to_signal(awaited.fence, awaited.value);
  }
  if (signal == nullptr && fence && log.is_of_frames(*fence)) {
    const Life* const present = log.present_of(*fence, awaited.value);
    if (present != nullptr && !present->complete_at(awaited.due_ps)) signal = present;
    cause.kind = CauseKind::screen;
    cause.frame = log.frame_text(*fence, awaited.value);
  }
  if (signal != nullptr) return causes_of(log, signal->id, awaited.due_ps);
  const bool is_signalled = thread || awaited.reached_ps || cause.kind == CauseKind::screen;
  if (!is_signalled) {
    if (!log.threads().known()) return {};
    cause.kind = CauseKind::never;
  }
  if (thread) cause.by_thread = log.threads().name(thread->thread);
  std::vector<Cause> causes = {cause};
  follow(log, 0, thread, awaited.due_ps, causes);
  return causes;
}

std::uint64_t first_of_queue(const CauseLog& log, const std::string& queue, std::uint64_t at_ps) {
  for (const std::uint64_t packet : log.of_queue(queue)) {
    if (!log.life(packet)->complete_at(at_ps)) return packet;
  }
  return 0;
}

}  // namespace fenceline
