// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/pipeline_creation.hpp"

#include "api/d3d12/host/host.hpp"
#include "api/pgo/specialised.hpp"
#include "shadercache/implicit/creation_cost.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"
#include "sim/time_limit.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <stdexcept>

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

namespace {

/// What the calling thread computes must not take it beyond the end of simulated time.
void check_time(std::uint64_t cpu_ps) {
  const std::uint64_t now_ps = Host::clock_ps();
  if (now_ps > max_time_ps || cpu_ps > max_time_ps - now_ps) throw_time_overflow("the calling thread");
}

template <class Spend>
HRESULT within_time(DeviceCore& device, Spend spend) {
  try {
    spend();
    return S_OK;
  } catch (const std::overflow_error& error) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_UNKNOWN,
                   fmt::format("creating the pipeline state takes too long: {}", error.what()));
    return E_FAIL;
  }
}

void spend_all(DeviceCore& device, const CreatedPipeline& pipeline, const std::string& name) {
  BegunCreation creation;
  std::string refusal;
  {
    const Host::Lock lock = device.enter(0);
    refusal = creations_of(device).caches().refusal();
    creation = creations_of(device).begin(pipeline, name, Host::clock_ps());
  }
  tell_unusable(refusal);
  check_time(creation.takes.cpu_ps);
  Host::instance().compute(creation.takes.cpu_ps);
  const Host::Lock lock = device.enter(0);
  creations_of(device).end(creation, Host::clock_ps());
}

}  // namespace

HRESULT spend_creation(DeviceCore& device, const CreatedPipeline& pipeline, const std::string& name) {
  return within_time(device, [&] { spend_all(device, pipeline, name); });
}

HRESULT spend_look_up(DeviceCore& device, const CreatedPipeline& pipeline) {
  return within_time(device, [&] {
    const std::uint64_t cpu_ps = creation_ps(look_up_us(device.machine().config().shader_cache, pipeline.instructions));
    check_time(cpu_ps);
    Host::spend(cpu_ps);
  });
}

}  // namespace fenceline::d3d12
