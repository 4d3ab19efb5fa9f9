// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/shaders/pipeline_desc.hpp"
#include "api/d3d12/shaders/pipeline_shaders.hpp"

#include <optional>

namespace fenceline::d3d12 {

// How D3D12 holds each stage's inputs against what comes before it. Source: the messages of d3d12sdklayers.h, and what
// vkd3d-proton's test_shader_io_mismatch and test_gs_topology_mismatch found Windows to accept and to refuse. A shader
// without the signature part that a rule needs is not held against it.

/// Between stages: an input has an output of its semantic, in the same register, type and precision, and no component
/// that is not put out. Hull and domain shader say the same; what a mesh shader puts out need not be in the same
/// registers, but has as many components. Only stream 0 of a geometry shader goes on, and nothing that is not
/// rasterized.
std::optional<PipelineProblem> check_linkage(const PipelineDesc& desc, const PipelineShaders& shaders);

/// The primitives that come to hull and geometry shaders, and the numbers on which hull and domain shader agree.
std::optional<PipelineProblem> check_topology(const PipelineDesc& desc, const PipelineShaders& shaders);

/// What the documentation forbids and drivers take: a geometry shader without SV_Position before the rasterizer, a hull
/// shader for primitives that are no patches.
std::optional<PipelineProblem> linkage_warning(const PipelineDesc& desc, const PipelineShaders& shaders);

/// The semantic's name, without regard to case.
bool same_semantic(const std::string& one, const std::string& other);

}  // namespace fenceline::d3d12
