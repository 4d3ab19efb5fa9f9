// SPDX-License-Identifier: Apache-2.0
#include "api/pgo/specialised.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>

namespace fenceline {
namespace {

std::uint64_t scaled(std::uint64_t value, double by) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * by));
}

void scale_shader(ShaderCost& shader, const CostScale& scale) {
  shader.alu_instructions *= scale.instructions;
  shader.sfu_instructions *= scale.instructions;
  shader.texture_bytes_per_sample *= scale.bytes;
}

}  // namespace

double code_instructions(const ShaderCost& shader) {
  if (shader.code_instructions > 0) return shader.code_instructions;
  // What executes more has a loop; compilations were measured up to 3,000 statements.
  constexpr double most_without_loops = 4096;
  return std::min(shader.alu_instructions + shader.sfu_instructions + shader.texture_samples + shader.shared_accesses,
                  most_without_loops);
}

ComputePipeline specialised(const ComputePipeline& pipeline, const CostScale& scale) {
  ComputePipeline result = pipeline;
  result.work.cycles = scaled(pipeline.work.cycles, scale.instructions);
  result.work.vram_bytes = scaled(pipeline.work.vram_bytes, scale.bytes);
  scale_shader(result.work.shader, scale);
  return result;
}

GraphicsPipeline specialised(const GraphicsPipeline& pipeline, const CostScale& scale) {
  GraphicsPipeline result = pipeline;
  scale_shader(result.vertex_shader, scale);
  scale_shader(result.pixel_shader, scale);
  return result;
}

double shader_instructions(const ComputePipeline& pipeline, const Command& dispatch) {
  const double threads = static_cast<double>(std::get<Dispatch>(dispatch).groups) * pipeline.group.threads;
  return threads * (pipeline.work.shader.alu_instructions + pipeline.work.shader.sfu_instructions);
}

double shader_instructions(const GraphicsPipeline& pipeline, const Command& command) {
  const auto* indexed = std::get_if<DrawIndexed>(&command);
  const Draw& draw = indexed != nullptr ? indexed->draw : std::get<Draw>(command);
  const std::uint64_t vertices = indexed != nullptr ? indexed->unique_vertices : draw.vertices;
  const auto of = [](const ShaderCost& shader) { return shader.alu_instructions + shader.sfu_instructions; };
  return static_cast<double>(vertices) * static_cast<double>(draw.instances) * of(pipeline.vertex_shader) +
         static_cast<double>(draw.pixels) * of(pipeline.pixel_shader);
}

double code_instructions(const ComputePipeline& pipeline) { return code_instructions(pipeline.work.shader); }

double code_instructions(const GraphicsPipeline& pipeline) {
  return code_instructions(pipeline.vertex_shader) + code_instructions(pipeline.pixel_shader);
}

}  // namespace fenceline
