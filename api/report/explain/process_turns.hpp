// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log_records.hpp"
#include "sim/process_turn_record.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace fenceline {

/// Whose turn it was at what time, on engines that run one process at a time.
class ProcessTurns {
 public:
  using What = ProcessTurnRecord::What;
  /// What was so at a time.
  struct State {
    What what;               ///< had happened last
    LogName process;         ///< whose turn it was; `loads`: whose it was to be
    std::uint64_t until_ps;  ///< begins: the turn is over then; else: the next one begins; 0: to the end of the run
  };

  /// In the order of time.
  void add(const ProcessTurnRecord& turn) { turns_[turn.node].push_back(turn); }
  /// Unset: processes take no turns there, or none had come.
  std::optional<State> at(LogName node, std::uint64_t at_ps) const;
  /// Adds the times at which something of it changed.
  void add_changes(std::vector<std::uint64_t>& times) const;

 private:
  std::map<LogName, std::vector<ProcessTurnRecord>> turns_;  // by node
};

}  // namespace fenceline
