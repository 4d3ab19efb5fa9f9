// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/com/private_data.hpp"

#include "api/d3d12/com/marker_text.hpp"

#include <algorithm>
#include <cstring>
#include <cwchar>
#include <utility>

namespace fenceline::d3d12 {
PrivateData::~PrivateData() {
  for (const Callback& callback : callbacks_) callback.function(callback.data);
  for (const Entry& entry : entries_) {
    if (entry.object != nullptr) entry.object->Release();
  }
}

const PrivateData::Entry* PrivateData::find(REFGUID guid) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.guid == guid; });
  return found == entries_.end() ? nullptr : &*found;
}

PrivateData::Entry* PrivateData::find(REFGUID guid) { return const_cast<Entry*>(std::as_const(*this).find(guid)); }

HRESULT PrivateData::get(REFGUID guid, UINT* bytes, void* data) const {
  if (bytes == nullptr) return E_INVALIDARG;
  const std::lock_guard lock(mutex_);
  const Entry* entry = find(guid);
  if (entry == nullptr) {
    *bytes = 0;
    return DXGI_ERROR_NOT_FOUND;
  }
  const UINT place = *bytes;
  *bytes = static_cast<UINT>(entry->is_interface ? sizeof(IUnknown*) : entry->bytes.size());
  if (data == nullptr) return S_OK;
  if (place < *bytes) return DXGI_ERROR_MORE_DATA;
  if (entry->is_interface) {
    if (entry->object != nullptr) entry->object->AddRef();
    std::memcpy(data, &entry->object, sizeof(IUnknown*));
  } else if (!entry->bytes.empty()) {
    std::memcpy(data, entry->bytes.data(), entry->bytes.size());
  }
  return S_OK;
}

HRESULT PrivateData::set(REFGUID guid, UINT bytes, const void* data) {
  if (data != nullptr) {
    Entry entry;
    entry.guid = guid;
    const auto* const first = static_cast<const std::byte*>(data);
    entry.bytes.assign(first, first + bytes);
    put(std::move(entry));
    return S_OK;
  }
  IUnknown* old = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const Entry* entry = find(guid);
    if (entry == nullptr) return S_FALSE;
    old = entry->object;
    entries_.erase(entries_.begin() + (entry - entries_.data()));
  }
  if (old != nullptr) old->Release();
  return S_OK;
}

HRESULT PrivateData::set_interface(REFGUID guid, const IUnknown* object) {
  Entry entry;
  entry.guid = guid;
  entry.is_interface = true;
  entry.object = const_cast<IUnknown*>(object);
  if (entry.object != nullptr) entry.object->AddRef();
  put(std::move(entry));
  return S_OK;
}

// The old interface is released outside the lock: it may be the last reference of an object that looks in here.
void PrivateData::put(Entry entry) {
  IUnknown* old = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (Entry* there = find(entry.guid)) {
      old = there->object;
      *there = std::move(entry);
    } else {
      entries_.push_back(std::move(entry));
    }
  }
  if (old != nullptr) old->Release();
}

HRESULT PrivateData::set_name(const WCHAR* name) {
  const std::size_t length = name == nullptr ? 0 : std::wcslen(name) + 1;
  return set(WKPDID_D3DDebugObjectNameW, static_cast<UINT>(length * sizeof(WCHAR)), name);
}

std::string PrivateData::name() const {
  const std::lock_guard lock(mutex_);
  const Entry* wide = find(WKPDID_D3DDebugObjectNameW);
  if (wide != nullptr && !wide->bytes.empty()) return utf8_of_wide(wide->bytes.data(), wide->bytes.size());
  const Entry* narrow = find(WKPDID_D3DDebugObjectName);
  if (narrow == nullptr) return "";
  return utf8_of_narrow({reinterpret_cast<const char*>(narrow->bytes.data()), narrow->bytes.size()});
}

HRESULT PrivateData::register_destruction_callback(PFN_DESTRUCTION_CALLBACK callback, void* data, UINT* id) {
  if (callback == nullptr) return DXGI_ERROR_INVALID_CALL;
  const std::lock_guard lock(mutex_);
  callbacks_.push_back({next_callback_++, callback, data});
  if (id != nullptr) *id = callbacks_.back().id;
  return S_OK;
}

HRESULT PrivateData::unregister_destruction_callback(UINT id) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(callbacks_.begin(), callbacks_.end(), [&](const Callback& callback) { return callback.id == id; });
  if (found == callbacks_.end()) return DXGI_ERROR_NOT_FOUND;
  callbacks_.erase(found);
  return S_OK;
}

}  // namespace fenceline::d3d12
