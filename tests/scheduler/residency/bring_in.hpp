// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/residency/segment.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline::testing {

/// Segment::bring_in of one alone, beside those of `kept`, which stay, and those of `left_out`, which are demoted where
/// they make room.
inline std::optional<std::vector<PagingMove>> bring_in(Segment& segment, std::uint32_t wanted,
                                                       const std::vector<std::uint32_t>& kept, std::uint64_t now_ps,
                                                       const std::vector<std::uint32_t>& left_out = {}) {
  for (const std::uint32_t one : kept) segment[one].kept = true;
  for (const std::uint32_t one : left_out) segment[one].left_out = true;
  Victims victims;
  auto moves = segment.bring_in(wanted, victims, now_ps);
  for (const std::uint32_t one : kept) segment[one].kept = false;
  for (const std::uint32_t one : left_out) segment[one].left_out = false;
  return moves;
}

}  // namespace fenceline::testing
