// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/pipeline_creation.hpp"

#include "api/d3d12/host/host.hpp"
#include "api/pgo/specialised.hpp"
#include "shadercache/implicit/creation_cost.hpp"
#include "sim/duration.hpp"

#include <cerrno>

namespace fenceline::d3d12 {
namespace {

std::string key_of(const DxbcHash& hash) { return {reinterpret_cast<const char*>(hash.data()), sizeof hash}; }

}  // namespace

PipelineCreations& creations_of(DeviceCore& device) {
  return device.machine().pipeline_creations("", program_invocation_short_name);
}

CreatedPipeline created_pipeline(const DxbcHash& pipeline, double instructions, const PipelineShaders& shaders) {
  CreatedPipeline created{key_of(pipeline), instructions, {}};
  for (const auto& shader : shaders.all) {
    if (!shader || shader->is_dxil) continue;
    created.dxbc.push_back({key_of(shader->hash), shader->stat ? instructions_of(shader->stat->cost) : 0});
  }
  return created;
}

void spend_creation(DeviceCore& device, const CreatedPipeline& pipeline, const std::string& name) {
  BegunCreation creation;
  {
    const Host::Lock lock = device.enter(0);
    creation = creations_of(device).begin(pipeline, name, Host::clock_ps());
  }
  Host::instance().compute(creation.takes.cpu_ps);
  const Host::Lock lock = device.enter(0);
  creations_of(device).end(creation, Host::clock_ps());
}

void spend_look_up(const DeviceCore& device, const CreatedPipeline& pipeline) {
  Host::spend(ps_of_us(look_up_us(device.machine().config().shader_cache, pipeline.instructions)));
}

}  // namespace fenceline::d3d12
