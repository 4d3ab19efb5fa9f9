// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/object.hpp"
#include "api/d3d12/debug/info_queue.hpp"
#include "api/d3d12/debug/message_category.hpp"

namespace fenceline::d3d12 {

/// An ID3D12Object with ID3D12InfoQueue1 as a further face. Hands all to an InfoQueue.
template <class Main, class... More>
class WithInfoQueue : public Object<Main, Face<ID3D12InfoQueue1, ID3D12InfoQueue>, More...> {
 public:
  // NOLINTBEGIN(readability-identifier-naming): D3D12's names, of an interface that is not known here.
  HRESULT STDMETHODCALLTYPE SetMessageCountLimit(UINT64 limit) final { return queue_.set_limit(limit); }
  void STDMETHODCALLTYPE ClearStoredMessages() final { queue_.clear(); }
  HRESULT STDMETHODCALLTYPE GetMessage(UINT64 index, D3D12_MESSAGE* message, SIZE_T* bytes) final {
    return queue_.get(index, message, bytes);
  }
  UINT64 STDMETHODCALLTYPE GetNumMessagesAllowedByStorageFilter() final { return queue_.allowed(); }
  UINT64 STDMETHODCALLTYPE GetNumMessagesDeniedByStorageFilter() final { return queue_.denied(); }
  UINT64 STDMETHODCALLTYPE GetNumStoredMessages() final { return queue_.stored(); }
  UINT64 STDMETHODCALLTYPE GetNumStoredMessagesAllowedByRetrievalFilter() final { return queue_.retrievable(); }
  UINT64 STDMETHODCALLTYPE GetNumMessagesDiscardedByMessageCountLimit() final { return queue_.discarded(); }
  UINT64 STDMETHODCALLTYPE GetMessageCountLimit() final { return queue_.limit(); }

  HRESULT STDMETHODCALLTYPE AddStorageFilterEntries(D3D12_INFO_QUEUE_FILTER* filter) final {
    return queue_.with_storage([&](InfoFilterStack& stack) { return stack.add(filter); });
  }
  HRESULT STDMETHODCALLTYPE GetStorageFilter(D3D12_INFO_QUEUE_FILTER* filter, SIZE_T* bytes) final {
    return queue_.with_storage([&](InfoFilterStack& stack) { return stack.get(filter, bytes); });
  }
  void STDMETHODCALLTYPE ClearStorageFilter() final {
    queue_.with_storage([](InfoFilterStack& stack) { stack.clear(); });
  }
  HRESULT STDMETHODCALLTYPE PushEmptyStorageFilter() final {
    queue_.with_storage([](InfoFilterStack& stack) { stack.push_empty(); });
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE PushCopyOfStorageFilter() final {
    queue_.with_storage([](InfoFilterStack& stack) { stack.push_copy(); });
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE PushStorageFilter(D3D12_INFO_QUEUE_FILTER* filter) final {
    return queue_.with_storage([&](InfoFilterStack& stack) { return stack.push(filter); });
  }
  void STDMETHODCALLTYPE PopStorageFilter() final {
    queue_.with_storage([](InfoFilterStack& stack) { stack.pop(); });
  }
  UINT STDMETHODCALLTYPE GetStorageFilterStackSize() final {
    return queue_.with_storage([](InfoFilterStack& stack) { return stack.size(); });
  }

  HRESULT STDMETHODCALLTYPE AddRetrievalFilterEntries(D3D12_INFO_QUEUE_FILTER* filter) final {
    return queue_.with_retrieval([&](InfoFilterStack& stack) { return stack.add(filter); });
  }
  HRESULT STDMETHODCALLTYPE GetRetrievalFilter(D3D12_INFO_QUEUE_FILTER* filter, SIZE_T* bytes) final {
    return queue_.with_retrieval([&](InfoFilterStack& stack) { return stack.get(filter, bytes); });
  }
  void STDMETHODCALLTYPE ClearRetrievalFilter() final {
    queue_.with_retrieval([](InfoFilterStack& stack) { stack.clear(); });
  }
  HRESULT STDMETHODCALLTYPE PushEmptyRetrievalFilter() final {
    queue_.with_retrieval([](InfoFilterStack& stack) { stack.push_empty(); });
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE PushCopyOfRetrievalFilter() final {
    queue_.with_retrieval([](InfoFilterStack& stack) { stack.push_copy(); });
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE PushRetrievalFilter(D3D12_INFO_QUEUE_FILTER* filter) final {
    return queue_.with_retrieval([&](InfoFilterStack& stack) { return stack.push(filter); });
  }
  void STDMETHODCALLTYPE PopRetrievalFilter() final {
    queue_.with_retrieval([](InfoFilterStack& stack) { stack.pop(); });
  }
  UINT STDMETHODCALLTYPE GetRetrievalFilterStackSize() final {
    return queue_.with_retrieval([](InfoFilterStack& stack) { return stack.size(); });
  }

  HRESULT STDMETHODCALLTYPE AddMessage(D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                                       D3D12_MESSAGE_ID id, LPCSTR text) final {
    if (text == nullptr) return E_INVALIDARG;
    queue_.add({category, severity, id, text});
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE AddApplicationMessage(D3D12_MESSAGE_SEVERITY severity, LPCSTR text) final {
    return AddMessage(D3D12_MESSAGE_CATEGORY_APPLICATION_DEFINED, severity, D3D12_MESSAGE_ID_STRING_FROM_APPLICATION,
                      text);
  }

  HRESULT STDMETHODCALLTYPE SetBreakOnCategory(D3D12_MESSAGE_CATEGORY category, BOOL enable) final {
    return queue_.break_on(category, enable != FALSE);
  }
  HRESULT STDMETHODCALLTYPE SetBreakOnSeverity(D3D12_MESSAGE_SEVERITY severity, BOOL enable) final {
    return queue_.break_on(severity, enable != FALSE);
  }
  HRESULT STDMETHODCALLTYPE SetBreakOnID(D3D12_MESSAGE_ID id, BOOL enable) final {
    return queue_.break_on(id, enable != FALSE);
  }
  BOOL STDMETHODCALLTYPE GetBreakOnCategory(D3D12_MESSAGE_CATEGORY category) final {
    return queue_.breaks_on(category) ? TRUE : FALSE;
  }
  BOOL STDMETHODCALLTYPE GetBreakOnSeverity(D3D12_MESSAGE_SEVERITY severity) final {
    return queue_.breaks_on(severity) ? TRUE : FALSE;
  }
  BOOL STDMETHODCALLTYPE GetBreakOnID(D3D12_MESSAGE_ID id) final { return queue_.breaks_on(id) ? TRUE : FALSE; }

  void STDMETHODCALLTYPE SetMuteDebugOutput(BOOL mute) final { queue_.mute(mute != FALSE); }
  BOOL STDMETHODCALLTYPE GetMuteDebugOutput() final { return queue_.is_mute() ? TRUE : FALSE; }

  HRESULT STDMETHODCALLTYPE RegisterMessageCallback(D3D12MessageFunc function, D3D12_MESSAGE_CALLBACK_FLAGS flags,
                                                    void* context, DWORD* cookie) final {
    return queue_.register_callback(function, flags, context, cookie);
  }
  HRESULT STDMETHODCALLTYPE UnregisterMessageCallback(DWORD cookie) final { return queue_.unregister_callback(cookie); }
  // NOLINTEND(readability-identifier-naming)

 protected:
  InfoQueue& info_queue() { return queue_; }

 private:
  InfoQueue queue_;
};

}  // namespace fenceline::d3d12
