// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policies/policy.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace fenceline::testing {

/// What every policy keeps, whatever its order is otherwise.
inline void policy_contract(const PolicyTraits& policy) {
  std::mt19937_64 random(41);
  const auto below = [&](std::uint64_t limit) { return static_cast<std::uint32_t>(random() % limit); };

  bool in_range = true;
  bool repeatable = true;
  bool order_of_list_is_nothing = true;
  bool not_against_the_choice = true;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Candidate> candidates(1 + below(8));
    std::uint64_t id = 1;
    for (Candidate& candidate : candidates) {
      candidate.rank = {static_cast<PriorityBand>(below(priority_bands)), below(3), static_cast<int>(below(3)) - 1};
      candidate.context = static_cast<std::uint32_t>(id);
      candidate.process = below(3);
      candidate.last_submission = id + 20 * below(20);
      candidate.context_turn = {false, 0, 0, {below(20), id}};
      candidate.process_turn = {candidate.process == 1, 1500, 0, {20 * candidate.process + 1, candidate.process}};
      candidate.allowance = {2000, 2000, below(2) * 100, 0, 0};
      candidate.packet = id++;
    }
    const std::size_t chosen = choose_context(policy, candidates);
    in_range = in_range && chosen < candidates.size();
    if (!in_range) break;
    repeatable = repeatable && choose_context(policy, candidates) == chosen;
    std::vector<Candidate> shuffled = candidates;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    const std::uint64_t packet = shuffled[choose_context(policy, shuffled)].packet;
    order_of_list_is_nothing = order_of_list_is_nothing && packet == candidates[chosen].packet;
    // Whoever waits is not preferred to the one chosen by preempting it: else the two would never come to rest.
    for (const Candidate& other : candidates) {
      Candidate running = candidates[chosen];
      running.context_turn = running.process_turn = {true, 0, 0, {}};
      if (other.packet == running.packet) continue;
      Candidate waiting = other;
      waiting.process_turn.has = other.process == running.process;
      not_against_the_choice =
          not_against_the_choice && judge(policy, waiting, running).result != PreemptionAttempt::success;
    }
  }
  CHECK(in_range);
  CHECK(repeatable);
  CHECK(order_of_list_is_nothing);
  CHECK(not_against_the_choice);
}

}  // namespace fenceline::testing
