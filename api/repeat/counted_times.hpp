// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Times that are close to one another, apart from all others.
struct TimeMode {
  double share;             ///< of all times
  std::uint64_t median_ps;  ///< of those of the mode
  std::uint64_t least_ps;   ///< the shortest of them
  std::uint64_t most_ps;    ///< the longest of them
};

/// Any number of times in a fixed amount of memory: how many there were in each range of 1/512 of a time, and the
/// shortest of these, which stands for all of them. Sums do not depend on an order. Plain bytes, all zero at first, so
/// that processes may share it.
class CountedTimes {
 public:
  void add(std::uint64_t time_ps);       ///< one more
  void add(const CountedTimes& others);  ///< all of those

  std::uint64_t count() const;  ///< of all times
  /// The nearest rank, of `hundredths` of a percent; 0 without times.
  std::uint64_t percentile(std::uint64_t hundredths) const;
  std::uint64_t least() const { return percentile(0); }     ///< the shortest
  std::uint64_t most() const { return percentile(10000); }  ///< the longest, as exactly as the ranges are
  /// Ascending. A gap of more than a fiftieth between neighbours parts two modes; one that less than a hundredth of the
  /// times belong to is none.
  std::vector<TimeMode> modes() const;

 private:
  static constexpr unsigned steps_log = 9;
  static constexpr std::size_t ranges = (64 - steps_log + 1) << steps_log;
  struct Range {
    std::uint64_t count;
    std::uint64_t least_ps;
  };
  static std::size_t range_of(std::uint64_t time_ps);

  std::array<Range, ranges> ranges_;
};

}  // namespace fenceline
