// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/pipelines/draw_estimate.hpp"
#include "api/d3d12/shaders/pipeline_desc.hpp"
#include "api/d3d12/shaders/pipeline_shaders.hpp"
#include "engines/command/pipeline.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

// What the simulator knows of a pipeline state: not its code but its cost, from what the shaders' containers say.
// Assumptions: code whose container has no counts is a usual shader; every vertex passes each stage before the
// rasterizer once; an amplification group launches one mesh group, which puts out as many primitives as it may.

GraphicsPipeline graphics_cost(const PipelineDesc& desc, const PipelineShaders& shaders);
/// The groups of a mesh shader; all 0 without one.
MeshGroup mesh_group(const PipelineShaders& shaders);
/// A group fits into the registers of an SM: the compiler would have spilled.
ComputePipeline compute_cost(const PipelineShaders& shaders, std::uint32_t registers_per_sm);

}  // namespace fenceline::d3d12
