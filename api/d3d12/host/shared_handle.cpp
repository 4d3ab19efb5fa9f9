// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/host/shared_handle.hpp"

#include "api/d3d12/dxgi.hpp"
#include "api/d3d12/host/event_handle.hpp"
#include "api/d3d12/host/host.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace fenceline::d3d12 {
namespace {

struct Shared {
  std::shared_ptr<SharedObject> object;
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

HANDLE new_handle() {
  const Host::Lock lock = Host::instance().lock();
  return create_event(true, false);
}

void close(HANDLE handle) {
  const Host::Lock lock = Host::instance().lock();
  close_event(handle);
}

auto named(Registry& shared, const std::wstring& name) {
  return std::find_if(shared.handles.begin(), shared.handles.end(),
                      [&](const auto& one) { return one.second.name == name; });
}

}  // namespace

HRESULT share(std::shared_ptr<SharedObject> object, const std::wstring& name, HANDLE* handle) {
  const HANDLE made = new_handle();
  if (made == nullptr) return E_OUTOFMEMORY;
  Registry& shared = registry();
  {
    const std::lock_guard<std::mutex> lock(shared.mutex);
    if (name.empty() || named(shared, name) == shared.handles.end()) {
      shared.handles[made] = {std::move(object), name};
      *handle = made;
      return S_OK;
    }
  }
  close(made);
  return DXGI_ERROR_NAME_ALREADY_EXISTS;
}

std::shared_ptr<SharedObject> shared_object(HANDLE handle) {
  Registry& shared = registry();
  const std::lock_guard<std::mutex> lock(shared.mutex);
  const auto found = shared.handles.find(handle);
  return found != shared.handles.end() ? found->second.object : nullptr;
}

HRESULT open_shared(const std::wstring& name, HANDLE* handle) {
  const HANDLE made = new_handle();
  if (made == nullptr) return E_OUTOFMEMORY;
  Registry& shared = registry();
  {
    const std::lock_guard<std::mutex> lock(shared.mutex);
    const auto found = named(shared, name);
    if (found != shared.handles.end()) {
      shared.handles[made] = Shared(found->second);
      *handle = made;
      return S_OK;
    }
  }
  close(made);
  return E_INVALIDARG;
}

void unshare(HANDLE handle) {
  Shared gone;  // its end, should it come here, is outside of the lock
  Registry& shared = registry();
  const std::lock_guard<std::mutex> lock(shared.mutex);
  const auto found = shared.handles.find(handle);
  if (found == shared.handles.end()) return;
  gone = std::move(found->second);
  shared.handles.erase(found);
}

}  // namespace fenceline::d3d12
