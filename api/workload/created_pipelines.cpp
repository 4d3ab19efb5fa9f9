// SPDX-License-Identifier: Apache-2.0
#include "api/workload/created_pipelines.hpp"

#include "api/pgo/specialised.hpp"

#include <fmt/format.h>

namespace fenceline {

std::vector<CreatablePipeline> created_pipelines(const Workload& workload) {
  std::vector<CreatablePipeline> all;
  for (const ComputePipelineInfo& one : workload.compute_pipelines) {
    all.push_back({one.name, {one.name, instructions_of(one), {}}});
    if (one.dxbc) all.back().takes.dxbc = {{one.name, instructions_of(one)}};
  }
  for (const GraphicsPipelineInfo& one : workload.graphics_pipelines) {
    all.push_back({one.name, {one.name, instructions_of(one), {}}});
    if (!one.dxbc) continue;
    all.back().takes.dxbc = {{one.name + "/vertex", instructions_of(one.vertex_shader)},
                             {one.name + "/pixel", instructions_of(one.pixel_shader)}};
  }
  return all;
}

CreatedPipeline numbered(const CreatablePipeline& pipeline, std::uint64_t number) {
  CreatedPipeline one = pipeline.takes;
  // Caches outlive workloads: of another cost it is other code.
  one.key += fmt::format("#{}:{}", number, one.instructions);
  for (ConvertedShader& shader : one.dxbc) shader.key += fmt::format("#{}:{}", number, shader.instructions);
  return one;
}

}  // namespace fenceline
