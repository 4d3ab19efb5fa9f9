// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"
#include "scheduler/residency/segment.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// What a paging buffer holds, and in what pieces bytes move.
struct PagingBufferRules {
  std::uint64_t page_bytes = 65536;
  std::uint64_t window_bytes = std::uint64_t{1} << 30;  ///< of one transfer at most
  std::uint32_t operations = 64;                        ///< of one paging buffer; more are further passes
};

/// DXGK_BUILDPAGINGBUFFER_OPERATION's of one move: its transfers and its update of the page table, which is the last
/// one of a move in and the first one of a move out (docs/residency.md, rule 18).
std::vector<CopyBuffer> paging_operations(const PagingMove& move, const PagingBufferRules& rules);

/// Of each operation of a preparation, in order, which move it is of.
std::vector<std::size_t> moves_of_operations(const std::vector<PagingMove>& moves, const PagingBufferRules& rules);

/// The paging buffers of a preparation, in order: each operation waits for the one before it.
std::vector<CommandStream> paging_buffers(const std::vector<PagingMove>& moves, const PagingBufferRules& rules);

}  // namespace fenceline
