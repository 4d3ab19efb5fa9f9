// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/shaders/pipeline_desc.hpp"
#include "api/d3d12/shaders/pipeline_shaders.hpp"

#include <cstdint>
#include <optional>

namespace fenceline::d3d12 {

// The fixed-function state. What a pipeline state does not use (the factors of a target that does not blend) may have
// any value. Sources: D3D12_GRAPHICS_PIPELINE_STATE_DESC and its parts, the messages of d3d12sdklayers.h, and what
// vkd3d-proton's pipeline state tests found Windows to accept and to refuse: it takes any depth format.

std::optional<PipelineProblem> check_rasterizer(const PipelineDesc& desc);
std::optional<PipelineProblem> check_depth_stencil(const PipelineDesc& desc);
/// Counts and formats of the targets, and their samples.
std::optional<PipelineProblem> check_targets(const PipelineDesc& desc);
/// Blending and logic operations against the targets that the pixel shader writes.
std::optional<PipelineProblem> check_blend(const PipelineDesc& desc, const PipelineShaders& shaders);
/// Topology type, strip cut value, node mask, flags, view instances: values that D3D12, or this device, does not have.
std::optional<PipelineProblem> check_numbers(const PipelineDesc& desc, std::uint32_t nodes);

/// A pixel shader's output of another type than its target, or a depth format that is none: warnings, as D3D12's.
std::optional<PipelineProblem> output_warning(const PipelineDesc& desc, const PipelineShaders& shaders);

}  // namespace fenceline::d3d12
