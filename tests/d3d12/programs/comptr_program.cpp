// SPDX-License-Identifier: Apache-2.0
// D3D12 as most C++ programs write it: DXCore, ComPtr, d3dx12.h. On every adapter a copy to video memory and back.
#include "api/d3d12/event.hpp"

#include <wrl/client.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <directx/d3dx12.h>
#include <stdexcept>
#include <string>
#include <vector>

using Microsoft::WRL::ComPtr;

namespace {

void check(HRESULT result, const char* what) {
  if (FAILED(result)) throw std::runtime_error(what);
}
#define CHECKED(call) check(call, #call)

ComPtr<ID3D12Resource> buffer(ID3D12Device* device, D3D12_HEAP_TYPE heap, UINT64 bytes, D3D12_RESOURCE_STATES state) {
  const CD3DX12_HEAP_PROPERTIES properties(heap);
  const auto desc = CD3DX12_RESOURCE_DESC::Buffer(bytes);
  ComPtr<ID3D12Resource> made;
  CHECKED(
      device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr, IID_PPV_ARGS(&made)));
  return made;
}

/// Whether what comes back is what went there.
bool round_trip(ID3D12Device* device) {
  ComPtr<ID3D12CommandQueue> queue;
  D3D12_COMMAND_QUEUE_DESC queue_desc = {};
  queue_desc.Type = D3D12_COMMAND_LIST_TYPE_DIRECT;
  CHECKED(device->CreateCommandQueue(&queue_desc, IID_PPV_ARGS(&queue)));
  ComPtr<ID3D12CommandAllocator> allocator;
  CHECKED(device->CreateCommandAllocator(queue_desc.Type, IID_PPV_ARGS(&allocator)));
  ComPtr<ID3D12GraphicsCommandList> list;
  CHECKED(device->CreateCommandList(0, queue_desc.Type, allocator.Get(), nullptr, IID_PPV_ARGS(&list)));

  std::vector<std::uint32_t> sent(1024);
  for (std::uint32_t i = 0; i < sent.size(); ++i) sent[i] = i * i;
  const UINT64 bytes = sent.size() * sizeof(sent[0]);
  const auto upload = buffer(device, D3D12_HEAP_TYPE_UPLOAD, bytes, D3D12_RESOURCE_STATE_GENERIC_READ);
  const auto video = buffer(device, D3D12_HEAP_TYPE_DEFAULT, bytes, D3D12_RESOURCE_STATE_COMMON);
  const auto back = buffer(device, D3D12_HEAP_TYPE_READBACK, bytes, D3D12_RESOURCE_STATE_COPY_DEST);
  D3D12_SUBRESOURCE_DATA data = {sent.data(), static_cast<LONG_PTR>(bytes), static_cast<LONG_PTR>(bytes)};
  if (UpdateSubresources(list.Get(), video.Get(), upload.Get(), 0, 0, 1, &data) == 0) return false;
  const auto barrier = CD3DX12_RESOURCE_BARRIER::Transition(video.Get(), D3D12_RESOURCE_STATE_COPY_DEST,
                                                            D3D12_RESOURCE_STATE_COPY_SOURCE);
  list->ResourceBarrier(1, &barrier);
  list->CopyResource(back.Get(), video.Get());
  CHECKED(list->Close());

  ID3D12CommandList* const lists[] = {list.Get()};
  queue->ExecuteCommandLists(1, lists);
  ComPtr<ID3D12Fence> fence;
  CHECKED(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)));
  CHECKED(queue->Signal(fence.Get(), 1));
  const HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  CHECKED(fence->SetEventOnCompletion(1, event));
  const bool came = WaitForSingleObject(event, INFINITE) == WAIT_OBJECT_0;
  CloseHandle(event);

  void* received = nullptr;
  CHECKED(back->Map(0, nullptr, &received));
  const bool same = std::memcmp(received, sent.data(), bytes) == 0;
  back->Unmap(0, nullptr);
  return came && same;
}

std::string description(IDXCoreAdapter* adapter) {
  std::size_t bytes = 0;
  CHECKED(adapter->GetPropertySize(DXCoreAdapterProperty::DriverDescription, &bytes));
  std::string text(bytes, '\0');
  CHECKED(adapter->GetProperty(DXCoreAdapterProperty::DriverDescription, bytes, text.data()));
  text.pop_back();
  return text;
}

}  // namespace

int main() try {
  ComPtr<IDXCoreAdapterFactory> factory;
  CHECKED(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&factory)));
  ComPtr<IDXCoreAdapterList> adapters;
  CHECKED(factory->CreateAdapterList(1, &DXCORE_ADAPTER_ATTRIBUTE_D3D12_GRAPHICS, IID_PPV_ARGS(&adapters)));
  const auto preference = DXCoreAdapterPreference::HighPerformance;
  CHECKED(adapters->Sort(1, &preference));
  for (std::uint32_t i = 0; i < adapters->GetAdapterCount(); ++i) {
    ComPtr<IDXCoreAdapter> adapter;
    CHECKED(adapters->GetAdapter(i, IID_PPV_ARGS(&adapter)));
    ComPtr<ID3D12Device> device;
    CHECKED(D3D12CreateDevice(adapter.Get(), D3D_FEATURE_LEVEL_12_0, IID_PPV_ARGS(&device)));
    std::printf("%s: %s\n", description(adapter.Get()).c_str(), round_trip(device.Get()) ? "same" : "different");
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
