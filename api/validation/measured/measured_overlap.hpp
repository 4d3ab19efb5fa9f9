// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// Row of fill_overlap.json: draws on the 3D queue and a dispatch on the compute queue, released together.
struct MeasuredFillOverlap {
  std::uint64_t draw_loops = 0;
  std::uint64_t draws = 1;
  std::uint64_t groups = 1;
  std::uint64_t loops = 0;
  std::optional<double> draw_alone_us;
  std::optional<double> dispatch_alone_us;
  std::vector<double> draw_together_quantiles_us;
  std::vector<double> dispatch_together_quantiles_us;
};
void describe(Fields& f, MeasuredFillOverlap& c);

struct MeasuredOverlaps {
  std::vector<double> quantiles;  ///< which ones the rows give, 0..1
  std::vector<MeasuredFillOverlap> fill_overlap;
};
/// Adds the keys to those of a measured file.
void describe_keys(Fields& f, MeasuredOverlaps& c);

/// What a distribution says happens: its median, or one value for each of several outcomes. Outcomes are told apart
/// by a gap of more than a twentieth between neighbouring quantiles; one that less than a tenth of the samples show
/// (the quantiles below 0.1 and above 0.9) is none. Each is represented by the middle one of its quantiles.
std::vector<double> outcomes_of(const std::vector<double>& quantiles, const std::vector<double>& values);

}  // namespace fenceline
