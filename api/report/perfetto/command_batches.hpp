// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace fenceline {

/// Commands of one packet as one span: their first start, their last end.
struct CommandBatch {
  Span span;
  std::uint64_t commands = 1;
};

/// Puts the commands of a packet together that have one name and overlap or follow each other: the draws of a pass, the
/// dispatches of a filter. A gap as long as the batch is makes a new one. A packet has at most so many; what belongs to
/// none of them then extends the last, which loses its name. Commands come in the order in which they end.
class CommandBatches {
 public:
  static constexpr std::size_t most = 64;  ///< of a packet

  void add(const Span& command);
  /// Those of a packet on a track, by their ends; they are forgotten.
  std::vector<CommandBatch> take(LogName track, std::uint64_t packet);
  /// Those of all packets.
  std::vector<CommandBatch> take_all();

 private:
  std::map<std::pair<LogName, std::uint64_t>, std::vector<CommandBatch>> open_;  // by track and packet
};

}  // namespace fenceline
