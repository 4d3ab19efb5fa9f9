// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>

namespace fenceline {

/// How transfers of one channel share it.
enum class ChannelSharing : std::uint8_t {
  fair,      ///< weighted max-min
  in_order,  ///< the first to come is served in full, the next gets what is left
};
constexpr EnumNames<ChannelSharing, 2> enum_names(ChannelSharing) {
  return {{{ChannelSharing::fair, "fair"}, {ChannelSharing::in_order, "in_order"}}};
}

/// A channel that only copies use.
struct LinkConfig {
  double gb_per_s = 1000;  ///< usable bandwidth, 1e9 bytes a second
  double latency_ns = 0;   ///< added once to every transfer
  ChannelSharing sharing = ChannelSharing::fair;
};
void describe(Fields& f, LinkConfig& c);

/// One with users that are bound by its latency, too.
struct ChannelConfig : LinkConfig {
  double contention_exponent = 0;  ///< 0: latency does not grow under load
};
void describe(Fields& f, ChannelConfig& c);

}  // namespace fenceline
