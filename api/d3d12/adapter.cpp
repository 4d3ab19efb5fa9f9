// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/adapter.hpp"

#include "api/d3d12/device.hpp"
#include "api/workload/workload_file.hpp"

#include <cstdlib>
#include <mutex>
#include <string>

namespace fenceline::d3d12 {
namespace {

struct Registry {
  std::mutex mutex;
  Device* device = nullptr;
};

Registry& registry() {
  static auto* const registry = new Registry;  // devices may outlive static objects
  return *registry;
}

Adapter read_default() {
  const char* const named = std::getenv("FENCELINE_MACHINE");
  const std::string machine = named != nullptr && *named != '\0' ? named : "h200";
  return {load_machine(machine, "", {}), {1, 0}};
}

}  // namespace

const Adapter& default_adapter() {
  static const Adapter adapter = read_default();
  return adapter;
}

Device* device_of(const Adapter& adapter) {
  Registry& devices = registry();
  const std::lock_guard<std::mutex> lock(devices.mutex);
  if (devices.device != nullptr) {
    devices.device->AddRef();
  } else {
    devices.device = new Device(adapter.machine, adapter.luid);
  }
  return devices.device;
}

void forget(const Device& device) {
  Registry& devices = registry();
  const std::lock_guard<std::mutex> lock(devices.mutex);
  if (devices.device == &device) devices.device = nullptr;
}

}  // namespace fenceline::d3d12
