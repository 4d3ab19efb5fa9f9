// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/cache_config.hpp"

#include "sim/config/fields.hpp"

#include <string>

namespace fenceline {

void describe(Fields& f, CacheConfig& c) {
  f.about("a cache between L2 and video memory, which all traffic passes that no cache before it has served");
  f.required("name", c.name, "what its rate is called in traces, beside l2 and vram");
  describe(f, static_cast<ChannelConfig&>(c));
  f.optional("hit_bytes", c.hit_bytes, "as l2_hit_bytes: sets up to this size stay in it; 0: it keeps nothing",
             between(0, 1e12));
  f.optional("miss_bytes", c.miss_bytes, "as l2_miss_bytes: from this size on nothing of them is found",
             between(0, 1e12));
  f.check(c.hit_bytes <= c.miss_bytes, "at least hit_bytes = " + std::to_string(c.hit_bytes),
          std::to_string(c.miss_bytes), "miss_bytes");
  f.optional("first_loss", c.first_loss, "the fall begins at this part of hit_bytes already", between(1e-3, 1));
  f.optional("last_hits", c.last_hits, "the fall ends only at this many times miss_bytes", between(1, 1e3));
  f.optional("hit_latency_ns", c.hit_latency_ns,
             "one access that it serves, nanoseconds; not less than one that a cache before it serves",
             between(1e-3, 1e9));
}

}  // namespace fenceline
