// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

// Rows of bench/hardware/h200/graphics.json (Vulkan): host time from submit to fence, less that of an empty list.

struct MeasuredFill {
  std::uint64_t triangle_pixels = 1;
  std::uint64_t loops = 0;
  double us = 0;
};
void describe(Fields& f, MeasuredFill& c);

struct MeasuredTriangles {
  std::uint64_t triangles = 1;
  double edge_px = 0;
  double us = 0;
};
void describe(Fields& f, MeasuredTriangles& c);

struct MeasuredDrawCalls {
  std::uint64_t draws = 1;
  std::optional<double> us;
  std::optional<double> us_with_state_change;
};
void describe(Fields& f, MeasuredDrawCalls& c);

struct MeasuredDispatches {
  std::uint64_t dispatches = 1;
  std::uint64_t groups = 1;
  std::optional<double> us;
  std::optional<double> us_with_barrier;
  std::optional<double> us_with_barrier_on_3d_queue;
};
void describe(Fields& f, MeasuredDispatches& c);

struct MeasuredComputeLoops {
  std::uint64_t groups_of_256 = 1;
  std::uint64_t loops = 0;
  std::optional<double> us;
  std::vector<std::vector<double>> quantiles_us;  ///< of several runs, those that the file's `quantiles` names
  std::optional<std::string> replaced_by;         ///< measured again: file with the rows that hold instead
};
void describe(Fields& f, MeasuredComputeLoops& c);

struct MeasuredFenceChain {
  std::vector<std::uint32_t> queues;  ///< two of 0 (3D), 1 (compute), 2 (copy)
  double us = 0;
};
void describe(Fields& f, MeasuredFenceChain& c);

struct MeasuredOverlap {
  std::uint64_t groups = 1;
  std::uint64_t loops = 0;
  std::optional<double> draw_alone_us;
  std::optional<double> dispatch_alone_us;
  std::optional<double> draw_together_us;
  std::optional<double> dispatch_together_us;
  /// Of several runs, those that the file's `quantiles` names.
  std::vector<std::vector<double>> draw_together_quantiles_us;
  std::vector<std::vector<double>> dispatch_together_quantiles_us;
};
void describe(Fields& f, MeasuredOverlap& c);

struct MeasuredGraphics {
  std::vector<double> empty_submit_us;  ///< 3D, compute, copy
  std::vector<MeasuredFill> pixel_fill_us;
  std::vector<MeasuredTriangles> triangles_us;
  std::vector<MeasuredDrawCalls> draw_calls_us;
  std::vector<MeasuredDispatches> dispatches_us;
  std::vector<MeasuredComputeLoops> compute_loops_us;
  std::vector<MeasuredFenceChain> fence_chain_us_per_hop;
  std::vector<MeasuredOverlap> async_overlap;

  bool empty() const;
};
/// Adds the keys to those of a measured file.
void describe_keys(Fields& f, MeasuredGraphics& c);
/// Rows with quantiles of several runs give one value for each of the file's `quantiles`.
void check_spreads(Fields& f, const MeasuredGraphics& c, const std::vector<double>& quantiles);

}  // namespace fenceline
