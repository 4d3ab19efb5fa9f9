// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/core/device_registry.hpp"

#include <map>
#include <mutex>

namespace fenceline::d3d12 {
namespace {

/// By the low part of the adapter's LUID.
struct Registry {
  std::mutex mutex;
  std::map<DWORD, DeviceCore*> devices;
};

Registry& registry() {
  static auto* const registry = new Registry;  // devices may outlive static objects
  return *registry;
}

}  // namespace

DeviceCore* device_of(LUID luid, const std::function<DeviceCore*()>& make) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  DeviceCore*& device = all.devices[luid.LowPart];
  if (device != nullptr) {
    device->AddRef();
  } else {
    device = make();
  }
  return device;
}

DeviceCore* find_device(LUID luid) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.devices.find(luid.LowPart);
  const bool there = found != all.devices.end() && found->second != nullptr && found->second->try_add_ref();
  return there ? found->second : nullptr;
}

void forget(const DeviceCore& device) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (auto& [luid, one] : all.devices) {
    if (one == &device) one = nullptr;
  }
}

}  // namespace fenceline::d3d12
