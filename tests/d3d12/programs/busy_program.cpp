// SPDX-License-Identifier: Apache-2.0
// A program with a long tale to tell: signals, each waited for.
#include "api/d3d12/event.hpp"

#include <cstdio>

int main() {
  constexpr UINT64 signals = 4000;
  ID3D12Device* device = nullptr;
  ID3D12CommandQueue* queue = nullptr;
  ID3D12Fence* fence = nullptr;
  const D3D12_COMMAND_QUEUE_DESC desc = {};
  if (FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)))) return 1;
  if (FAILED(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)))) return 1;
  if (FAILED(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)))) return 1;
  for (UINT64 value = 1; value <= signals; ++value) {
    if (FAILED(queue->Signal(fence, value)) || FAILED(fence->SetEventOnCompletion(value, nullptr))) return 1;
  }
  std::printf("%d of %d signals\n", static_cast<int>(fence->GetCompletedValue()), static_cast<int>(signals));
  queue->Release();
  fence->Release();
  device->Release();
  return 0;
}
