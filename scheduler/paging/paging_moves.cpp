// SPDX-License-Identifier: Apache-2.0
#include "scheduler/paging/paging_moves.hpp"

#include "sim/members.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

class PagingMoves::Effects : public CommandEffects {
 public:
  Effects(std::shared_ptr<PagingMoves> moves, std::size_t buffer) : moves_(std::move(moves)), buffer_(buffer) {}
  void ended(std::size_t) override {}
  void ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) override {
    moves_->ran(buffer_, command, start_ps, end_ps);
  }
  void skip(std::size_t) override {}
  bool skips(std::size_t) override { return false; }
  const IndirectCall* call(std::size_t) override { return nullptr; }
  void finish() override { moves_->finished(buffer_); }
  void timestamp(std::uint32_t, std::uint64_t) override {}

 private:
  std::shared_ptr<PagingMoves> moves_;
  std::size_t buffer_;
};

PagingMoves::PagingMoves(const std::vector<PagingMove>& moves, const std::vector<LogName>& names, LogName process,
                         const PagingBufferRules& rules, EventLog& log)
    : log_(log) {
  for (std::size_t i = 0; i < moves.size(); ++i) {
    Move move;
    move.record.operation = moves[i].operation;
    move.record.resource = names[i];
    move.record.bytes = moves[i].bytes;
    move.record.process = process;
    moves_.push_back(move);
  }
  std::size_t next = 0;  // operation of the preparation
  const std::vector<std::size_t> move_of = moves_of_operations(moves, rules);
  for (CommandStream& stream : paging_buffers(moves, rules)) {
    Buffer buffer;
    for (const Command& command : stream.commands) {
      const bool operation = !std::holds_alternative<Barrier>(command);
      buffer.move_of.push_back(move_of[std::min(next, move_of.size() - 1)]);
      if (!operation) continue;
      moves_[move_of[next++]].last_buffer = buffers_.size();
    }
    buffer.stream = std::make_shared<CommandStream>(std::move(stream));
    buffers_.push_back(std::move(buffer));
  }
}

std::shared_ptr<CommandEffects> PagingMoves::effects_of(std::size_t buffer) {
  return std::make_shared<Effects>(shared_from_this(), buffer);
}

std::vector<std::size_t> PagingMoves::moves_of(std::uint64_t packet) const {
  for (const Buffer& buffer : buffers_) {
    if (!contains(buffer.packets, packet)) continue;
    std::vector<std::size_t> moves = buffer.move_of;
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    return moves;
  }
  return {};
}

void PagingMoves::ran(std::size_t buffer, std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) {
  Move& move = moves_[buffers_[buffer].move_of[command]];
  if (!std::exchange(move.began, true)) move.record.start_ps = start_ps;
  move.record.end_ps = end_ps;
}

void PagingMoves::finished(std::size_t buffer) {
  const std::vector<std::size_t>& move_of = buffers_[buffer].move_of;
  for (std::size_t i = move_of.front(); i <= move_of.back(); ++i) {
    Move& move = moves_[i];
    if (move.last_buffer != buffer) continue;
    move.record.packet = buffers_[buffer].packets.front();
    if (log_.enabled()) log_.paging(move.record);
  }
}

}  // namespace fenceline
