// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/shared_handle.hpp"

#include "api/d3d12/event_handle.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace fenceline::d3d12 {
namespace {

struct Shared {
  ID3D12DeviceChild* object;
  std::wstring name;
};
struct Registry {
  std::mutex mutex;
  std::map<HANDLE, Shared> handles;
};

Registry& registry() {
  static auto* const registry = new Registry;  // handles may outlive static objects
  return *registry;
}

}  // namespace

HANDLE share(ID3D12DeviceChild* object, const std::wstring& name) {
  const HANDLE handle = create_event(true, false);
  if (handle == nullptr) return nullptr;
  object->AddRef();
  Registry& shared = registry();
  const std::lock_guard<std::mutex> lock(shared.mutex);
  shared.handles[handle] = {object, name};
  return handle;
}

ID3D12DeviceChild* shared_object(HANDLE handle) {
  Registry& shared = registry();
  const std::lock_guard<std::mutex> lock(shared.mutex);
  const auto found = shared.handles.find(handle);
  return found != shared.handles.end() ? found->second.object : nullptr;
}

HANDLE open_shared(const std::wstring& name) {
  ID3D12DeviceChild* object = nullptr;
  {
    Registry& shared = registry();
    const std::lock_guard<std::mutex> lock(shared.mutex);
    const auto found = std::find_if(shared.handles.begin(), shared.handles.end(),
                                    [&](const auto& one) { return one.second.name == name; });
    if (found != shared.handles.end()) object = found->second.object;
  }
  return object != nullptr ? share(object, name) : nullptr;
}

void unshare(HANDLE handle) {
  ID3D12DeviceChild* object = nullptr;
  {
    Registry& shared = registry();
    const std::lock_guard<std::mutex> lock(shared.mutex);
    const auto found = shared.handles.find(handle);
    if (found == shared.handles.end()) return;
    object = found->second.object;
    shared.handles.erase(found);
  }
  object->Release();
}

}  // namespace fenceline::d3d12
