// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/pipeline.hpp"
#include "engines/shader_array/rules/shader_array_config.hpp"

#include <array>
#include <cstdint>

namespace fenceline {

/// Units of an SM that its resident groups share.
enum class SmUnit : std::uint8_t { alu, sfu, texture, shared_memory };
constexpr std::size_t sm_units = 4;

/// What the instructions of one group cost on an SM that it has for itself, and how much of the SM they keep busy.
struct GroupCost {
  std::uint64_t cycles = 0;  ///< SM cycles when no other group slows it: dependent instructions wait for latencies
  std::array<double, sm_units> usage{};  ///< of each unit meanwhile; above 1: the unit decides, not latency
};

/// Nothing (0 cycles) for a shader without instructions.
/// Source of the form: an arithmetic group alone needs its instructions times their latency, n resident groups share
/// the lanes (bench/hardware/README.md, "What the data already say").
GroupCost group_cost(const GroupFootprint& group, const ShaderCost& shader, const ShaderArrayConfig& sm);

/// SM cycles for which a group keeps its busiest unit busy.
double busy_cycles(const GroupCost& cost);
/// SM cycles that a group takes on an SM of its own: its latencies, or its busiest unit.
std::uint64_t cycles_alone(const GroupCost& cost);

/// SM cycles from the start of one group until the SM can start the next.
std::uint64_t launch_cycles(const GroupFootprint& group, const ShaderArrayConfig& sm);

}  // namespace fenceline
