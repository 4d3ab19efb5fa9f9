// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/shaders/pipeline_desc.hpp"
#include "api/d3d12/shaders/pipeline_shaders.hpp"

#include <optional>

namespace fenceline::d3d12 {

/// The elements of an input layout, each by itself and among each other, and that every input of the vertex shader has
/// one. What the layout has beside that, and components of another type, do no harm.
std::optional<PipelineProblem> check_input_layout(const PipelineDesc& desc, const PipelineShaders& shaders);

/// Whether vertices come from an input layout: the root signature has to allow it.
bool takes_vertices(const PipelineDesc& desc, const PipelineShaders& shaders);

/// An element whose components are of another type than the vertex shader's: a warning, as D3D12's.
std::optional<PipelineProblem> input_type_warning(const PipelineDesc& desc, const PipelineShaders& shaders);

/// The entries of stream output, and that the last shader before it puts them out.
std::optional<PipelineProblem> check_stream_output(const PipelineDesc& desc, const PipelineShaders& shaders);

}  // namespace fenceline::d3d12
