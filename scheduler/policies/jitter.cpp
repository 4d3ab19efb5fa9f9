// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policies/jitter.hpp"

#include "sim/duration.hpp"

#include <cmath>

namespace fenceline {
namespace {

/// SplitMix64's output function (Steele, Lea, Flood 2014): every bit of the state changes half of the result's.
std::uint64_t mixed(std::uint64_t state) {
  state += 0x9E3779B97F4A7C15;
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
  return state ^ (state >> 31);
}

}  // namespace

std::uint64_t jitter_ps(double mean_ns, std::uint64_t seed, JitterSite site, std::uint32_t context,
                        std::uint64_t packet) {
  if (mean_ns <= 0) return 0;
  const std::uint64_t of_site = std::uint64_t{context} << 8 | static_cast<std::uint64_t>(site);
  const std::uint64_t bits = mixed(mixed(mixed(seed) ^ of_site) ^ packet);
  const double uniform = (static_cast<double>(bits >> 11) + 0.5) / 9007199254740992.0;  // never 0, never 1
  return ps_of_ns(-std::log(uniform) * mean_ns);
}

}  // namespace fenceline
