// SPDX-License-Identifier: Apache-2.0
// Device, background processing: ID3D12Device6.
#include "api/d3d12/device/device.hpp"
#include "api/d3d12/host/event_handle.hpp"

#include <fmt/format.h>

#include <functional>

namespace fenceline::d3d12 {
namespace {

/// The values are D3D12's.
ModeRequest request_of(D3D12_BACKGROUND_PROCESSING_MODE mode, D3D12_MEASUREMENTS_ACTION action, HANDLE event) {
  return {static_cast<ProcessingMode>(mode), static_cast<MeasurementsAction>(action), event != nullptr};
}

/// Sets the event, unless it has been closed since.
std::function<void()> setter_of(HANDLE event) {
  return [event, generation = event_generation(event)] {
    if (event_generation(event) == generation) set_event(event);
    Host::instance().notify();
  };
}

}  // namespace

HRESULT Device::SetBackgroundProcessingMode(D3D12_BACKGROUND_PROCESSING_MODE mode, D3D12_MEASUREMENTS_ACTION action,
                                            HANDLE event, BOOL* further) {
  const auto refuse = [&](const std::string& text) {
    message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_SET_BACKGROUND_PROCESSING_MODE_INVALID_ARGUMENT,
            "ID3D12Device6::SetBackgroundProcessingMode: " + text);
    return E_INVALIDARG;
  };
  const Host::Lock lock = enter(costs().call_ps);
  if (removed()) return DXGI_ERROR_DEVICE_REMOVED;
  if (mode < D3D12_BACKGROUND_PROCESSING_MODE_ALLOWED ||
      mode > D3D12_BACKGROUND_PROCESSING_MODE_DISABLE_PROFILING_BY_SYSTEM) {
    return refuse(fmt::format("expected a mode of 0 to 3, found {}", static_cast<int>(mode)));
  }
  if (action < D3D12_MEASUREMENTS_ACTION_KEEP_ALL || action > D3D12_MEASUREMENTS_ACTION_DISCARD_PREVIOUS) {
    return refuse(fmt::format("expected an action of 0 to 3, found {}", static_cast<int>(action)));
  }
  if (event != nullptr && !is_event(event)) return refuse("expected an event, found another handle");
  const ModeAnswer answer = machine().set_background_processing_mode(
      "", request_of(mode, action, event), event != nullptr ? setter_of(event) : std::function<void()>());
  if (!answer.refusal.empty()) return refuse(answer.refusal);
  if (further != nullptr) *further = answer.further_desired ? TRUE : FALSE;
  Host::instance().notify();
  return S_OK;
}

}  // namespace fenceline::d3d12
