// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/create_device.hpp"

#include "api/d3d12/bytes/video_memory.hpp"
#include "api/d3d12/core/device_child.hpp"
#include "api/d3d12/core/device_registry.hpp"
#include "api/d3d12/device/adapter.hpp"
#include "api/d3d12/device/device.hpp"
#include "api/d3d12/dxgi.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"

#include <atomic>
#include <memory>

namespace fenceline::d3d12 {
namespace {

/// The one that the program chose, the first without a choice; null for what is no adapter of ours.
const Adapter* chosen(IUnknown* adapter) {
  if (adapter == nullptr) return &adapters().front();
  IDXGIAdapter* dxgi = nullptr;
  if (SUCCEEDED(adapter->QueryInterface(__uuidof(IDXGIAdapter), reinterpret_cast<void**>(&dxgi)))) {
    DXGI_ADAPTER_DESC desc{};
    const HRESULT result = dxgi->GetDesc(&desc);
    dxgi->Release();
    return SUCCEEDED(result) ? find_adapter(desc.AdapterLuid) : nullptr;
  }
  IDXCoreAdapter* known = nullptr;
  if (FAILED(adapter->QueryInterface(__uuidof(IDXCoreAdapter), reinterpret_cast<void**>(&known)))) return nullptr;
  LUID luid{};
  const HRESULT result = known->GetProperty(DXCoreAdapterProperty::InstanceLuid, &luid);
  known->Release();
  return SUCCEEDED(result) ? find_adapter(luid) : nullptr;
}

}  // namespace

HRESULT create_device(const MachineConfig& machine, REFIID iid, void** device) {
  static std::atomic<DWORD> made{0};
  if (device != nullptr) *device = nullptr;
  return give_out(new Device(machine, {++made, 1}, std::make_shared<VideoMemory>(machine.video_memory)), iid, device);
}

}  // namespace fenceline::d3d12

HRESULT WINAPI D3D12CreateDevice(IUnknown* adapter, D3D_FEATURE_LEVEL minimum, REFIID iid, void** device) {
  namespace d3d12 = fenceline::d3d12;
  if (device != nullptr) *device = nullptr;
  switch (minimum) {
    case D3D_FEATURE_LEVEL_1_0_CORE:
    case D3D_FEATURE_LEVEL_11_0:
    case D3D_FEATURE_LEVEL_11_1:
    case D3D_FEATURE_LEVEL_12_0:
    case D3D_FEATURE_LEVEL_12_1: break;
    case D3D_FEATURE_LEVEL_12_2: return DXGI_ERROR_UNSUPPORTED;  // known, but no adapter has it
    default: return E_INVALIDARG;
  }
  const d3d12::Adapter* of = nullptr;
  try {
    of = d3d12::chosen(adapter);
  } catch (const fenceline::ConfigError& error) {
    fenceline::console::tell("fenceline: FENCELINE_MACHINE: {}\n", error.what());
    return DXGI_ERROR_NOT_FOUND;
  }
  if (of == nullptr) return E_INVALIDARG;
  const auto make = [&] { return new d3d12::Device(of->machine, of->luid, of->video_memory); };
  try {
    return d3d12::give_out(d3d12::device_of(of->luid, make), iid, device);
  } catch (const fenceline::ConfigError& error) {  // of the environment: the machine is read
    fenceline::console::tell("fenceline: {}\n", error.what());
    return E_INVALIDARG;
  }
}
