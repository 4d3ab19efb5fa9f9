// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <memory>
#include <string>

namespace fenceline::d3d12 {

class DeviceCore;

/// What a shared handle stands for: of a fence its value, of a heap or resource its memory and description. It outlives
/// the object that it was made from, which a handle does not keep alive.
class SharedObject {
 public:
  SharedObject() = default;
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;
  virtual ~SharedObject() = default;
  /// ID3D12Device::OpenSharedHandle: the device's object for it.
  virtual HRESULT open(DeviceCore& device, REFIID iid, void** object) = 0;
};

// Handles by which that is shared within the process: each is an eventfd of its own, for a number that nobody else has.
// Any thread may call any function, without the host's lock.

/// S_OK; DXGI_ERROR_NAME_ALREADY_EXISTS where another handle has the name, of which an empty one is none;
/// E_OUTOFMEMORY when the process has no file descriptor left.
HRESULT share(std::shared_ptr<SharedObject> object, const std::wstring& name, HANDLE* handle);
/// Null for a handle that shares nothing.
std::shared_ptr<SharedObject> shared_object(HANDLE handle);
/// Another handle of what has that name, which is not empty: E_INVALIDARG where nothing has.
HRESULT open_shared(const std::wstring& name, HANDLE* handle);
/// The handle is closed.
void unshare(HANDLE handle);

}  // namespace fenceline::d3d12
