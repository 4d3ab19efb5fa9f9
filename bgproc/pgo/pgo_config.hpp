// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace fenceline {

/// What a pipeline state's work loses when it is specialised for the root constants that are bound, part by part: each
/// round of measuring and recompiling finds the next part that is not 0. Parts of the whole, 0 to 0.9 together.
struct FoldedParts {
  double constants = 0.1;   ///< of ALU and SFU instructions and fixed cycles: they depend on root constants alone
  double branches = 0.05;   ///< of the same: branches that are never taken once constants are folded
  double resources = 0.05;  ///< of bytes from video memory and texture units: accesses that are seen to be redundant
  /// Of all parts by round.
  std::array<double, 3> by_round() const { return {constants, branches, resources}; }
};
constexpr std::size_t folding_rounds = 3;
void describe(Fields& f, FoldedParts& c);

/// How the simulated user-mode driver measures and when it acts. All numbers are assumptions: drivers do not publish
/// theirs.
struct PgoConfig {
  std::string source;
  std::uint32_t light_period = 16;         ///< of a pipeline state's executions each so-and-so-manieth is measured
  double light_cost = 0.05;                ///< instructions that a light measurement adds, as a part
  double intrusive_cost = 0.5;             ///< that an intrusive one adds: every execution is measured then
  std::uint64_t act_now_executions = 256;  ///< of a pipeline state, measured or stood for, before its histogram counts
  double frequent_part = 0.25;             ///< of them with one set of constants, from which a variant is compiled
  double steady_part = 0.75;  ///< of those with one set that took the same branches, or had the same resources bound
  double compile_us = 5000;   ///< CPU time of a recompile, and besides
  double compile_us_per_instruction = 10;  ///< for each instruction of the pipeline state's programs
  std::uint32_t tuning_period = 0;  ///< each so-and-so-manieth execution tries another cache policy or pattern; 0: none
  double tuning_cost = 0.03;        ///< instructions that such a trial adds, as a part
};
void describe(Fields& f, PgoConfig& c);

}  // namespace fenceline
