// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/debug/info_queue.hpp"

#include "sim/files/console.hpp"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <utility>

namespace fenceline::d3d12 {
namespace {

using Guard = std::lock_guard<std::mutex>;

constexpr const char* severity_names[] = {"corruption", "error", "warning", "info", "message"};

bool is_known(D3D12_MESSAGE_CATEGORY category) {
  return category >= D3D12_MESSAGE_CATEGORY_APPLICATION_DEFINED && category <= D3D12_MESSAGE_CATEGORY_SHADER;
}
bool is_known(D3D12_MESSAGE_SEVERITY severity) {
  return severity >= D3D12_MESSAGE_SEVERITY_CORRUPTION && severity <= D3D12_MESSAGE_SEVERITY_MESSAGE;
}
bool is_known(D3D12_MESSAGE_ID id) {
  return id >= D3D12_MESSAGE_ID_UNKNOWN && id < D3D12_MESSAGE_ID_D3D12_MESSAGES_END;
}

template <class T>
HRESULT set_break(std::set<T>& breaks, T value, bool enable) {
  if (!is_known(value)) return E_INVALIDARG;
  if (enable) {
    breaks.insert(value);
  } else {
    breaks.erase(value);
  }
  return S_OK;
}

}  // namespace

void InfoQueue::add(DebugMessage message) {
  bool stored = false;
  bool stops = false;
  std::vector<Callback> callbacks;
  {
    const Guard lock(mutex_);
    stored = storage_.passes(message);
    ++(stored ? allowed_ : denied_);
    stops = stored && (break_categories_.count(message.category) > 0 || break_severities_.count(message.severity) > 0 ||
                       break_ids_.count(message.id) > 0);
    if (!mute_ && stored) {
      const char* const severity = is_known(message.severity) ? severity_names[message.severity] : "message";
      console::tell("D3D12 {}: {} [{}]\n", severity, message.text, static_cast<int>(message.id));
    }
    callbacks = callbacks_;
    if (stored) {
      messages_.push_back(message);
      trim();
    }
  }
  for (const Callback& callback : callbacks) {
    if (!stored && (callback.flags & D3D12_MESSAGE_CALLBACK_IGNORE_FILTERS) == 0) continue;
    callback.function(message.category, message.severity, message.id, message.text.c_str(), callback.context);
  }
  if (stops) std::raise(SIGTRAP);
}

void InfoQueue::trim() {
  if (limit_ == no_limit) return;
  for (; messages_.size() > limit_; ++discarded_) messages_.pop_front();
}

HRESULT InfoQueue::set_limit(UINT64 limit) {
  const Guard lock(mutex_);
  limit_ = limit;
  trim();
  return S_OK;
}

UINT64 InfoQueue::limit() const {
  const Guard lock(mutex_);
  return limit_;
}

void InfoQueue::clear() {
  const Guard lock(mutex_);
  messages_.clear();
}

HRESULT InfoQueue::get(UINT64 index, D3D12_MESSAGE* message, SIZE_T* bytes) const {
  if (bytes == nullptr) return E_INVALIDARG;
  const Guard lock(mutex_);
  const DebugMessage* found = nullptr;
  for (const DebugMessage& one : messages_) {
    if (retrieval_.passes(one) && index-- == 0) {
      found = &one;
      break;
    }
  }
  if (found == nullptr) return E_INVALIDARG;
  const std::size_t length = found->text.size() + 1;
  const SIZE_T place = std::exchange(*bytes, sizeof(D3D12_MESSAGE) + length);
  if (message == nullptr) return S_FALSE;
  if (place < *bytes) return DXGI_ERROR_MORE_DATA;
  auto* const text = reinterpret_cast<char*>(message + 1);
  std::memcpy(text, found->text.c_str(), length);
  *message = {found->category, found->severity, found->id, text, length};
  return S_OK;
}

UINT64 InfoQueue::stored() const {
  const Guard lock(mutex_);
  return messages_.size();
}

UINT64 InfoQueue::retrievable() const {
  const Guard lock(mutex_);
  return static_cast<UINT64>(std::count_if(messages_.begin(), messages_.end(),
                                           [&](const DebugMessage& one) { return retrieval_.passes(one); }));
}

UINT64 InfoQueue::allowed() const {
  const Guard lock(mutex_);
  return allowed_;
}

UINT64 InfoQueue::denied() const {
  const Guard lock(mutex_);
  return denied_;
}

UINT64 InfoQueue::discarded() const {
  const Guard lock(mutex_);
  return discarded_;
}

HRESULT InfoQueue::break_on(D3D12_MESSAGE_CATEGORY category, bool enable) {
  const Guard lock(mutex_);
  return set_break(break_categories_, category, enable);
}

HRESULT InfoQueue::break_on(D3D12_MESSAGE_SEVERITY severity, bool enable) {
  const Guard lock(mutex_);
  return set_break(break_severities_, severity, enable);
}

HRESULT InfoQueue::break_on(D3D12_MESSAGE_ID id, bool enable) {
  const Guard lock(mutex_);
  return set_break(break_ids_, id, enable);
}

bool InfoQueue::breaks_on(D3D12_MESSAGE_CATEGORY category) const {
  const Guard lock(mutex_);
  return break_categories_.count(category) > 0;
}

bool InfoQueue::breaks_on(D3D12_MESSAGE_SEVERITY severity) const {
  const Guard lock(mutex_);
  return break_severities_.count(severity) > 0;
}

bool InfoQueue::breaks_on(D3D12_MESSAGE_ID id) const {
  const Guard lock(mutex_);
  return break_ids_.count(id) > 0;
}

void InfoQueue::mute(bool mute) {
  const Guard lock(mutex_);
  mute_ = mute;
}

bool InfoQueue::is_mute() const {
  const Guard lock(mutex_);
  return mute_;
}

HRESULT InfoQueue::register_callback(D3D12MessageFunc function, D3D12_MESSAGE_CALLBACK_FLAGS flags, void* context,
                                     DWORD* cookie) {
  if (cookie != nullptr) *cookie = 0;
  if (function == nullptr || cookie == nullptr) return E_INVALIDARG;
  const Guard lock(mutex_);
  *cookie = next_cookie_++;
  callbacks_.push_back({*cookie, function, flags, context});
  return S_OK;
}

HRESULT InfoQueue::unregister_callback(DWORD cookie) {
  const Guard lock(mutex_);
  const auto found = std::find_if(callbacks_.begin(), callbacks_.end(),
                                  [&](const Callback& callback) { return callback.cookie == cookie; });
  if (found == callbacks_.end()) return E_INVALIDARG;
  callbacks_.erase(found);
  return S_OK;
}

}  // namespace fenceline::d3d12
