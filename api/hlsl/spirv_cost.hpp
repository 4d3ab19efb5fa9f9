// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/hlsl/spirv_module.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

/// Instructions of one thread, by what executes them.
struct SpirvCost {
  std::uint64_t alu = 0;     ///< FP32, INT32, moves to outputs, control flow, barriers, atomics
  std::uint64_t sfu = 0;     ///< transcendentals
  std::uint64_t memory = 0;  ///< texture instructions, and loads and stores of buffers and UAVs
  std::uint64_t shared = 0;  ///< 4-byte accesses to group-shared memory
};

/// Counts what a module's functions do, without running it: a loop's body once, both sides of a branch. As GPUs execute
/// one component at a time, an instruction on four components is four; a product that only goes into one sum is one
/// with it; what moves no data between registers (swizzles, casts, negation) is none. Function calls are expected to
/// have been inlined; those left count once, with their body.
SpirvCost spirv_cost(const SpirvModule& module);

}  // namespace fenceline::d3d12
