// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/memory/cache_config.hpp"
#include "sim/config/described.hpp"
#include "sim/kernel/channel_config.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// Video memory, the caches before it and the links to the host.
struct MemoryConfig {
  std::string source;
  ChannelConfig vram;
  CacheConfig l2{{{5000, 0, ChannelSharing::fair}, 0}, "l2"};  ///< the last-level cache, keys l2_...
  double l2_hits_wait = 0;                                     ///< accesses that one served by any cache waits for
  /// Further caches, the one next to L2 first; unset: none. A machine that has none does not name them either.
  std::optional<std::vector<CacheConfig>> caches;
  LinkConfig pcie_to_device{25, 0, ChannelSharing::in_order};
  LinkConfig pcie_to_host{25, 0, ChannelSharing::in_order};
  double pcie_write_vram_cost = 1;
  double device_copy_gb_per_s = 1000;
  double device_copy_setup_ns = 0;
  std::uint32_t copy_bytes_in_flight = 1 << 20;
};
void describe(Fields& f, MemoryConfig& c);

/// All caches in the order in which traffic passes them: L2, then the further ones. Video memory is the level behind.
std::vector<CacheConfig> caches_of(const MemoryConfig& memory);
/// Some cache holds sets of bytes.
bool keeps_any(const MemoryConfig& memory);

}  // namespace fenceline
