// SPDX-License-Identifier: Apache-2.0
// Player, when its CPU threads go on. Captured ones are no processes of the simulation: it is brought to the moment at
// which the first of them is due, all else of that moment is done, and then the thread acts, as Host has it for the
// threads of a program.
#include "api/machine.hpp"
#include "api/workload/play/player.hpp"
#include "api/workload/play/player_thread.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace fenceline {

/// The thread goes on once it has computed, or slept, so long.
void Player::spend(std::uint64_t index, std::uint64_t cost_ps, bool computing) {
  PlayerThread& thread = threads_[index];
  if (thread.captured) {
    thread.due_ps = machine_.now_ps() + cost_ps;
    thread.turn = cost_ps > 0 ? 0 : thread.turn + 1;
    return;
  }
  const Callback goes_on = Callback::to<&Player::run_thread>(this, index);
  if (computing && machine_.config().host.cpu.cores > 0) {
    machine_.compute(cost_ps, goes_on, index);
  } else {
    machine_.call_at(machine_.now_ps() + cost_ps, goes_on);
  }
}

/// What the thread waits for has come. From inside the simulation, or in a captured thread's turn.
void Player::wake(std::uint64_t index) {
  PlayerThread& thread = threads_[index];
  if (!thread.captured) {
    machine_.call_at(machine_.now_ps() + wake_ps_, Callback::to<&Player::run_thread>(this, index));
    return;
  }
  thread.due_ps = machine_.now_ps();
  thread.turn = 0;
  woken_ = true;
  Machine::pause();
}

std::size_t next_captured(const std::vector<PlayerThread>& threads) {
  const auto first = std::min_element(threads.begin(), threads.end(), [](const auto& one, const auto& other) {
    if (!one.due_ps || !other.due_ps) return one.due_ps.has_value();
    return std::tie(*one.due_ps, one.turn) < std::tie(*other.due_ps, other.turn);
  });
  const bool is_due = first != threads.end() && first->due_ps;
  return is_due ? static_cast<std::size_t>(first - threads.begin()) : threads.size();
}

/// Until none of them will act any more, up to and including `limit_ps`.
void Player::play_captured(std::uint64_t limit_ps) {
  const auto woken = [this] { return woken_; };
  const auto waits = [](const PlayerThread& thread) { return thread.captured && thread.waiting; };
  while (!machine_.bugchecked() && !machine_.failed()) {
    const std::size_t next = next_captured(threads_);
    woken_ = false;
    if (next == threads_.size()) {
      if (std::none_of(threads_.begin(), threads_.end(), waits) || !machine_.run_until(woken, limit_ps)) return;
      continue;
    }
    const std::uint64_t due_ps = *threads_[next].due_ps;
    if (due_ps > limit_ps) return;
    if (machine_.run_until(woken, due_ps)) continue;  // whoever was woken may be first
    machine_.advance_to(due_ps);
    threads_[next].due_ps.reset();
    run_thread(next);
  }
}

}  // namespace fenceline
