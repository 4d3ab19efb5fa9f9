// SPDX-License-Identifier: Apache-2.0
#include "scheduler/residency/paging_buffer.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {
namespace {

constexpr std::uint64_t page_table_entry_bytes = 8;
constexpr std::uint64_t small_page_bytes = 4096;

CopyBuffer page_table_update(const PagingMove& move, const PagingBufferRules& rules) {
  const std::uint64_t page_bytes = move.small_pages ? small_page_bytes : rules.page_bytes;
  const std::uint64_t pages = (move.bytes + page_bytes - 1) / page_bytes;
  return {CopyRoute::host_to_device, pages * page_table_entry_bytes};
}

}  // namespace

std::vector<CopyBuffer> paging_operations(const PagingMove& move, const PagingBufferRules& rules) {
  const bool in = comes_in(move.operation);
  std::vector<CopyBuffer> operations;
  if (move.operation == PagingOperation::init || move.operation == PagingOperation::fill) {
    return {{CopyRoute::device_to_device, move.bytes}, page_table_update(move, rules)};
  }
  if (!in) operations.push_back(page_table_update(move, rules));
  for (std::uint64_t left = move.copied ? move.bytes : 0; left > 0; left -= operations.back().bytes) {
    operations.push_back(
        {in ? CopyRoute::host_to_device : CopyRoute::device_to_host, std::min(left, rules.window_bytes)});
  }
  if (in) operations.push_back(page_table_update(move, rules));
  return operations;
}

std::vector<std::size_t> moves_of_operations(const std::vector<PagingMove>& moves, const PagingBufferRules& rules) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    all.insert(all.end(), paging_operations(moves[i], rules).size(), i);
  }
  return all;
}

std::vector<CommandStream> paging_buffers(const std::vector<PagingMove>& moves, const PagingBufferRules& rules) {
  std::vector<CommandStream> buffers;
  std::uint32_t room = 0;
  for (const PagingMove& move : moves) {
    bool hangs = move.hangs;
    for (const CopyBuffer& operation : paging_operations(move, rules)) {
      if (room == 0) {
        buffers.emplace_back().name = "paging";
        room = rules.operations;
      } else {
        buffers.back().commands.emplace_back(Barrier{});
      }
      buffers.back().commands.emplace_back(std::exchange(hangs, false) ? Command{Hang{}} : Command{operation});
      --room;
    }
  }
  return buffers;
}

}  // namespace fenceline
