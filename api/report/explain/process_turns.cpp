// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/process_turns.hpp"

#include <algorithm>
#include <iterator>

namespace fenceline {

std::optional<ProcessTurns::State> ProcessTurns::at(LogName node, std::uint64_t at_ps) const {
  const auto turns = turns_.find(node);
  if (turns == turns_.end()) return std::nullopt;
  const auto later = [](std::uint64_t at, const ProcessTurnRecord& turn) { return at < turn.at_ps; };
  auto next = std::upper_bound(turns->second.begin(), turns->second.end(), at_ps, later);
  if (next == turns->second.begin()) return std::nullopt;
  const ProcessTurnRecord& last = *std::prev(next);
  State state{last.what, last.process, 0};
  const What end = last.what == What::begins ? What::ends : What::begins;
  next = std::find_if(next, turns->second.end(), [end](const ProcessTurnRecord& turn) { return turn.what == end; });
  if (next == turns->second.end()) return state;
  state.until_ps = next->at_ps;
  // Who comes is decided once more when all is loaded.
  if (last.what == What::loads) state.process = next->process;
  return state;
}

void ProcessTurns::add_changes(std::vector<std::uint64_t>& times) const {
  for (const auto& [node, turns] : turns_) {
    for (const ProcessTurnRecord& turn : turns) times.push_back(turn.at_ps);
  }
}

}  // namespace fenceline
