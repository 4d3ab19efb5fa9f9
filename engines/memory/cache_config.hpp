// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"
#include "sim/kernel/channel_config.hpp"

#include <cstdint>
#include <string>

namespace fenceline {

/// A cache that all traffic of video memory passes, as far as no cache before it has served it: its rate is a
/// channel's.
struct CacheConfig : ChannelConfig {
  std::string name;             ///< of its rate in traces
  std::uint64_t hit_bytes = 0;  ///< sets up to this size stay; 0: it keeps nothing
  std::uint64_t miss_bytes = 0;
  double first_loss = 1;
  double last_hits = 1;
  double hit_latency_ns = 200;  ///< one access that it serves
};
/// A further cache. L2's keys stand in the memory's own.
void describe(Fields& f, CacheConfig& c);

}  // namespace fenceline
