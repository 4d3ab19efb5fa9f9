// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/dxgi.hpp"
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"

namespace fenceline::testing {

/// An object of each kind, whose methods are given nothing.
/// Of what is not there.
constexpr UINT many = 1000;

struct Objects : DebuggedApp {
  Objects()
      : queue_of(queue(D3D12_COMMAND_LIST_TYPE_DIRECT)),
        fence_of(fence()),
        into(allocator(D3D12_COMMAND_LIST_TYPE_DIRECT)),
        mapped(buffer(256, D3D12_HEAP_TYPE_UPLOAD)),
        target(texture(DXGI_FORMAT_R8G8B8A8_UNORM, 8, 8, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET)),
        pipeline(compute_pipeline(*this)),
        targets(descriptor_heap(*this, D3D12_DESCRIPTOR_HEAP_TYPE_RTV)),
        queries(query_heap(*this, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1)) {
    REQUIRE(device.As(&newest) == S_OK);
    device->CreateRenderTargetView(target.Get(), nullptr, view());
    REQUIRE(newest->CreatePipelineLibrary(nullptr, 0, IID_PPV_ARGS(&library)) == S_OK);
    const D3D12_SHADER_CACHE_SESSION_DESC desc{{1, 2, 3, {}}, D3D12_SHADER_CACHE_MODE_MEMORY, {}, 0, 0, 0, 0};
    REQUIRE(newest->CreateShaderCacheSession(&desc, IID_PPV_ARGS(&cache)) == S_OK);
    REQUIRE(CreateDXGIFactory2(0, IID_PPV_ARGS(&factory)) == S_OK);
  }
  D3D12_CPU_DESCRIPTOR_HANDLE view() const { return targets->GetCPUDescriptorHandleForHeapStart(); }

  ComPtr<ID3D12Device11> newest;
  ComPtr<ID3D12CommandQueue> queue_of;
  ComPtr<ID3D12Fence> fence_of;
  ComPtr<ID3D12CommandAllocator> into;
  ComPtr<ID3D12Resource> mapped, target;
  ComPtr<ID3D12PipelineState> pipeline;
  ComPtr<ID3D12DescriptorHeap> targets;
  ComPtr<ID3D12QueryHeap> queries;
  ComPtr<ID3D12PipelineLibrary1> library;
  ComPtr<ID3D12ShaderCacheSession> cache;
  ComPtr<IDXGIFactory7> factory;
};

using Device = ID3D12Device11;

struct Row {
  const char* name;
  HRESULT answer;
  std::function<HRESULT(Objects&)> call;
};

/// Of functions that return nothing.
inline std::function<HRESULT(Objects&)> quiet(std::function<void(Objects&)> call) {
  return [call = std::move(call)](Objects& of) {
    call(of);
    return S_OK;
  };
}

/// Where an object would be put.
inline void** place() {
  static void* object = nullptr;
  return &object;
}

}  // namespace fenceline::testing
