// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/html/time_columns.hpp"
#include "sim/log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// A piece of a packet's life on a timeline.
struct Bar {
  std::uint64_t start_ps;
  std::uint64_t end_ps;
  std::uint32_t colour;  ///< below BarLane::colours
  PacketRecord packet;
};

/// Bars of one kind in a row of a timeline, in bounded memory: the longest ones as they are, the others merged into
/// columns of their colour.
class BarLane {
 public:
  static constexpr std::size_t most_bars = 512;
  static constexpr std::size_t colours = 9;

  void add(const Bar& bar);
  /// Keeps only the `most` longest bars. If any bar is merged then all bars shorter than `shortest_ps` are. Leaves the
  /// bars in order of time.
  void shrink(std::size_t most, std::uint64_t shortest_ps);

  const std::vector<Bar>& bars() const { return bars_; }
  std::uint64_t merged() const { return merged_; }
  /// What is merged, by colour.
  std::array<TimeColumns, colours>& columns() { return columns_; }
  const std::array<TimeColumns, colours>& columns() const { return columns_; }

 private:
  void merge(const Bar& bar);

  std::vector<Bar> bars_;  ///< once there are most_bars of them a heap, the shortest in front
  std::uint64_t merged_ = 0;
  std::array<TimeColumns, colours> columns_;
};

}  // namespace fenceline
