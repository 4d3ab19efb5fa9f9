// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/pixel_flow.hpp"

#include <algorithm>

namespace fenceline {
namespace {

/// A shader of a few instructions is not worth an event every few cycles: pixels stay at least so long.
constexpr std::uint64_t least_stay_cycles = 16;

std::uint64_t quotient_up(unsigned __int128 a, std::uint64_t b) { return static_cast<std::uint64_t>((a + b - 1) / b); }

}  // namespace

PixelFlow pixel_flow(std::uint64_t groups, std::uint64_t pace_cycles, std::uint64_t stay_cycles) {
  const std::uint64_t stay = std::max(stay_cycles, least_stay_cycles);
  if (groups == 0 || pace_cycles <= stay) return {groups, pace_cycles};
  PixelFlow flow;
  flow.groups = quotient_up(static_cast<unsigned __int128>(groups) * stay, pace_cycles);
  for (;; ++flow.groups) {  // a few times: where few batches come, their number in whole matters
    flow.cycles = pace_cycles / quotient_up(groups, flow.groups);
    if (flow.cycles >= stay || flow.groups >= groups) return flow;
  }
}

}  // namespace fenceline
