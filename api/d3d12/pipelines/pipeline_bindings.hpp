// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/root/root_layout.hpp"
#include "api/d3d12/root/table_reads.hpp"
#include "api/d3d12/shaders/pipeline_desc.hpp"
#include "api/d3d12/shaders/pipeline_shaders.hpp"

#include <optional>

namespace fenceline::d3d12 {

/// Whether the root signature binds all registers that the stage declares, where it can see them, in one range.
/// Registers that are not known are taken for bound, and of an unbounded range all but the first.
bool binds(const RootLayout& root, PipelineStage stage, const ShaderBinding& binding);

/// A root signature that the pipeline state's shaders can use: every register bound, vertices and stream output
/// allowed where there are.
std::optional<PipelineProblem> check_root_signature(const PipelineDesc& desc, const PipelineShaders& shaders,
                                                    const RootLayout& root);

/// What the shaders read of descriptor tables of SRVs, UAVs and CBVs: the registers that they declare, where their
/// stage sees the parameter. Of an array without an end, and of a shader that does not say what it reads, nothing is
/// known.
TableReads table_reads(const PipelineShaders& shaders, const RootLayout& root);

}  // namespace fenceline::d3d12
