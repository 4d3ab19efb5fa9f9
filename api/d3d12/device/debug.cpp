// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/device/debug.hpp"

#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/core/device_child.hpp"
#include "api/d3d12/core/device_core.hpp"
#include "api/d3d12/debug/removal_settings.hpp"

namespace fenceline::d3d12 {

void Debug::EnableDebugLayer() { DeviceCore::enable_debug_layer(true); }
void Debug::DisableDebugLayer() { DeviceCore::enable_debug_layer(false); }

void Debug::SetEnableGPUBasedValidation(BOOL enable) {
  if (enable != FALSE) not_modelled("ID3D12Debug1::SetEnableGPUBasedValidation");
}

void Debug::SetGPUBasedValidationFlags(D3D12_GPU_BASED_VALIDATION_FLAGS flags) {
  if (flags != D3D12_GPU_BASED_VALIDATION_FLAGS_NONE) not_modelled("ID3D12Debug2::SetGPUBasedValidationFlags");
}

void Debug::SetForceLegacyBarrierValidation(BOOL enable) {
  if (enable != FALSE) not_modelled("ID3D12Debug6::SetForceLegacyBarrierValidation");
}

}  // namespace fenceline::d3d12

HRESULT WINAPI D3D12GetDebugInterface(REFIID iid, void** debug) {
  using namespace fenceline::d3d12;
  if (debug != nullptr && RemovalSettings::answers(iid)) return give_out(new RemovalSettings, iid, debug);
  return give_out(new Debug, iid, debug);
}
