// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxcore/dxcore_factory.hpp"

#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/dxcore/dxcore_adapter_list.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace fenceline::d3d12 {
namespace {

/// DXCore knows no adapter that cannot be read, and says so on stderr.
std::vector<DxcoreAdapter*> readable_adapters() {
  try {
    return DxcoreAdapter::all();
  } catch (const ConfigError& error) {
    console::tell("fenceline: FENCELINE_MACHINE: {}\n", error.what());
    return {};
  }
}

}  // namespace

DxcoreFactory& DxcoreFactory::instance() {
  static DxcoreFactory* const factory = [] {
    auto* made = new DxcoreFactory;
    made->hold();  // for ever
    made->Release();
    return made;
  }();
  return *factory;
}

HRESULT DxcoreFactory::CreateAdapterList(std::uint32_t count, const GUID* attributes, REFIID iid, void** list) {
  if (list == nullptr) return E_POINTER;
  *list = nullptr;
  if (count == 0 || attributes == nullptr) return E_INVALIDARG;
  std::vector<DxcoreAdapter*> found;
  for (DxcoreAdapter* adapter : readable_adapters()) {
    const auto has = [&](const GUID& attribute) { return adapter->IsAttributeSupported(attribute); };
    if (std::all_of(attributes, attributes + count, has)) found.push_back(adapter);
  }
  auto* const made = new DxcoreAdapterList(std::move(found));
  const HRESULT result = made->QueryInterface(iid, list);
  made->Release();
  return result;
}

HRESULT DxcoreFactory::GetAdapterByLuid(const LUID& luid, REFIID iid, void** adapter) {
  if (adapter == nullptr) return E_POINTER;
  *adapter = nullptr;
  for (DxcoreAdapter* one : readable_adapters()) {
    const LUID& other = one->adapter().luid;
    if (same_luid(other, luid)) return one->QueryInterface(iid, adapter);
  }
  return E_INVALIDARG;
}

HRESULT DxcoreFactory::RegisterEventNotification(IUnknown*, DXCoreNotificationType, PFN_DXCORE_NOTIFICATION_CALLBACK,
                                                 void*, std::uint32_t* cookie) {
  if (cookie != nullptr) *cookie = 0;
  return not_modelled("IDXCoreAdapterFactory::RegisterEventNotification");
}

HRESULT DxcoreFactory::UnregisterEventNotification(std::uint32_t) { return E_INVALIDARG; }

}  // namespace fenceline::d3d12

HRESULT STDMETHODCALLTYPE DXCoreCreateAdapterFactory(REFIID iid, void** factory) {
  return fenceline::d3d12::DxcoreFactory::instance().QueryInterface(iid, factory);
}
