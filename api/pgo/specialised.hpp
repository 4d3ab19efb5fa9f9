// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/pgo/pgo_driver.hpp"
#include "engines/command/command.hpp"
#include "engines/command/pipeline.hpp"

namespace fenceline {

// What a pipeline state costs in an execution that is measured or specialised: pure functions.

/// Instructions and cycles scaled, and bytes from video memory and textures; what a group needs of an SM stays.
ComputePipeline specialised(const ComputePipeline& pipeline, const CostScale& scale);
/// What the shaders of both stages cost, scaled. What is fetched and written stays: its bytes are no shader's.
GraphicsPipeline specialised(const GraphicsPipeline& pipeline, const CostScale& scale);

/// Instructions of the program, of all its shaders: what a compiler has to read. Who does not say them has those that a
/// thread executes, up to the longest program without loops that one meets.
double code_instructions(const ShaderCost& shader);
double code_instructions(const ComputePipeline& pipeline);
double code_instructions(const GraphicsPipeline& pipeline);

/// ALU and SFU instructions of all threads of a command: what specialising scales.
double shader_instructions(const ComputePipeline& pipeline, const Command& dispatch);
double shader_instructions(const GraphicsPipeline& pipeline, const Command& draw);

}  // namespace fenceline
