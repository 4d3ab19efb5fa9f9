// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/lists/draw_counts.hpp"

#include <cstring>
#include <type_traits>

namespace fenceline::d3d12 {
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

template <class Statistics>
Statistics statistics_of(const DrawCounts& counts) {
  Statistics statistics{};
  statistics.IAVertices = counts.vertices;
  statistics.IAPrimitives = counts.assembled;
  statistics.VSInvocations = counts.vertex_invocations;
  statistics.CInvocations = counts.primitives;
  statistics.CPrimitives = counts.primitives;
  statistics.PSInvocations = counts.pixel_invocations;
  statistics.CSInvocations = counts.compute_invocations;
  if constexpr (std::is_same_v<Statistics, D3D12_QUERY_DATA_PIPELINE_STATISTICS1>) {
    statistics.ASInvocations = counts.amplification_invocations;
    statistics.MSInvocations = counts.mesh_invocations;
    statistics.MSPrimitives = counts.mesh_primitives;
  }
  return statistics;
}

template <class T>
void put(const T& value, std::byte* to) {
  std::memcpy(to, &value, sizeof value);
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

void write_counts(D3D12_QUERY_TYPE type, const DrawCounts& counts, std::byte* to) {
  switch (type) {
    case D3D12_QUERY_TYPE_OCCLUSION:
    case D3D12_QUERY_TYPE_BINARY_OCCLUSION: return put(counts.samples, to);
    case D3D12_QUERY_TYPE_PIPELINE_STATISTICS:
      return put(statistics_of<D3D12_QUERY_DATA_PIPELINE_STATISTICS>(counts), to);
    case D3D12_QUERY_TYPE_PIPELINE_STATISTICS1:
      return put(statistics_of<D3D12_QUERY_DATA_PIPELINE_STATISTICS1>(counts), to);
    default: return put(D3D12_QUERY_DATA_SO_STATISTICS{}, to);
  }
}

}  // namespace fenceline::d3d12
