// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/memory/by_level.hpp"
#include "sim/kernel/fair_share.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Bytes that one byte of a transfer costs each level, in 2^-32; of L2 just one.
using LevelCosts = ByLevel<std::uint64_t>;
constexpr std::uint64_t whole_byte = std::uint64_t{1} << 32;

/// Weighted max-min fair shares of several levels' rates at once: all rates grow in proportion to their weights until a
/// limit is reached, or a level is used up and those that need it stop.
class LevelShares {
 public:
  /// Bytes a second of each of `levels` levels.
  LevelShares(const ByLevel<std::uint64_t>& capacities, std::size_t levels)
      : capacities_(capacities), levels_(levels) {}

  std::uint64_t capacity(std::size_t level) const { return capacities_[level]; }
  /// Of all those together that cost the levels as much.
  std::uint64_t rate_of(const LevelCosts& costs) const;
  /// Of each request, bytes/s, where `costs` has the request's at its index.
  void share(const std::vector<ShareRequest>& requests, const std::vector<LevelCosts>& costs,
             std::vector<std::uint64_t>& rates);

 private:
  using Wide = unsigned __int128;
  using Order = std::vector<std::uint32_t>::iterator;
  struct Level {
    double left;   // bytes/s
    Wide weights;  // of those that have no rate yet, times what they cost it
  };
  double part_of(const Level& level) const;
  void give(std::uint32_t request, double rate);
  void share_band(Order next, Order end);

  ByLevel<std::uint64_t> capacities_;
  std::size_t levels_;
  // Of the sharing under way.
  const std::vector<ShareRequest>* requests_ = nullptr;
  const std::vector<LevelCosts>* costs_ = nullptr;
  std::vector<std::uint64_t>* rates_ = nullptr;
  ByLevel<Level> level_{};
  std::vector<std::uint32_t> order_;
};

}  // namespace fenceline
