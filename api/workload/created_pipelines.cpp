// SPDX-License-Identifier: Apache-2.0
#include "api/workload/created_pipelines.hpp"

#include "api/pgo/specialised.hpp"

namespace fenceline {
namespace {

/// A pipeline's shader: no name of a pipeline is as that.
CreationKey shader_key(const std::string& pipeline, const char* stage) { return creation_key(pipeline + '\0' + stage); }

}  // namespace

std::vector<CreatablePipeline> created_pipelines(const Workload& workload) {
  std::vector<CreatablePipeline> all;
  for (const ComputePipelineInfo& one : workload.compute_pipelines) {
    all.push_back({one.name, {creation_key(one.name), code_instructions(one), {}}});
    if (one.dxbc) all.back().takes.dxbc = {{shader_key(one.name, "compute"), code_instructions(one)}};
  }
  for (const GraphicsPipelineInfo& one : workload.graphics_pipelines) {
    all.push_back({one.name, {creation_key(one.name), code_instructions(one), {}}});
    if (!one.dxbc) continue;
    all.back().takes.dxbc = {{shader_key(one.name, "vertex"), code_instructions(one.vertex_shader)},
                             {shader_key(one.name, "pixel"), code_instructions(one.pixel_shader)}};
  }
  return all;
}

CreatedPipeline numbered(const CreatablePipeline& pipeline, std::uint64_t number) {
  CreatedPipeline one = pipeline.takes;
  one.key = numbered_key(one.key, number, one.instructions);
  for (ConvertedShader& shader : one.dxbc) shader.key = numbered_key(shader.key, number, shader.instructions);
  return one;
}

}  // namespace fenceline
