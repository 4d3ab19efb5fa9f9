/* SPDX-License-Identifier: Apache-2.0 */
/* A stranger's D3D12 program in C. */
#define COBJMACROS
#include <fenceline/d3d12.hpp>

#ifndef DXGI_ERROR_ALREADY_EXISTS
#error "DXGI_ERROR_ALREADY_EXISTS comes with d3d12.hpp"
#endif

#if !defined(__IDXGIObject_INTERFACE_DEFINED__) || !defined(__IDXGIFactory2_INTERFACE_DEFINED__) || \
    !defined(__IDXGISwapChain4_INTERFACE_DEFINED__) || !defined(__IDXGIAdapter4_INTERFACE_DEFINED__)
#error "d3d12.hpp defines the macros by which programs see which interfaces there are"
#endif

#include <stdio.h>

/* The library's notifier is found by the IID that the linker knows. */
static int notifies(ID3D12Fence* fence) {
  ID3DDestructionNotifier* notifier = NULL;
  if (FAILED(ID3D12Fence_QueryInterface(fence, &IID_ID3DDestructionNotifier, (void**)&notifier))) return 0;
  notifier->lpVtbl->Release(notifier);
  return 1;
}

int main(void) {
  ID3D12Device* device = NULL;
  ID3D12CommandQueue* queue = NULL;
  ID3D12Fence* fence = NULL;
  IDXGIFactory4* factory = NULL;
  D3D12_COMMAND_QUEUE_DESC desc = {D3D12_COMMAND_LIST_TYPE_DIRECT, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
  const HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL);
  if (FAILED(CreateDXGIFactory2(0, &IID_IDXGIFactory4, (void**)&factory))) return 1;
  if (FAILED(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_12_0, &IID_ID3D12Device, (void**)&device))) return 1;
  if (FAILED(ID3D12Device_CreateCommandQueue(device, &desc, &IID_ID3D12CommandQueue, (void**)&queue))) return 1;
  if (FAILED(ID3D12Device_CreateFence(device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence, (void**)&fence))) return 1;
  if (!notifies(fence)) return 1;
  if (FAILED(ID3D12CommandQueue_Signal(queue, fence, 1))) return 1;
  if (FAILED(ID3D12Fence_SetEventOnCompletion(fence, 1, event))) return 1;
  if (WaitForSingleObject(event, INFINITE) != WAIT_OBJECT_0) return 1;
  CloseHandle(event);
  ID3D12Fence_Release(fence);
  ID3D12CommandQueue_Release(queue);
  ID3D12Device_Release(device);
  IDXGIFactory4_Release(factory);
  printf("d3d12: the fence came\n");
  return 0;
}
