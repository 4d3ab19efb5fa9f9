// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// Where time is drawn at random.
enum class JitterSite : std::uint8_t {
  launch,  ///< of a packet
  fence,   ///< a signal on its way to a waiting queue
};

/// What is added, picoseconds: exponentially distributed with that mean, and a pure function of the seed, the site, the
/// context and the packet, so that it does not depend on what was drawn before. 0 where the mean is 0.
std::uint64_t jitter_ps(double mean_ns, std::uint64_t seed, JitterSite site, std::uint32_t context,
                        std::uint64_t packet);

}  // namespace fenceline
