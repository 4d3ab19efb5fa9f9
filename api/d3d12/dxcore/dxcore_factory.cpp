// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxcore/dxcore_factory.hpp"

#include "api/d3d12/bytes/video_memory.hpp"
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/dxcore/dxcore_adapter_list.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"

#include <wrl/client.h>

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

HRESULT DxcoreFactory::RegisterEventNotification(IUnknown* object, DXCoreNotificationType type,
                                                 PFN_DXCORE_NOTIFICATION_CALLBACK callback, void* context,
                                                 std::uint32_t* cookie) {
  if (cookie == nullptr) return E_POINTER;
  *cookie = 0;
  if (callback == nullptr) return E_POINTER;
  if (!IsNotificationTypeSupported(type)) return DXGI_ERROR_INVALID_CALL;
  Microsoft::WRL::ComPtr<IDXCoreAdapter> adapter;
  if (object == nullptr || FAILED(object->QueryInterface(IID_PPV_ARGS(&adapter)))) return E_INVALIDARG;
  const Adapter& of = com_cast<DxcoreAdapter>(adapter.Get())->adapter();
  of.video_memory->listeners().add_call([=] { callback(type, object, context); }, *cookie);
  return S_OK;
}

HRESULT DxcoreFactory::UnregisterEventNotification(std::uint32_t cookie) {
  for (DxcoreAdapter* const one : readable_adapters()) {
    if (one->adapter().video_memory->listeners().remove_call(cookie)) return S_OK;
  }
  return E_INVALIDARG;
}

}  // namespace fenceline::d3d12

HRESULT STDMETHODCALLTYPE DXCoreCreateAdapterFactory(REFIID iid, void** factory) {
  return fenceline::d3d12::DxcoreFactory::instance().QueryInterface(iid, factory);
}
