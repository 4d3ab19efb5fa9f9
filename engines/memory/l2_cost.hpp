// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/fields.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// What L2 holds, and how long one access takes. Its rate is a channel's (MemoryConfig).
struct L2Config {
  std::uint64_t l2_hit_bytes = 0;
  std::uint64_t l2_miss_bytes = 0;
  double l2_first_loss = 1;
  double l2_last_hits = 1;
  double l2_latency_ns = 200;
  double l2_hits_wait = 0;
};
/// Adds its keys to those of the memory.
void describe_keys(Fields& f, L2Config& c);

/// Accesses to one set of bytes, of which L2 may hold some.
struct L2Reader {
  std::uint64_t set_bytes = 0;       ///< accessed again and again; 0: each byte once
  std::uint64_t accessed_bytes = 0;  ///< in all
  double bytes_per_s = 0;            ///< that it would access on an idle machine: only the proportions count
};

/// Part of accesses that finds its bytes in L2 when so many others have been accessed since they were last.
/// Falls evenly with the logarithm of that distance.
double part_found(double distance_bytes, const L2Config& l2);
/// Part of the reader's accesses that miss. Between two accesses to one of its bytes come its whole set, and as much of
/// the others as they access meanwhile, at most their sets: sets add up, and what accesses each byte once evicts.
double part_missed(std::size_t reader, const std::vector<L2Reader>& readers, const L2Config& l2);
/// Part of accesses at the latency of a miss, when a part `missed` of them and a part `all_missed` of all traffic
/// misses: the misses, and hits with a miss among the accesses that they wait for.
double part_slow(double missed, double all_missed, const L2Config& l2);

}  // namespace fenceline
