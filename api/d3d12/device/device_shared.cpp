// SPDX-License-Identifier: Apache-2.0
// Device, objects that are shared by handle, within this process.
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/device/device.hpp"
#include "api/d3d12/host/shared_handle.hpp"
#include "api/d3d12/queues/fence.hpp"
#include "api/d3d12/resources/heap.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <wrl/client.h>

#include <memory>
#include <string>
#include <utility>

namespace fenceline::d3d12 {
namespace {

using Microsoft::WRL::ComPtr;

/// What can be shared of it; null for an object of another device, and for what was not created to be shared.
std::shared_ptr<SharedObject> shareable(const Device& device, ID3D12DeviceChild* object) {
  ComPtr<ID3D12Fence1> fence;
  ComPtr<ID3D12Heap1> heap;
  ComPtr<ID3D12Resource2> resource;
  if (SUCCEEDED(object->QueryInterface(IID_PPV_ARGS(&fence)))) {
    const auto& found = *com_cast<Fence>(fence.Get());
    return &found.device() == &device ? found.shared() : nullptr;
  }
  if (SUCCEEDED(object->QueryInterface(IID_PPV_ARGS(&heap)))) {
    const auto& found = *com_cast<Heap>(heap.Get());
    return &found.device() == &device ? found.shared() : nullptr;
  }
  if (FAILED(object->QueryInterface(IID_PPV_ARGS(&resource)))) return nullptr;
  const auto& found = *com_cast<Resource>(resource.Get());
  return &found.device() == &device ? found.shared() : nullptr;
}

}  // namespace

HRESULT Device::CreateSharedHandle(ID3D12DeviceChild* object, const SECURITY_ATTRIBUTES*, DWORD, LPCWSTR name,
                                   HANDLE* handle) {
  Host::spend(costs().call_ps);
  if (object == nullptr || handle == nullptr) return E_INVALIDARG;
  *handle = nullptr;
  std::shared_ptr<SharedObject> shared = shareable(*this, object);
  if (shared == nullptr) return E_INVALIDARG;
  return share(std::move(shared), name != nullptr ? name : L"", handle);
}

HRESULT Device::OpenSharedHandle(HANDLE handle, REFIID iid, void** object) {
  Host::spend(costs().call_ps);
  if (object == nullptr) return E_INVALIDARG;
  *object = nullptr;
  const std::shared_ptr<SharedObject> shared = shared_object(handle);
  if (shared == nullptr) return E_INVALIDARG;
  return removed() ? DXGI_ERROR_DEVICE_REMOVED : shared->open(*this, iid, object);
}

HRESULT Device::OpenSharedHandleByName(LPCWSTR name, DWORD, HANDLE* handle) {
  Host::spend(costs().call_ps);
  if (name == nullptr || *name == 0 || handle == nullptr) return E_INVALIDARG;
  *handle = nullptr;
  return open_shared(name, handle);
}

}  // namespace fenceline::d3d12
