// SPDX-License-Identifier: Apache-2.0
// A C program that renders a second of frames: each waits for its turn, clears a back buffer and presents it.
#define COBJMACROS
#include "api/d3d12/dxgi.hpp"
#include "api/d3d12/event.hpp"

#include <stdio.h>

#define BUFFERS 3

#define CHECK(call)                                              \
  do {                                                           \
    if ((call) != S_OK) {                                        \
      fprintf(stderr, "line %d: %s failed\n", __LINE__, #call); \
      return 1;                                                  \
    }                                                            \
  } while (0)

int main(void) {
  IDXGIFactory2* factory = NULL;
  IDXGIAdapter1* adapter = NULL;
  ID3D12Device* device = NULL;
  ID3D12CommandQueue* queue = NULL;
  IDXGISwapChain1* created = NULL;
  IDXGISwapChain3* chain = NULL;
  ID3D12CommandAllocator* allocators[BUFFERS];
  ID3D12GraphicsCommandList* lists[BUFFERS];
  ID3D12DescriptorHeap* heap = NULL;
  const D3D12_COMMAND_QUEUE_DESC queue_desc = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
  const D3D12_DESCRIPTOR_HEAP_DESC heap_desc = {D3D12_DESCRIPTOR_HEAP_TYPE_RTV, BUFFERS,
                                                D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
  CHECK(CreateDXGIFactory2(0, &IID_IDXGIFactory2, (void**)&factory));
  CHECK(IDXGIFactory2_EnumAdapters1(factory, 0, &adapter));
  CHECK(D3D12CreateDevice((IUnknown*)adapter, D3D_FEATURE_LEVEL_12_0, &IID_ID3D12Device, (void**)&device));
  CHECK(ID3D12Device_CreateCommandQueue(device, &queue_desc, &IID_ID3D12CommandQueue, (void**)&queue));
  CHECK(ID3D12Device_CreateDescriptorHeap(device, &heap_desc, &IID_ID3D12DescriptorHeap, (void**)&heap));

  DXGI_SWAP_CHAIN_DESC1 desc = {0};
  desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
  desc.SampleDesc.Count = 1;
  desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
  desc.BufferCount = BUFFERS;
  desc.SwapEffect = DXGI_SWAP_EFFECT_FLIP_DISCARD;
  desc.Flags = DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT;
  const HWND window = 1;
  CHECK(IDXGIFactory2_CreateSwapChainForHwnd(factory, (IUnknown*)queue, window, &desc, NULL, NULL, &created));
  CHECK(IDXGISwapChain1_QueryInterface(created, &IID_IDXGISwapChain3, (void**)&chain));
  CHECK(IDXGISwapChain1_GetDesc1(created, &desc));
  IDXGISwapChain1_Release(created);

  D3D12_CPU_DESCRIPTOR_HANDLE view = ID3D12DescriptorHeap_GetCPUDescriptorHandleForHeapStart(heap);
  for (UINT i = 0; i < BUFFERS; ++i) {
    const float color[4] = {0, 0, 1, 1};
    ID3D12Resource* buffer = NULL;
    D3D12_RESOURCE_BARRIER barrier = {0};
    CHECK(IDXGISwapChain3_GetBuffer(chain, i, &IID_ID3D12Resource, (void**)&buffer));
    ID3D12Device_CreateRenderTargetView(device, buffer, NULL, view);
    CHECK(ID3D12Device_CreateCommandAllocator(device, D3D12_COMMAND_LIST_TYPE_DIRECT, &IID_ID3D12CommandAllocator,
                                              (void**)&allocators[i]));
    CHECK(ID3D12Device_CreateCommandList(device, 0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocators[i], NULL,
                                         &IID_ID3D12GraphicsCommandList, (void**)&lists[i]));
    barrier.Transition.pResource = buffer;
    barrier.Transition.StateBefore = D3D12_RESOURCE_STATE_PRESENT;
    barrier.Transition.StateAfter = D3D12_RESOURCE_STATE_RENDER_TARGET;
    ID3D12GraphicsCommandList_ResourceBarrier(lists[i], 1, &barrier);
    ID3D12GraphicsCommandList_ClearRenderTargetView(lists[i], view, color, 0, NULL);
    barrier.Transition.StateBefore = D3D12_RESOURCE_STATE_RENDER_TARGET;
    barrier.Transition.StateAfter = D3D12_RESOURCE_STATE_PRESENT;
    ID3D12GraphicsCommandList_ResourceBarrier(lists[i], 1, &barrier);
    CHECK(ID3D12GraphicsCommandList_Close(lists[i]));
    ID3D12Resource_Release(buffer);
    view.ptr += ID3D12Device_GetDescriptorHandleIncrementSize(device, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
  }

  HANDLE turn = IDXGISwapChain3_GetFrameLatencyWaitableObject(chain);
  for (int frame = 0; frame <= 60; ++frame) {
    if (WaitForSingleObject(turn, INFINITE) != WAIT_OBJECT_0) return 1;
    ID3D12CommandList* list = (ID3D12CommandList*)lists[IDXGISwapChain3_GetCurrentBackBufferIndex(chain)];
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, &list);
    CHECK(IDXGISwapChain3_Present(chain, 1, 0));
  }
  WaitForSingleObject(turn, INFINITE);
  DXGI_FRAME_STATISTICS statistics;
  CHECK(IDXGISwapChain3_GetFrameStatistics(chain, &statistics));
  CloseHandle(turn);
  printf("%u x %u: frame %u at refresh %u\n", desc.Width, desc.Height, statistics.PresentCount,
         statistics.PresentRefreshCount);

  IDXGISwapChain3_Release(chain);
  for (UINT i = 0; i < BUFFERS; ++i) {
    ID3D12GraphicsCommandList_Release(lists[i]);
    ID3D12CommandAllocator_Release(allocators[i]);
  }
  ID3D12DescriptorHeap_Release(heap);
  ID3D12CommandQueue_Release(queue);
  IDXGIAdapter1_Release(adapter);
  const ULONG factories = IDXGIFactory2_Release(factory);
  printf("%u references left\n", factories + ID3D12Device_Release(device));
  return 0;
}
