// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/core/device_core.hpp"
#include "api/d3d12/dxbc/dxbc_hash.hpp"
#include "api/d3d12/shaders/pipeline_shaders.hpp"
#include "shadercache/implicit/pipeline_creations.hpp"

#include <string>

namespace fenceline::d3d12 {

/// What implicit caches are asked for when a pipeline state of these shaders is created.
CreatedPipeline created_pipeline(const DxbcHash& pipeline, double instructions, const PipelineShaders& shaders);

/// The device's pipeline states as its process creates them. With the host's lock.
PipelineCreations& creations_of(DeviceCore& device);

/// The calling thread creates it: CPU time passes, as the caches leave it to do, and then they have it. E_FAIL and a
/// message where that would take the thread beyond the end of simulated time (max_time_ps): then none passes.
HRESULT spend_creation(DeviceCore& device, const CreatedPipeline& pipeline, const std::string& name);
/// The same where a cached blob or a pipeline library brings along what the driver has compiled.
HRESULT spend_look_up(DeviceCore& device, const CreatedPipeline& pipeline);

}  // namespace fenceline::d3d12
