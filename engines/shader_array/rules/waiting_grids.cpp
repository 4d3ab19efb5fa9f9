// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/rules/waiting_grids.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {
namespace {

bool goes_first(const Grid& grid, const ShaderArrayConfig& config) {
  return grid.graphics || (config.graphics_queue_first && grid.of_graphics_queue);
}

}  // namespace

bool makes_way(const Grid& waiting, const Grid& comes, const ShaderArrayConfig& config) {
  if (waiting.priority != comes.priority) return waiting.priority < comes.priority;
  if (waiting.process == comes.process && waiting.in_process_priority != comes.in_process_priority) {
    return waiting.in_process_priority < comes.in_process_priority;
  }
  return goes_first(comes, config) && !goes_first(waiting, config);
}

void WaitingGrids::rerank(std::uint64_t packet, int priority, int in_process_priority) {
  for (const auto* grids : {&pending_, &arrived_}) {
    for (const std::uint32_t slot : *grids) {
      Grid& grid = grids_[slot].grid;
      if (grid.order != packet) continue;
      grid.priority = priority;
      grid.in_process_priority = in_process_priority;
      reranked_ = true;
    }
  }
}

void WaitingGrids::admit() {
  if (std::exchange(reranked_, false)) wait_anew();
  // Grids of one moment come in no particular order; the packets' ids have one.
  const auto earlier = [this](std::uint32_t a, std::uint32_t b) { return grids_[a].grid.order < grids_[b].grid.order; };
  if (!std::is_sorted(arrived_.begin(), arrived_.end(), earlier)) {
    std::stable_sort(arrived_.begin(), arrived_.end(), earlier);
  }
  for (const std::uint32_t slot : arrived_) {
    grids_[slot].arrival = ++arrivals_;
    wait_for_place(slot);
  }
}

/// Behind those of its rank that have come before.
void WaitingGrids::wait_for_place(std::uint32_t slot) {
  const Grid& grid = grids_[slot].grid;
  const auto later = std::find_if(pending_.begin(), pending_.end(),
                                  [&](std::uint32_t other) { return makes_way(grids_[other].grid, grid, config_); });
  pending_.insert(later, slot);
}

void WaitingGrids::wait_anew() {
  std::vector<std::uint32_t> waiting = std::exchange(pending_, {});
  std::sort(waiting.begin(), waiting.end(),
            [this](std::uint32_t a, std::uint32_t b) { return grids_[a].arrival < grids_[b].arrival; });
  for (const std::uint32_t slot : waiting) wait_for_place(slot);
}

void WaitingGrids::take_waiting(std::vector<Grid>& waiting) {
  for (const std::uint32_t slot : arrived_) {
    const GridState& state = grids_[slot];
    const bool waits = state.unplaced > 0 || !state.left.saved.empty();
    if (waits && !state.halting && !state.grid.graphics) waiting.push_back(state.grid);
  }
  arrived_.clear();
}

bool WaitingGrids::rasteriser_is_busy(const GridState& state, std::size_t before) const {
  return std::any_of(
      pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(before), [&](std::uint32_t other) {
        const GridState& earlier = grids_[other];
        return earlier.grid.flow.groups > 0 && earlier.grid.owner == state.grid.owner && earlier.remaining() > 0;
      });
}

}  // namespace fenceline
