// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/memory/l2_cost.hpp"
#include "sim/config/fields.hpp"
#include "sim/kernel/channel_config.hpp"

#include <cstdint>
#include <string>

namespace fenceline {

/// Video memory, L2 and the links to the host.
struct MemoryConfig : L2Config {
  std::string source;
  ChannelConfig vram;
  ChannelConfig l2{{5000, 0, ChannelSharing::fair}, 0};
  LinkConfig pcie_to_device{25, 0, ChannelSharing::in_order};
  LinkConfig pcie_to_host{25, 0, ChannelSharing::in_order};
  double pcie_write_vram_cost = 1;
  double device_copy_gb_per_s = 1000;
  double device_copy_setup_ns = 0;
  std::uint32_t copy_bytes_in_flight = 1 << 20;
};
void describe(Fields& f, MemoryConfig& c);

}  // namespace fenceline
