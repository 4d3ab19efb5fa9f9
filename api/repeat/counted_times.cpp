// SPDX-License-Identifier: Apache-2.0
#include "api/repeat/counted_times.hpp"

#include <algorithm>

namespace fenceline {

std::size_t CountedTimes::range_of(std::uint64_t time_ps) {
  constexpr std::uint64_t steps = std::uint64_t{1} << steps_log;
  if (time_ps < steps) return time_ps;
  unsigned power = 63;
  while ((time_ps >> power) == 0) --power;
  const std::uint64_t step = (time_ps >> (power - steps_log)) - steps;
  return ((power - steps_log + 1) << steps_log) + step;
}

void CountedTimes::add(std::uint64_t time_ps) {
  Range& range = ranges_[range_of(time_ps)];
  range.least_ps = range.count == 0 ? time_ps : std::min(range.least_ps, time_ps);
  ++range.count;
}

void CountedTimes::add(const CountedTimes& others) {
  for (std::size_t i = 0; i < ranges; ++i) {
    Range& range = ranges_[i];
    const Range& other = others.ranges_[i];
    if (other.count == 0) continue;
    range.least_ps = range.count == 0 ? other.least_ps : std::min(range.least_ps, other.least_ps);
    range.count += other.count;
  }
}

std::uint64_t CountedTimes::count() const {
  std::uint64_t sum = 0;
  for (const Range& range : ranges_) sum += range.count;
  return sum;
}

std::uint64_t CountedTimes::percentile(std::uint64_t hundredths) const {
  const std::uint64_t all = count();
  const std::uint64_t rank = std::max<std::uint64_t>(1, (all * hundredths + 9999) / 10000);
  std::uint64_t below = 0;
  for (const Range& range : ranges_) {
    below += range.count;
    if (range.count > 0 && below >= rank) return range.least_ps;
  }
  return 0;
}

std::vector<TimeMode> CountedTimes::modes() const {
  constexpr std::uint64_t least_gap = 50;
  constexpr std::uint64_t least_share = 100;
  const std::uint64_t all = count();
  std::vector<TimeMode> modes;
  std::size_t first = 0;
  std::uint64_t before = 0;
  const auto close = [&](std::size_t end, std::uint64_t sum, std::uint64_t most_ps) {
    if (sum * least_share < all || sum == 0) return;
    TimeMode mode{static_cast<double>(sum) / static_cast<double>(all), 0, 0, most_ps};
    std::uint64_t below = 0;
    for (std::size_t i = first; i < end; ++i) {
      if (ranges_[i].count > 0 && below == 0) mode.least_ps = ranges_[i].least_ps;
      if (below < (sum + 1) / 2) mode.median_ps = ranges_[i].count > 0 ? ranges_[i].least_ps : mode.median_ps;
      below += ranges_[i].count;
    }
    modes.push_back(mode);
  };
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < ranges; ++i) {
    const Range& range = ranges_[i];
    if (range.count == 0) continue;
    if (sum > 0 && range.least_ps - before > before / least_gap) {
      close(i, sum, before);
      first = i;
      sum = 0;
    }
    sum += range.count;
    before = range.least_ps;
  }
  close(ranges, sum, before);
  return modes;
}

}  // namespace fenceline
