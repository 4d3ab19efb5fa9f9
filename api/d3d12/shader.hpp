// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/shaders/shader_desc.hpp"

#include <string>

namespace fenceline::d3d12 {

/// Makes the code of a shader that costs this much, for programs without a compiler: a signed DXBC container that
/// pipeline states take. It has signatures (ISG1, OSG1, PSG1), declarations (SHEX of shader model 5.1; mesh and
/// amplification shaders: PSV0 beside an empty DXIL), STAT, and FNCL with the exact cost
/// (engines/command/shader_stat.hpp). The same description gives the same bytes.
///
///     const std::string code = shader(PipelineStage::compute, {.alu_instructions = 1000, .group = {8, 8, 1}});
///     desc.CS = {code.data(), code.size()};
///
/// Throws std::invalid_argument, which names the field, what was expected and what was found.
std::string shader(PipelineStage stage, const ShaderDesc& desc = {});

}  // namespace fenceline::d3d12
