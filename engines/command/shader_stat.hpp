// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dxbc_container.hpp"
#include "engines/command/pipeline.hpp"

#include <cstdint>
#include <optional>
#include <variant>

namespace fenceline {

/// What the statistics of compiled code say about a shader's cost.
struct ShaderStat {
  ShaderCost cost;
  std::uint32_t registers = 0;  ///< 32-bit, of a thread
};

/// Reads the STAT part: the counts of D3D11_SHADER_DESC as 32-bit numbers in the compiler's own order, 29 of them for
/// shader model 4, 37 for 5 (as in Wine's d3dcompiler, which reads the same ones).
///
/// alu_instructions: float, int, uint, mov, movc, conversion, array (indexable temporaries) and flow control, static
/// and dynamic, and with 37 numbers barriers and interlocked operations; texture_samples: normal, load, comparison,
/// bias and gradient instructions (loads from buffers are among them), and with 37 numbers texture stores; registers:
/// temporaries times 4, as each has four components; code_instructions: the number of all instructions.
///
/// The counts are static: an instruction in a loop counts once, both sides of a branch count, an instruction on four
/// components counts once, and transcendental ones are among the float ones. Who knows better says so explicitly.
///
/// Code that Fenceline itself made (fenceline::d3d12::shader, `fenceline shader`) has a part FNCL beside STAT, also in
/// DXIL: version 1, then the counts of ALU instructions, transcendental ones, texture samples, accesses to group-shared
/// memory and 32-bit registers; version 2 then has the instructions of the program. It knows better and goes before
/// STAT.
///
/// Nothing when the container has no counts: they were stripped, or it holds DXIL, whose STAT part is a copy of
/// the module for reflection. Then the defaults of the pipeline state apply.
std::variant<std::optional<ShaderStat>, DxbcError> shader_stat(const DxbcContainer& container);

}  // namespace fenceline
