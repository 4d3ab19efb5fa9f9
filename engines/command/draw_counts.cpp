// SPDX-License-Identifier: Apache-2.0
#include "engines/command/draw_counts.hpp"

#include <variant>

namespace fenceline {
namespace {

void add_draw(DrawCounts& counts, const Draw& draw, std::uint64_t shaded_vertices, const CommandStream& stream) {
  const GraphicsPipeline& pipeline = stream.graphics_pipelines[draw.pipeline];
  const ShaderCost& shader = pipeline.pixel_shader;
  // Without a pixel shader a pipeline state has none of its costs.
  const bool shades = shader.alu_instructions + shader.sfu_instructions + shader.texture_samples > 0;
  if (pipeline.mesh) {
    counts.mesh_invocations += shaded_vertices * draw.instances;
    counts.mesh_primitives += draw.triangles;
    counts.amplification_invocations += pipeline.amplification_threads * draw.instances;
  } else {
    counts.vertices += draw.vertices * draw.instances;
    counts.assembled += draw.triangles;
    counts.vertex_invocations += shaded_vertices * draw.instances;
  }
  counts.primitives += draw.triangles;
  counts.samples += draw.pixels * pipeline.samples_per_pixel;
  if (shades) counts.pixel_invocations += draw.pixels;
}

}  // namespace

DrawCounts& DrawCounts::operator+=(const DrawCounts& other) {
  vertices += other.vertices;
  primitives += other.primitives;
  vertex_invocations += other.vertex_invocations;
  samples += other.samples;
  pixel_invocations += other.pixel_invocations;
  compute_invocations += other.compute_invocations;
  assembled += other.assembled;
  mesh_invocations += other.mesh_invocations;
  mesh_primitives += other.mesh_primitives;
  amplification_invocations += other.amplification_invocations;
  return *this;
}

void count_command(DrawCounts& counts, const Command& command, const CommandStream& stream) {
  if (const auto* draw = std::get_if<Draw>(&command)) return add_draw(counts, *draw, draw->vertices, stream);
  if (const auto* indexed = std::get_if<DrawIndexed>(&command)) {
    return add_draw(counts, indexed->draw, indexed->unique_vertices, stream);
  }
  if (const auto* dispatch = std::get_if<Dispatch>(&command)) {
    counts.compute_invocations += dispatch->groups * stream.compute_pipelines[dispatch->pipeline].group.threads;
  }
}

}  // namespace fenceline
