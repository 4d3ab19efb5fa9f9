// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/channel_config.hpp"

#include "sim/config/fields.hpp"

namespace fenceline {

void describe(Fields& f, LinkConfig& c) {
  f.optional("gb_per_s", c.gb_per_s, "usable bandwidth, 1e9 bytes per second", between(1e-3, 1e6));
  f.optional("latency_ns", c.latency_ns, "added once to every transfer, nanoseconds", between(0, 1e9));
  f.optional("sharing", c.sharing, "fair: all transfers at once, weighted max-min; in_order: one after another");
}

void describe(Fields& f, ChannelConfig& c) {
  describe(f, static_cast<LinkConfig&>(c));
  f.optional("contention_exponent", c.contention_exponent,
             "sharpness p of the knee between latency-bound and bandwidth-bound accesses; 0: no growth of latency",
             between(0, 64));
}

}  // namespace fenceline
