// SPDX-License-Identifier: Apache-2.0
// Device, objects that are shared by handle, within this process.
#include "api/d3d12/device.hpp"
#include "api/d3d12/shared_handle.hpp"

#include <wrl/client.h>

#include <string>

namespace fenceline::d3d12 {
namespace {

using Microsoft::WRL::ComPtr;

/// The object was created to be shared.
bool may_be_shared(ID3D12DeviceChild* object) {
  ComPtr<ID3D12Fence1> fence;
  ComPtr<ID3D12Heap> heap;
  ComPtr<ID3D12Resource> resource;
  if (SUCCEEDED(object->QueryInterface(IID_PPV_ARGS(&fence)))) {
    constexpr unsigned shared = D3D12_FENCE_FLAG_SHARED | D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER;
    return (static_cast<unsigned>(fence->GetCreationFlags()) & shared) != 0;
  }
  D3D12_HEAP_FLAGS flags = D3D12_HEAP_FLAG_NONE;
  if (SUCCEEDED(object->QueryInterface(IID_PPV_ARGS(&heap)))) {
    flags = heap->GetDesc().Flags;
  } else if (SUCCEEDED(object->QueryInterface(IID_PPV_ARGS(&resource)))) {
    resource->GetHeapProperties(nullptr, &flags);
  }
  return (flags & D3D12_HEAP_FLAG_SHARED) != 0;
}

}  // namespace

HRESULT Device::CreateSharedHandle(ID3D12DeviceChild* object, const SECURITY_ATTRIBUTES*, DWORD, LPCWSTR name,
                                   HANDLE* handle) {
  Host::spend(costs_.call_ps);
  if (object == nullptr || handle == nullptr) return E_INVALIDARG;
  *handle = nullptr;
  if (!may_be_shared(object)) return E_INVALIDARG;
  *handle = share(object, name != nullptr ? name : L"");
  return *handle != nullptr ? S_OK : E_OUTOFMEMORY;
}

HRESULT Device::OpenSharedHandle(HANDLE handle, REFIID iid, void** object) {
  Host::spend(costs_.call_ps);
  if (object == nullptr) return E_INVALIDARG;
  *object = nullptr;
  ID3D12DeviceChild* const shared = shared_object(handle);
  return shared != nullptr ? shared->QueryInterface(iid, object) : E_INVALIDARG;
}

HRESULT Device::OpenSharedHandleByName(LPCWSTR name, DWORD, HANDLE* handle) {
  Host::spend(costs_.call_ps);
  if (name == nullptr || *name == 0 || handle == nullptr) return E_INVALIDARG;
  *handle = open_shared(name);
  return *handle != nullptr ? S_OK : E_INVALIDARG;
}

}  // namespace fenceline::d3d12
