// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/l2_cost.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace fenceline {

void describe_keys(Fields& f, L2Config& c) {
  f.optional("l2_hit_bytes", c.l2_hit_bytes,
             "sets of bytes accessed again and again stay in L2 up to this size, those of kernels that run together "
             "added up; 0: L2 keeps nothing",
             between(0, 1e12));
  f.optional("l2_miss_bytes", c.l2_miss_bytes,
             "from this size on nothing of them is found; between the two the part found falls evenly with the "
             "logarithm of the size",
             between(0, 1e12));
  f.check(c.l2_hit_bytes <= c.l2_miss_bytes, "at least l2_hit_bytes = " + std::to_string(c.l2_hit_bytes),
          std::to_string(c.l2_miss_bytes), "l2_miss_bytes");
  f.optional("l2_first_loss", c.l2_first_loss, "the fall begins at this part of l2_hit_bytes already",
             between(1e-3, 1));
  f.optional("l2_last_hits", c.l2_last_hits, "the fall ends only at this many times l2_miss_bytes", between(1, 1e3));
  f.optional("l2_latency_ns", c.l2_latency_ns, "one access that L2 serves, nanoseconds", between(1e-3, 1e9));
  f.optional("l2_hits_wait", c.l2_hits_wait,
             "accesses before it that an access found in L2 waits for: if one of them misses, it takes as long as a "
             "miss",
             between(0, 64));
}

double part_found(double distance_bytes, const L2Config& l2) {
  const double first = static_cast<double>(l2.l2_hit_bytes) * l2.l2_first_loss;
  const double last = static_cast<double>(l2.l2_miss_bytes) * l2.l2_last_hits;
  if (first <= 0) return 0;
  if (distance_bytes <= first) return 1;
  if (distance_bytes >= last) return 0;
  return std::log(last / distance_bytes) / std::log(last / first);
}

double part_missed(std::size_t reader, const std::vector<L2Reader>& readers, const L2Config& l2) {
  const L2Reader& own = readers[reader];
  if (own.set_bytes == 0 || own.accessed_bytes <= own.set_bytes) return 1;
  const auto set = static_cast<double>(own.set_bytes);
  double distance = set;
  for (std::size_t i = 0; i < readers.size(); ++i) {
    const L2Reader& other = readers[i];
    if (i == reader || other.bytes_per_s <= 0) continue;
    const double meanwhile = own.bytes_per_s > 0 ? set * other.bytes_per_s / own.bytes_per_s : 0;
    distance += other.set_bytes > 0 ? std::min(meanwhile, static_cast<double>(other.set_bytes)) : meanwhile;
  }
  const double again = 1 - set / static_cast<double>(own.accessed_bytes);  // the first access to each byte misses
  return 1 - again * part_found(distance, l2);
}

double part_slow(double missed, double all_missed, const L2Config& l2) {
  if (missed >= 1 || l2.l2_hits_wait <= 0) return missed;
  const double waits = 1 - std::pow(1 - std::min(1.0, all_missed), l2.l2_hits_wait);
  return missed + (1 - missed) * waits;
}

}  // namespace fenceline
