// SPDX-License-Identifier: Apache-2.0
// The functions that d3d12.dll exports. Others stand beside what they create.
#include "api/d3d12/adapter.hpp"
#include "api/d3d12/device.hpp"
#include "api/d3d12/device_child.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace d3d12 = fenceline::d3d12;

HRESULT WINAPI D3D12CreateDevice(IUnknown*, D3D_FEATURE_LEVEL minimum, REFIID iid, void** device) {
  if (device != nullptr) *device = nullptr;
  switch (minimum) {
    case D3D_FEATURE_LEVEL_11_0:
    case D3D_FEATURE_LEVEL_11_1:
    case D3D_FEATURE_LEVEL_12_0:
    case D3D_FEATURE_LEVEL_12_1: break;
    default: return E_INVALIDARG;
  }
  try {
    return d3d12::give_out(d3d12::device_of(d3d12::default_adapter()), iid, device);
  } catch (const fenceline::ConfigError& error) {
    fmt::print(stderr, "fenceline: FENCELINE_MACHINE: {}\n", error.what());
    return DXGI_ERROR_NOT_FOUND;
  }
}

HRESULT WINAPI D3D12EnableExperimentalFeatures(UINT, const IID*, void*, UINT*) { return E_NOINTERFACE; }

HRESULT WINAPI D3D12GetInterface(REFCLSID, REFIID, void** object) {
  if (object != nullptr) *object = nullptr;
  return E_NOINTERFACE;
}
