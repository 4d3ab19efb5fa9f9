// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/memory/by_level.hpp"
#include "engines/memory/cache_config.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Accesses to one set of bytes, of which caches may hold some.
struct AccessedSet {
  std::uint64_t set_bytes = 0;       ///< accessed again and again; 0: each byte once
  std::uint64_t accessed_bytes = 0;  ///< in all
  double bytes_per_s = 0;            ///< that would be accessed on an idle machine: only the proportions count
};

/// Bytes that come between two accesses to one of the set's: its whole set, and as much of the others as they access
/// meanwhile, at most their sets: sets add up, and what accesses each byte once evicts.
double distance_of(std::size_t set, const std::vector<AccessedSet>& sets);
/// Part of accesses that finds its bytes in the cache when so many others have been accessed since they were last.
/// Falls evenly with the logarithm of that distance.
double part_found(double distance_bytes, const CacheConfig& cache);
/// Of one byte accessed, the part that comes to each of `caches` and, behind the last of them, to video memory. Each
/// cache serves what it finds of what comes to it; the first access to each byte comes to all levels.
ByLevel<double> bytes_by_level(const AccessedSet& set, double distance_bytes, const std::vector<CacheConfig>& caches);
/// Part of accesses that take as long as a level at least, when a part `reaching` of them and a part `all_reaching` of
/// all traffic come that far: those, and others with one such among the `waits_for` accesses that they wait for.
double part_slow(double reaching, double all_reaching, double waits_for);

}  // namespace fenceline
