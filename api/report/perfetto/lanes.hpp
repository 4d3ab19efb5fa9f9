// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// Lays the spans of one track on lanes, for viewers that can show spans of one row only side by side or nested. Two
/// spans of a lane overlap only where one contains the other, and then both belong to one packet and have different
/// kinds: a packet stands over its commands. Regions of markers stand over each other, whoever's they are. Spans that
/// merely happened at the same time get lanes of their own.
///
/// Spans are placed as they arrive, by end time, and never moved. Memory grows with the number of lanes only.
class Lanes {
 public:
  /// Index of the span's lane, from 0. A lane that already holds the span's packet is preferred, then the lowest.
  std::size_t place(const Span& span);

 private:
  /// Spans of one kind and the gaps between them, seen as one solid piece.
  struct Block {
    std::optional<SpanKind> kind;  ///< none: of several kinds
    std::uint64_t start_ps;
    std::uint64_t end_ps;
  };
  struct Lane {
    std::uint64_t packet = 0;        ///< whose spans the blocks are
    std::uint64_t busy_until = 0;    ///< end of the last span
    std::uint64_t closed_until = 0;  ///< end of the last span of an earlier packet
    std::uint32_t depth = 0;
    std::array<Block, 8> blocks;

    bool accepts_above(const Span& span, std::uint32_t& below) const;
    void put(const Span& span);
  };
  std::vector<Lane> lanes_;
};

}  // namespace fenceline
