// SPDX-License-Identifier: Apache-2.0
// A stranger's D3D12 program.
#include <fenceline/d3d12.hpp>

#include <wrl/client.h>

#include <iostream>

using Microsoft::WRL::ComPtr;

int main() {
  ComPtr<ID3D12Device> device;
  if (FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_12_0, IID_PPV_ARGS(&device)))) return 1;
  ComPtr<ID3D12CommandQueue> queue;
  const D3D12_COMMAND_QUEUE_DESC desc{};
  if (FAILED(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)))) return 1;
  ComPtr<ID3D12Fence> fence;
  if (FAILED(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)))) return 1;
  const HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  if (FAILED(queue->Signal(fence.Get(), 1)) || FAILED(fence->SetEventOnCompletion(1, event))) return 1;
  if (WaitForSingleObject(event, INFINITE) != WAIT_OBJECT_0) return 1;
  CloseHandle(event);
  std::cout << "d3d12: the fence came\n";
}
