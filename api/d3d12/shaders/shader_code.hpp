// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/shaders/shader_desc.hpp"

#include <string>

namespace fenceline::d3d12 {

// What shader_declarations.hpp reads, written. The description has been checked.

/// SHEX of shader model 5.1: declarations and `ret`. All stages but amplification and mesh.
std::string code_part(PipelineStage stage, const ShaderDesc& desc);

/// DXIL of shader model 6.5 without a module: amplification and mesh.
std::string empty_dxil_part(PipelineStage stage);

/// PSV0 of amplification and mesh.
std::string validation_part(PipelineStage stage, const ShaderDesc& desc);

}  // namespace fenceline::d3d12
