// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policy.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace fenceline::testing {

/// What every policy that chooses the next context of a node keeps, whatever its order is otherwise.
template <class Choose>
void policy_contract(Choose&& choose) {
  std::mt19937_64 random(41);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };

  bool in_range = true;
  bool highest_priority = true;
  bool repeatable = true;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Candidate> candidates(1 + below(8));
    for (Candidate& candidate : candidates) {
      candidate = {static_cast<int>(below(3)) * 100, below(20), false, below(4000)};
    }
    if (below(2) == 0) candidates[below(candidates.size())].has_turn = true;
    const std::size_t chosen = choose(candidates, 2000);
    in_range = in_range && chosen < candidates.size();
    if (!in_range) break;
    for (const Candidate& other : candidates) {
      highest_priority = highest_priority && candidates[chosen].priority >= other.priority;
    }
    repeatable = repeatable && choose(candidates, 2000) == chosen;
  }
  CHECK(in_range);
  CHECK(highest_priority);
  CHECK(repeatable);

  // Nobody of the highest priority starves: between two turns of one context all others have had theirs.
  constexpr std::size_t contexts = 5;
  std::vector<Candidate> candidates(contexts);
  std::vector<int> turns(contexts);
  std::uint64_t turn = 0;
  for (int packets = 0; packets < 200; ++packets) {
    const std::size_t chosen = choose(candidates, 300);
    Candidate& candidate = candidates[chosen];
    if (!candidate.has_turn || candidate.turn_used_ps >= 300) {
      for (Candidate& other : candidates) other.has_turn = false;
      candidate.has_turn = true;
      candidate.turn_used_ps = 0;
      ++turns[chosen];
    }
    candidate.last_turn = ++turn;
    candidate.turn_used_ps += 100;
    const auto [fewest, most] = std::minmax_element(turns.begin(), turns.end());
    if (*most - *fewest > 1) FAIL("a context had " << *most << " turns while another had " << *fewest);
  }
}

}  // namespace fenceline::testing
