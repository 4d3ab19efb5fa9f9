// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/shaders/pipeline_desc.hpp"
#include "api/d3d12/shaders/shader_bytecode.hpp"

#include <array>
#include <optional>
#include <variant>

namespace fenceline::d3d12 {

/// The shaders of a pipeline state, read.
struct PipelineShaders {
  std::array<std::optional<ShaderBytecode>, pipeline_stages> all;  ///< by stage

  /// Null for a stage that is not there.
  const ShaderBytecode* operator[](PipelineStage stage) const {
    const auto& shader = all[static_cast<std::size_t>(stage)];
    return shader ? &*shader : nullptr;
  }
  /// The last stage before the rasterizer; null in compute.
  const ShaderBytecode* before_rasterizer() const;
  /// The root signature that a shader brings along, the first stage's first; null where none does.
  const RootLayout* root_signature() const;
};

/// Reads the code of the stages that the description's kind has, and that are there. A container that cannot be read, a
/// shader of another stage, and a shader model above the device's are problems, with the stage's message ids.
std::variant<PipelineShaders, PipelineProblem> read_pipeline_shaders(const PipelineDesc& desc);

/// Which stages are there together: what each kind needs, hull with domain, DXBC not with DXIL.
std::optional<PipelineProblem> check_stages(const PipelineDesc& desc, const PipelineShaders& shaders);

}  // namespace fenceline::d3d12
