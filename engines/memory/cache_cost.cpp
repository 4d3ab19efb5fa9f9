// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/cache_cost.hpp"

#include <algorithm>
#include <cmath>

namespace fenceline {

double distance_of(std::size_t set, const std::vector<AccessedSet>& sets) {
  const AccessedSet& own = sets[set];
  const auto set_bytes = static_cast<double>(own.set_bytes);
  double distance = set_bytes;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const AccessedSet& other = sets[i];
    if (i == set || other.bytes_per_s <= 0) continue;
    const double meanwhile = own.bytes_per_s > 0 ? set_bytes * other.bytes_per_s / own.bytes_per_s : 0;
    distance += other.set_bytes > 0 ? std::min(meanwhile, static_cast<double>(other.set_bytes)) : meanwhile;
  }
  return distance;
}

double part_found(double distance_bytes, const CacheConfig& cache) {
  const double first = static_cast<double>(cache.hit_bytes) * cache.first_loss;
  const double last = static_cast<double>(cache.miss_bytes) * cache.last_hits;
  if (first <= 0) return 0;
  if (distance_bytes <= first) return 1;
  if (distance_bytes >= last) return 0;
  return std::log(last / distance_bytes) / std::log(last / first);
}

ByLevel<double> bytes_by_level(const AccessedSet& set, double distance_bytes, const std::vector<CacheConfig>& caches) {
  ByLevel<double> bytes{};
  bytes[0] = 1;
  const bool again = set.set_bytes > 0 && set.accessed_bytes > set.set_bytes;
  const double first = again ? static_cast<double>(set.set_bytes) / static_cast<double>(set.accessed_bytes) : 1;
  for (std::size_t level = 0; level < caches.size(); ++level) {
    // Rounded, what is left may be less than the first accesses by a last digit.
    const double found = std::max(0.0, bytes[level] - first) * part_found(distance_bytes, caches[level]);
    bytes[level + 1] = bytes[level] - found;
  }
  return bytes;
}

double part_slow(double reaching, double all_reaching, double waits_for) {
  if (reaching >= 1 || waits_for <= 0) return reaching;
  const double waits = 1 - std::pow(1 - std::min(1.0, all_reaching), waits_for);
  return reaching + (1 - reaching) * waits;
}

}  // namespace fenceline
