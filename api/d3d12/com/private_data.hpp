// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// What a program keeps at an object: data and interfaces by GUID, its name, and functions to call when it dies.
/// Any thread may call any function at any time.
class PrivateData {
 public:
  PrivateData() = default;
  /// Calls the destruction callbacks in the order of their registration, then releases the interfaces.
  ~PrivateData();
  PrivateData(const PrivateData&) = delete;
  PrivateData& operator=(const PrivateData&) = delete;

  /// Copies the data to a place of `*bytes` bytes and leaves its size there; with null data tells the size alone. An
  /// interface that is given out has a reference added. E_INVALIDARG without a size, DXGI_ERROR_NOT_FOUND and size 0
  /// for an unknown GUID, DXGI_ERROR_MORE_DATA and the size when it does not fit.
  HRESULT get(REFGUID guid, UINT* bytes, void* data) const;
  /// Copies the data in place of what was there; null data removes it: S_FALSE when there was nothing to remove.
  HRESULT set(REFGUID guid, UINT bytes, const void* data);
  /// Keeps an interface, or null, with a reference of its own.
  HRESULT set_interface(REFGUID guid, const IUnknown* object);
  /// Keeps the name, with its ending null, as the data of WKPDID_D3DDebugObjectNameW; null removes it.
  HRESULT set_name(const WCHAR* name);
  /// The name as UTF-8, from WKPDID_D3DDebugObjectNameW or else WKPDID_D3DDebugObjectName; empty without one.
  std::string name() const;

  /// DXGI_ERROR_INVALID_CALL without a function, which leaves `id` alone. `id` may be null.
  HRESULT register_destruction_callback(PFN_DESTRUCTION_CALLBACK callback, void* data, UINT* id);
  /// DXGI_ERROR_NOT_FOUND for an id that is not registered.
  HRESULT unregister_destruction_callback(UINT id);

 private:
  struct Entry {
    GUID guid{};
    bool is_interface = false;
    IUnknown* object = nullptr;    ///< of an interface; has a reference
    std::vector<std::byte> bytes;  ///< of data
  };
  struct Callback {
    UINT id = 0;
    PFN_DESTRUCTION_CALLBACK function = nullptr;
    void* data = nullptr;
  };
  Entry* find(REFGUID guid);
  const Entry* find(REFGUID guid) const;
  void put(Entry entry);

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
  std::vector<Callback> callbacks_;
  UINT next_callback_ = 1;
};

}  // namespace fenceline::d3d12
