// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Start and end of each packet in each of many runs of one workload: what race points are found in. A view of numbers
/// that lie elsewhere.
struct RunTable {
  const std::uint64_t* makespans_ps;  ///< by run; 0: it did not complete, and counts for nothing
  /// Start and end of each place, run by run; a place is a packet of a queue, both 0 where it did not run.
  const std::uint64_t* times_ps;
  std::size_t runs;
  std::size_t queues;
  std::size_t packets_of_queue;  ///< places of each queue

  std::size_t places() const { return queues * packets_of_queue; }  ///< of one run
  std::uint64_t start_ps(std::size_t run, std::size_t place) const { return times_ps[2 * (run * places() + place)]; }
  std::uint64_t end_ps(std::size_t run, std::size_t place) const { return times_ps[2 * (run * places() + place) + 1]; }
};

/// What runs came to in which one of two packets began before the other; medians.
struct RaceOutcome {
  std::size_t runs = 0;
  std::uint64_t makespan_ps = 0;
  std::uint64_t one_end_ps = 0;    ///< of the first of the pair
  std::uint64_t other_end_ps = 0;  ///< of the second
};

/// Two packets of different queues that began now in one order, now in the other, and what became of it either way.
struct RacePoint {
  std::size_t one;     ///< place
  std::size_t other;   ///< the same, a higher one
  RaceOutcome first;   ///< `one` began first
  RaceOutcome second;  ///< `other` began first
  double change;       ///< the greatest of the three, as a share of the lower value
};

/// Those whose order changes the makespan or an end by a hundredth or more, and that at least a hundredth of the runs
/// show either way: the greatest changes first, at most `most`. Pairs are looked at that began one right after the
/// other in some run, up to 4096 of them.
std::vector<RacePoint> race_points(const RunTable& table, std::size_t most);

}  // namespace fenceline
