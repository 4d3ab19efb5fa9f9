// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/pipeline_creation.hpp"

#include "api/d3d12/host/host.hpp"
#include "api/pgo/specialised.hpp"
#include "shadercache/implicit/creation_cost.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"

#include <atomic>
#include <cerrno>

namespace fenceline::d3d12 {
namespace {

/// Once in a process: the program goes on as one whose caches are empty.
void tell_unusable(const std::string& refusal) {
  static std::atomic<bool> told{false};
  if (refusal.empty() || told.exchange(true)) return;
  console::tell("fenceline: /shader_cache/directory is not used: {}\n", one_line(refusal));
}

}  // namespace

PipelineCreations& creations_of(DeviceCore& device) {
  return device.machine().pipeline_creations("", program_invocation_short_name);
}

CreatedPipeline created_pipeline(const DxbcHash& pipeline, double instructions, const PipelineShaders& shaders) {
  CreatedPipeline created{pipeline, instructions, {}};
  for (const auto& shader : shaders.all) {
    if (!shader || shader->is_dxil) continue;
    created.dxbc.push_back({shader->hash, shader->stat ? code_instructions(shader->stat->cost) : 0});
  }
  return created;
}

void spend_creation(DeviceCore& device, const CreatedPipeline& pipeline, const std::string& name) {
  BegunCreation creation;
  std::string refusal;
  {
    const Host::Lock lock = device.enter(0);
    refusal = creations_of(device).caches().refusal();
    creation = creations_of(device).begin(pipeline, name, Host::clock_ps());
  }
  tell_unusable(refusal);
  Host::instance().compute(creation.takes.cpu_ps);
  const Host::Lock lock = device.enter(0);
  creations_of(device).end(creation, Host::clock_ps());
}

void spend_look_up(const DeviceCore& device, const CreatedPipeline& pipeline) {
  Host::spend(creation_ps(look_up_us(device.machine().config().shader_cache, pipeline.instructions)));
}

}  // namespace fenceline::d3d12
