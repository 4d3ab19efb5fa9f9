// SPDX-License-Identifier: Apache-2.0
// A program that looks before it works: it asks whether there would be a device, makes one that never gets a queue and
// releases it, then makes the one that it uses.
#include "api/d3d12/event.hpp"

int main() {
  if (FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_12_1, __uuidof(ID3D12Device), nullptr))) return 1;
  ID3D12Device* device = nullptr;
  if (FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)))) return 1;
  D3D12_FEATURE_DATA_D3D12_OPTIONS options{};
  if (FAILED(device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, &options, sizeof options))) return 1;
  device->Release();

  ID3D12CommandQueue* queue = nullptr;
  ID3D12Fence* fence = nullptr;
  const D3D12_COMMAND_QUEUE_DESC desc = {};
  if (FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)))) return 1;
  if (FAILED(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)))) return 1;
  fence->SetName(L"uploaded");
  if (FAILED(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)))) return 1;
  queue->SetName(L"uploads");
  const bool failed = FAILED(queue->Signal(fence, 1)) || FAILED(fence->SetEventOnCompletion(1, nullptr));
  queue->Release();
  fence->Release();
  device->Release();
  return failed ? 1 : 0;
}
