// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "engines/command/command_effects.hpp"
#include "scheduler/residency/paging_buffer.hpp"
#include "scheduler/residency/segment.hpp"
#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fenceline {

/// The moves of one preparation on their way: when the operations of each ran, which paging buffers tell.
class PagingMoves : public std::enable_shared_from_this<PagingMoves> {
 public:
  /// `names` are the allocations', one for each move; `process` that for which they are made.
  PagingMoves(const std::vector<PagingMove>& moves, const std::vector<LogName>& names, LogName process,
              const PagingBufferRules& rules, EventLog& log);

  std::size_t buffers() const { return buffers_.size(); }  ///< in which they are made, in order
  std::shared_ptr<const CommandStream> buffer(std::size_t index) const { return buffers_[index].stream; }
  /// Hears of that buffer's execution, and tells the log of the moves that end in it.
  std::shared_ptr<CommandEffects> effects_of(std::size_t buffer);
  /// When the last operation of the move ended.
  std::uint64_t end_ps(std::size_t move) const { return moves_[move].record.end_ps; }
  /// The buffer is that packet, or one of several adapters' packets, the first of which the log is told of.
  void submitted(std::size_t buffer, std::uint64_t packet) { buffers_[buffer].packets.push_back(packet); }
  /// Which moves the paging packet makes, by their places; none: it is not of these.
  std::vector<std::size_t> moves_of(std::uint64_t packet) const;

 private:
  class Effects;
  struct Buffer {
    std::shared_ptr<CommandStream> stream;
    std::vector<std::size_t> move_of;  // by command
    std::vector<std::uint64_t> packets;
  };
  struct Move {
    PagingRecord record;
    std::size_t last_buffer = 0;
    bool began = false;
  };
  void ran(std::size_t buffer, std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps);
  void finished(std::size_t buffer);

  EventLog& log_;
  std::vector<Buffer> buffers_;
  std::vector<Move> moves_;
};

}  // namespace fenceline
