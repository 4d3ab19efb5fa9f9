// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "tests/d3d12/pipelines/graphics_desc.hpp"
#include "tests/d3d12/pipelines/shader_builder.hpp"

#include <wrl/client.h>

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace fenceline::bench {

inline void must(HRESULT result) {
  if (result != S_OK) throw std::runtime_error("D3D12 call failed");
}

/// Device, queue, open list and a pipeline state of empty shaders, on machine `tiny`.
struct D3D12App {
  D3D12App() {
    setenv("FENCELINE_MACHINE", "tiny", 1);
    must(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)));
    const D3D12_COMMAND_QUEUE_DESC queue_desc{};
    must(device->CreateCommandQueue(&queue_desc, IID_PPV_ARGS(&queue)));
    must(device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, IID_PPV_ARGS(&allocator)));
    must(device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, allocator.Get(), nullptr, IID_PPV_ARGS(&list)));
    must(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&fence)));
    const auto code = [](std::uint32_t kind) {
      constexpr std::uint32_t ret = 1U << 24 | 62;
      return testing::dxbc({{"SHEX", testing::program(testing::program_version(kind, 5, 1), {ret})},
                            {"RTS0", testing::empty_root_signature()}});
    };
    const std::string pixel = code(0);
    const std::string vertex = code(1);
    const auto desc = testing::graphics_desc(vertex, pixel, DXGI_FORMAT_R8G8B8A8_UNORM);
    must(device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&pipeline)));
  }
  Microsoft::WRL::ComPtr<ID3D12Device> device;
  Microsoft::WRL::ComPtr<ID3D12CommandQueue> queue;
  Microsoft::WRL::ComPtr<ID3D12CommandAllocator> allocator;
  Microsoft::WRL::ComPtr<ID3D12GraphicsCommandList> list;
  Microsoft::WRL::ComPtr<ID3D12Fence> fence;
  Microsoft::WRL::ComPtr<ID3D12PipelineState> pipeline;
};

}  // namespace fenceline::bench
