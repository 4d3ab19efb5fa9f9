// SPDX-License-Identifier: Apache-2.0
// A program that makes mistakes: an unknown flag, a wait that nobody ends, and nothing is released.
#include "api/d3d12/event.hpp"

int main() {
  ID3D12Device* device = nullptr;
  ID3D12CommandQueue* queue = nullptr;
  ID3D12Fence* fence = nullptr;
  if (FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)))) return 1;
  const D3D12_COMMAND_QUEUE_DESC desc = {};
  if (FAILED(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)))) return 1;
  if (SUCCEEDED(device->CreateFence(0, static_cast<D3D12_FENCE_FLAGS>(0x80), IID_PPV_ARGS(&fence)))) return 1;
  if (FAILED(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)))) return 1;
  return FAILED(queue->Wait(fence, 1)) ? 1 : 0;
}
