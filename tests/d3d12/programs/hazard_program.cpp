// SPDX-License-Identifier: Apache-2.0
// A program whose queues write one buffer without a fence between them. With an argument it enables the debug layer,
// and says whether it is there.
#include "api/d3d12/event.hpp"

#include <wrl/client.h>

#include <cstdio>

using Microsoft::WRL::ComPtr;

namespace {

constexpr UINT64 bytes = 1 << 16;

ComPtr<ID3D12Resource> buffer(ID3D12Device* device, D3D12_HEAP_TYPE heap, D3D12_RESOURCE_STATES state) {
  D3D12_HEAP_PROPERTIES properties{};
  properties.Type = heap;
  D3D12_RESOURCE_DESC desc{};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = bytes;
  desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  ComPtr<ID3D12Resource> made;
  device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr, IID_PPV_ARGS(&made));
  return made;
}

/// A queue that copies and signals.
struct Writer {
  Writer(ID3D12Device* device, D3D12_COMMAND_LIST_TYPE type, ID3D12Resource* to, ID3D12Resource* from) {
    const D3D12_COMMAND_QUEUE_DESC desc{type, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
    device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue));
    device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence));
    device->CreateCommandAllocator(type, IID_PPV_ARGS(&allocator));
    device->CreateCommandList(0, type, allocator.Get(), nullptr, IID_PPV_ARGS(&list));
    list->CopyResource(to, from);
    list->Close();
  }
  void run() const {
    ID3D12CommandList* const lists[] = {list.Get()};
    queue->ExecuteCommandLists(1, lists);
    queue->Signal(fence.Get(), 1);
  }
  void wait() const { fence->SetEventOnCompletion(1, nullptr); }
  ComPtr<ID3D12CommandQueue> queue;
  ComPtr<ID3D12Fence> fence;
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<ID3D12GraphicsCommandList> list;
};

}  // namespace

int main(int count, char**) {
  ComPtr<ID3D12Debug> debug;
  if (FAILED(D3D12GetDebugInterface(IID_PPV_ARGS(&debug)))) return 1;
  if (count > 1) debug->EnableDebugLayer();
  ComPtr<ID3D12Device> device;
  if (FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)))) return 1;
  ComPtr<ID3D12InfoQueue> messages;
  std::printf("the debug layer is %s\n", SUCCEEDED(device.As(&messages)) ? "on" : "off");
  const auto from = buffer(device.Get(), D3D12_HEAP_TYPE_UPLOAD, D3D12_RESOURCE_STATE_GENERIC_READ);
  const auto to = buffer(device.Get(), D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_STATE_COMMON);
  to->SetName(L"shared");
  const Writer copy(device.Get(), D3D12_COMMAND_LIST_TYPE_COPY, to.Get(), from.Get());
  const Writer compute(device.Get(), D3D12_COMMAND_LIST_TYPE_COMPUTE, to.Get(), from.Get());
  copy.run();
  compute.run();
  copy.wait();
  compute.wait();
  std::printf("the end\n");
  return 0;
}
