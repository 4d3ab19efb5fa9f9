// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/shader_array/rules/grid_state.hpp"
#include "sim/slots.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Of grids that wait for places one that waits already makes way to one that comes: that one has a higher rank, or the
/// same and goes first, as those of the 3D engine do, and those of its queues where the machine says so.
bool makes_way(const Grid& waiting, const Grid& comes, const ShaderArrayConfig& config);

/// Grids that wait for places, in the order in which they get them: by `makes_way`, equals as they came. What is told
/// between two steps counts with the next one.
class WaitingGrids {
 public:
  /// `grids` has to outlive it.
  WaitingGrids(Slots<GridState>& grids, const ShaderArrayConfig& config) : grids_(grids), config_(config) {}

  void launch(std::uint32_t grid) { arrived_.push_back(grid); }  ///< it comes with the next step
  /// The packet's grids have another rank.
  void rerank(std::uint64_t packet, int priority, int in_process_priority);
  /// Something was told since the last `admit`.
  bool has_news() const { return !arrived_.empty() || reranked_; }
  /// Grids that were reranked, and behind them those that have come, get their places in the order.
  void admit();
  /// Grids that came with this step, are dispatches and still have groups without a place; the next step's come anew.
  void take_waiting(std::vector<Grid>& waiting);
  /// Pixels of a draw of the same engine are still to come, among the first `before` that wait.
  bool rasteriser_is_busy(const GridState& state, std::size_t before) const;

  std::vector<std::uint32_t>& pending() { return pending_; }              ///< with groups to place
  const std::vector<std::uint32_t>& pending() const { return pending_; }  ///< with groups to place

 private:
  void wait_for_place(std::uint32_t grid);
  void wait_anew();

  Slots<GridState>& grids_;
  const ShaderArrayConfig& config_;
  std::vector<std::uint32_t> arrived_;  // launched since the last step
  std::vector<std::uint32_t> pending_;
  bool reranked_ = false;
  std::uint64_t arrivals_ = 0;
};

}  // namespace fenceline
