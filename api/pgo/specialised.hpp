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

/// Of a thread, all kinds together: what a compiler has to read.
double instructions_of(const ShaderCost& shader);
double instructions_of(const ComputePipeline& pipeline);
double instructions_of(const GraphicsPipeline& pipeline);

/// ALU and SFU instructions of all threads of a command: what specialising scales.
double shader_instructions(const ComputePipeline& pipeline, const Command& dispatch);
double shader_instructions(const GraphicsPipeline& pipeline, const Command& draw);

}  // namespace fenceline
