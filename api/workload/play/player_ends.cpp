// SPDX-License-Identifier: Apache-2.0
// Player, what is said of what did not come to its end.
#include "api/machine.hpp"
#include "api/workload/play/player.hpp"
#include "api/workload/play/player_thread.hpp"
#include "api/workload/program.hpp"
#include "scheduler/scheduler.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace fenceline {
namespace {

/// "; held by CPU thread ..." for each thread that would still signal the fence, one of the program's.
std::string holding_threads(const std::vector<PlayerThread>& threads, std::size_t fence, std::uint64_t value) {
  std::string text;
  for (const PlayerThread& thread : threads) {
    if (!thread.waiting || !signals_later(thread.cursor, static_cast<std::uint32_t>(fence), value)) continue;
    text += fmt::format("; held by {}, which waits itself", thread.cursor.timeline().owner);
  }
  return text;
}

}  // namespace

std::vector<std::string> Player::deadlock() const {
  std::vector<std::string> lines = machine_.deadlock();
  const auto held_by = [this](FenceId fence, std::uint64_t value) {
    const auto index = std::find(fences_.begin(), fences_.end(), fence) - fences_.begin();
    return holding_threads(threads_, static_cast<std::size_t>(index), value);
  };
  const std::vector<StuckContext> stuck = machine_.scheduler().stuck();
  for (std::size_t i = 0; i < stuck.size(); ++i) lines[i] += held_by(stuck[i].fence, stuck[i].value);
  for (const PlayerThread& thread : threads_) {
    if (thread.waiting && thread.cursor.step().kind == Step::Kind::wait_for_budget_change) {
      const std::string& process = process_of(program_, thread.cursor.step());
      lines.push_back(fmt::format("{} waits for the budget of video memory of process {} to change",
                                  thread.cursor.timeline().owner, in_quotes(process)));
    }
    if (!thread.waiting || thread.cursor.step().kind != Step::Kind::fence_wait) continue;
    const FenceId fence = fences_[thread.cursor.step().fence];
    const std::uint64_t value = thread.cursor.value();
    lines.push_back(fmt::format("{} waits for fence {} to reach {}, which stands at {}{}{}",
                                thread.cursor.timeline().owner, in_quotes(machine_.fences().name_of(fence)), value,
                                machine_.completed_value(fence), machine_.holders(fence, value),
                                held_by(fence, value)));
  }
  return lines;
}

std::vector<std::string> Player::unfinished() const {
  std::vector<std::string> lines;
  const Scheduler& scheduler = machine_.scheduler();
  for (std::uint32_t i = 0; i < scheduler.contexts(); ++i) {
    if (scheduler.freed(static_cast<ContextId>(i))) continue;
    const Context& context = scheduler.context(static_cast<ContextId>(i));
    std::size_t packets = context.software_queue.size();
    for (const Context::InFlight& one : context.in_flight) packets += 1 + one.signals.size();
    if (packets == 0) continue;
    lines.push_back(fmt::format("queue {} has {} packet{} that {} not completed", in_quotes(context.config.name),
                                packets, packets == 1 ? "" : "s", packets == 1 ? "has" : "have"));
  }
  for (const PlayerThread& thread : threads_) {
    if (thread.cursor.at_end()) continue;
    lines.push_back(fmt::format("{} is at {}", thread.cursor.timeline().owner, thread.cursor.pointer()));
  }
  if (lines.empty())
    lines.emplace_back("all packets are complete, but frames wait for the screen or background tasks run");
  return lines;
}

}  // namespace fenceline
