// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/debug/info_filter.hpp"

#include <cstdint>
#include <deque>
#include <mutex>
#include <set>
#include <vector>

namespace fenceline::d3d12 {

/// What ID3D12InfoQueue1 keeps: the messages of one device, with filters of what is stored and of what is retrieved.
/// Any thread may call any function at any time. Indices and counts are of messages, sizes of bytes.
class InfoQueue {
 public:
  static constexpr UINT64 no_limit = ~UINT64{0};

  /// Stores the message if the storage filter lets it, in place of the oldest one at the limit; writes it on stderr if
  /// it is not mute; calls the callbacks, which must not call the device; and stops in the debugger (SIGTRAP) where
  /// that was asked for.
  void add(DebugMessage message);

  /// Messages over the limit go at once, the oldest first.
  HRESULT set_limit(UINT64 limit);
  UINT64 limit() const;
  void clear();
  /// The message at `index` among those that the retrieval filter lets pass, to a place of `*bytes` bytes; leaves its
  /// size there. With a null message the size alone, and S_FALSE. E_INVALIDARG without a size or such a message,
  /// DXGI_ERROR_MORE_DATA when it does not fit.
  HRESULT get(UINT64 index, D3D12_MESSAGE* message, SIZE_T* bytes) const;
  UINT64 stored() const;
  UINT64 retrievable() const;
  /// Since the beginning.
  UINT64 allowed() const;
  UINT64 denied() const;
  UINT64 discarded() const;

  /// Calls `act` with the stack of filters of what is stored or retrieved.
  template <class Act>
  auto with_storage(Act&& act) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return act(storage_);
  }
  template <class Act>
  auto with_retrieval(Act&& act) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return act(retrieval_);
  }

  /// E_INVALIDARG for numbers that D3D12 does not define.
  HRESULT break_on(D3D12_MESSAGE_CATEGORY category, bool enable);
  HRESULT break_on(D3D12_MESSAGE_SEVERITY severity, bool enable);
  HRESULT break_on(D3D12_MESSAGE_ID id, bool enable);
  bool breaks_on(D3D12_MESSAGE_CATEGORY category) const;
  bool breaks_on(D3D12_MESSAGE_SEVERITY severity) const;
  bool breaks_on(D3D12_MESSAGE_ID id) const;

  void mute(bool mute);
  bool is_mute() const;

  /// The cookie, which is never 0, goes to `*cookie`, and 0 with E_INVALIDARG for a null function.
  HRESULT register_callback(D3D12MessageFunc function, D3D12_MESSAGE_CALLBACK_FLAGS flags, void* context,
                            DWORD* cookie);
  /// E_INVALIDARG for a cookie that is not registered.
  HRESULT unregister_callback(DWORD cookie);

 private:
  struct Callback {
    DWORD cookie;
    D3D12MessageFunc function;
    D3D12_MESSAGE_CALLBACK_FLAGS flags;
    void* context;
  };
  void trim();

  mutable std::mutex mutex_;
  std::deque<DebugMessage> messages_;
  InfoFilterStack storage_;
  InfoFilterStack retrieval_;
  UINT64 limit_ = D3D12_INFO_QUEUE_DEFAULT_MESSAGE_COUNT_LIMIT;
  UINT64 allowed_ = 0;
  UINT64 denied_ = 0;
  UINT64 discarded_ = 0;
  std::set<D3D12_MESSAGE_CATEGORY> break_categories_;
  std::set<D3D12_MESSAGE_SEVERITY> break_severities_;
  std::set<D3D12_MESSAGE_ID> break_ids_;
  bool mute_ = false;
  std::vector<Callback> callbacks_;
  DWORD next_cookie_ = 1;
};

}  // namespace fenceline::d3d12
