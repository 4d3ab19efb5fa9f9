// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/core/device_core.hpp"

#include <functional>

namespace fenceline::d3d12 {

/// The device of the adapter with that LUID, of which a process has one: the one that there is, or what `make` makes.
/// With a reference for the caller. Any thread may call.
DeviceCore* device_of(LUID luid, const std::function<DeviceCore*()>& make);
/// The one that there is, with a reference for the caller; null: there is none. Any thread may call.
DeviceCore* find_device(LUID luid);
/// The device's last reference is gone: the next one asked for is a new one.
void forget(const DeviceCore& device);

}  // namespace fenceline::d3d12
