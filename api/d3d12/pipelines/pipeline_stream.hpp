// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/shaders/pipeline_desc.hpp"

#include <variant>

namespace fenceline::d3d12 {

/// Reads the subobjects of a stream, each a type and its value: the value is aligned as C aligns it behind the type,
/// the next type to the size of a pointer. The padding behind the last value may be left out. Reads nothing beyond the
/// stated size. What the stream leaves out has PipelineDesc's values.
///
/// Which kind it is: compute with a compute shader, mesh with a mesh shader, else graphics with a vertex shader. As
/// D3D12's, a compute stream may have other graphics state, which it does not heed, but no vertex or mesh shader.
std::variant<PipelineDesc, PipelineProblem> parse_pipeline_stream(const D3D12_PIPELINE_STATE_STREAM_DESC& stream);

}  // namespace fenceline::d3d12
