// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <string>

namespace fenceline::d3d12 {

// Handles by which objects are shared within the process: each is an eventfd of its own, for a number that nobody else
// has, and keeps a reference to its object until CloseHandle. Any thread may call any function.

/// Null when the process has no file descriptor left. An empty name is none.
HANDLE share(ID3D12DeviceChild* object, const std::wstring& name);
/// Without a reference; null for a handle that shares nothing.
ID3D12DeviceChild* shared_object(HANDLE handle);
/// Another handle of the object with that name, which is not empty; null where there is none.
HANDLE open_shared(const std::wstring& name);
/// The handle is closed: its reference is given back.
void unshare(HANDLE handle);

}  // namespace fenceline::d3d12
