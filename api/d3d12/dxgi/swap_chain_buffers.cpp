// SPDX-License-Identifier: Apache-2.0
// SwapChain, the family of functions about its buffers.
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/dxgi/swap_chain.hpp"
#include "api/d3d12/host/host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace fenceline::d3d12 {

std::vector<Held<Resource>> SwapChain::make_buffers(const DXGI_SWAP_CHAIN_DESC1& desc, std::uint64_t generation) {
  std::vector<Held<Resource>> buffers;
  for (UINT i = 0; i < desc.BufferCount; ++i) {
    Resource* const buffer = make_back_buffer(device_, buffer_desc(desc), {frames_, i, generation});
    if (buffer == nullptr) return {};
    buffers.emplace_back(buffer);
    buffer->Release();  // held, without a reference that the program could count
  }
  return buffers;
}

HRESULT SwapChain::GetBuffer(UINT index, REFIID iid, void** buffer) {
  if (buffer == nullptr) return DXGI_ERROR_INVALID_CALL;
  *buffer = nullptr;
  const Host::Lock lock = Host::instance().lock();
  if (index >= buffers_.size()) return DXGI_ERROR_INVALID_CALL;
  return buffers_[index]->QueryInterface(iid, buffer);
}

DXGI_SWAP_CHAIN_DESC1 SwapChain::resized(UINT count, UINT width, UINT height, DXGI_FORMAT format, UINT flags) {
  const Host::Lock lock = Host::instance().lock();
  DXGI_SWAP_CHAIN_DESC1 desc = desc_;
  if (count != 0) desc.BufferCount = count;
  desc.Width = width;
  desc.Height = height;
  fill_size(device_, target_, output(), desc);
  if (format != DXGI_FORMAT_UNKNOWN) desc.Format = format;
  desc.Flags = flags;
  return desc;
}

HRESULT SwapChain::ResizeBuffers(UINT count, UINT width, UINT height, DXGI_FORMAT format, UINT flags) {
  const char* const method = "ResizeBuffers";
  const DXGI_SWAP_CHAIN_DESC1 desc = resized(count, width, height, format, flags);
  const Verdict verdict = check_resize(flags_, desc);
  if (!verdict.ok()) return refuse(method, verdict);
  return resize(method, desc, std::vector<CommandQueue*>(desc.BufferCount, queues_[0]));
}

HRESULT SwapChain::ResizeBuffers1(UINT count, UINT width, UINT height, DXGI_FORMAT format, UINT flags,
                                  const UINT* node_masks, IUnknown* const* queues) {
  const char* const method = "ResizeBuffers1";
  const auto invalid = [&](const std::string& text) { return refuse(method, {DXGI_ERROR_INVALID_CALL, text}); };
  if (node_masks == nullptr || queues == nullptr) return invalid("expected a node mask and a queue for each buffer");
  const DXGI_SWAP_CHAIN_DESC1 desc = resized(count, width, height, format, flags);
  const Verdict verdict = check_resize(flags_, desc);
  if (!verdict.ok()) return refuse(method, verdict);
  std::vector<CommandQueue*> ours;
  for (UINT i = 0; i < desc.BufferCount; ++i) {
    if (node_masks[i] > 1) return invalid(fmt::format("expected node mask 0 or 1, found {}", node_masks[i]));
    ID3D12CommandQueue* queue = nullptr;
    if (queues[i] == nullptr ||
        FAILED(queues[i]->QueryInterface(__uuidof(ID3D12CommandQueue), reinterpret_cast<void**>(&queue)))) {
      return invalid(fmt::format("expected a queue for buffer {}", i));
    }
    queue->Release();  // the caller has a reference
    ours.push_back(com_cast<CommandQueue>(queue));
    if (&ours.back()->device() != &device_ || ours.back()->GetDesc().Type != D3D12_COMMAND_LIST_TYPE_DIRECT) {
      return invalid(fmt::format("expected a direct queue of the swap chain's device for buffer {}", i));
    }
    if ((ours.back()->GetDesc().NodeMask & 1) == 0) {
      return invalid(fmt::format("expected a queue of the first node, which has the screen, for buffer {}", i));
    }
  }
  return resize(method, desc, std::move(ours));
}

HRESULT SwapChain::resize(const char* method, const DXGI_SWAP_CHAIN_DESC1& desc, std::vector<CommandQueue*> queues) {
  std::uint64_t generation = 0;
  {
    const Host::Lock lock = device_.enter(device_.costs().call_ps);
    if (device_.removed()) return DXGI_ERROR_DEVICE_REMOVED;
    generation = frames_->generation() + 1;
  }
  // Buffers are made, and in the end the old ones die, without the lock.
  std::vector<Held<Resource>> buffers = make_buffers(desc, generation);
  if (buffers.empty()) return E_OUTOFMEMORY;
  {
    const Host::Lock lock = Host::instance().lock();
    const auto used = std::find_if(buffers_.begin(), buffers_.end(), [](const auto& one) { return one->referenced(); });
    if (used != buffers_.end()) {
      return refuse(method, {DXGI_ERROR_INVALID_CALL,
                             fmt::format("the program has references to buffer {}", used - buffers_.begin())});
    }
    buffers.swap(buffers_);
    frames_->replace_buffers(desc.BufferCount);
    desc_ = desc;
    source_width_ = desc.Width;
    source_height_ = desc.Height;
    for (CommandQueue* queue : std::set<CommandQueue*>(queues.begin(), queues.end())) queue->AddRef();
    queues.swap(queues_);
  }
  for (CommandQueue* queue : std::set<CommandQueue*>(queues.begin(), queues.end())) queue->Release();
  return S_OK;
}

}  // namespace fenceline::d3d12
