// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/machine_config.hpp"

namespace fenceline::d3d12 {

class Device;

/// A machine that D3D12 sees as an adapter.
struct Adapter {
  MachineConfig machine;
  LUID luid{};
};

/// The process's adapter: the machine that FENCELINE_MACHINE names, a built-in one or a file, else h200. Throws
/// ConfigError when it cannot be read.
const Adapter& default_adapter();

/// The device of the adapter, of which a process has one: the one that there is, or a new one. With a reference.
Device* device_of(const Adapter& adapter);
/// The device's last reference is gone.
void forget(const Device& device);

}  // namespace fenceline::d3d12
