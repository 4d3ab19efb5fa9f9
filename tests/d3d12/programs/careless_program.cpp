// SPDX-License-Identifier: Apache-2.0
// A program that makes mistakes: an unknown flag, recompiles and a wait that nobody ends, and nothing is released.
#include "api/d3d12/event.hpp"
#include "api/d3d12/shader.hpp"

#include <string>

namespace {

using namespace fenceline::d3d12;

/// Dispatches with a root constant, and commits what the driver measured, without a wait for its tasks.
bool leave_recompile(ID3D12Device* device, ID3D12CommandQueue* queue) {
  ID3D12Device6* measuring = nullptr;
  ID3DBlob* blob = nullptr;
  ID3D12RootSignature* root = nullptr;
  ID3D12PipelineState* pipeline = nullptr;
  ID3D12CommandAllocator* allocator = nullptr;
  ID3D12GraphicsCommandList* list = nullptr;
  ID3D12Fence* done = nullptr;
  const std::string code = shader(PipelineStage::compute);
  D3D12_ROOT_PARAMETER parameter{};
  parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  parameter.Constants.Num32BitValues = 1;
  const D3D12_ROOT_SIGNATURE_DESC roots{1, &parameter, 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_NONE};
  if (FAILED(D3D12SerializeRootSignature(&roots, D3D_ROOT_SIGNATURE_VERSION_1, &blob, nullptr)) ||
      FAILED(device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&root)))) {
    return false;
  }
  D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
  desc.pRootSignature = root;
  desc.CS = {code.data(), code.size()};
  constexpr auto type = D3D12_COMMAND_LIST_TYPE_DIRECT;
  if (FAILED(device->QueryInterface(IID_PPV_ARGS(&measuring))) ||
      FAILED(device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&pipeline))) ||
      FAILED(device->CreateCommandAllocator(type, IID_PPV_ARGS(&allocator))) ||
      FAILED(device->CreateCommandList(0, type, allocator, pipeline, IID_PPV_ARGS(&list))) ||
      FAILED(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&done)))) {
    return false;
  }
  measuring->SetBackgroundProcessingMode(D3D12_BACKGROUND_PROCESSING_MODE_ALLOW_INTRUSIVE_MEASUREMENTS,
                                         D3D12_MEASUREMENTS_ACTION_KEEP_ALL, nullptr, nullptr);
  list->SetComputeRootSignature(root);
  list->SetComputeRoot32BitConstant(0, 7, 0);
  list->Dispatch(1, 1, 1);
  if (FAILED(list->Close())) return false;
  ID3D12CommandList* const lists[] = {list};
  queue->ExecuteCommandLists(1, lists);
  if (FAILED(queue->Signal(done, 1)) || FAILED(done->SetEventOnCompletion(1, nullptr))) return false;
  return SUCCEEDED(measuring->SetBackgroundProcessingMode(D3D12_BACKGROUND_PROCESSING_MODE_ALLOWED,
                                                          D3D12_MEASUREMENTS_ACTION_COMMIT_RESULTS, nullptr, nullptr));
}

}  // namespace

int main() {
  ID3D12Device* device = nullptr;
  ID3D12CommandQueue* queue = nullptr;
  ID3D12Fence* fence = nullptr;
  if (FAILED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)))) return 1;
  const D3D12_COMMAND_QUEUE_DESC desc = {};
  if (FAILED(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)))) return 1;
  if (SUCCEEDED(device->CreateFence(0, static_cast<D3D12_FENCE_FLAGS>(0x80), IID_PPV_ARGS(&fence)))) return 1;
  if (!leave_recompile(device, queue)) return 1;
  if (FAILED(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)))) return 1;
  return FAILED(queue->Wait(fence, 1)) ? 1 : 0;
}
