// SPDX-License-Identifier: Apache-2.0
// What the examples begin with: a device, queues, lists, fences, pipeline states of made shaders.
#pragma once

#include <fenceline/d3d12.hpp>

#include <wrl/client.h>

#include <cstdint>
#include <cstring>
#include <directx/d3dx12.h>
#include <exception>
#include <stdexcept>
#include <string>

using Microsoft::WRL::ComPtr;
namespace made = fenceline::d3d12;

inline void check(HRESULT result, const char* call) {
  if (FAILED(result)) throw std::runtime_error(std::string(call) + " failed");
}
#define CHECKED(call) check(call, #call)

constexpr DXGI_FORMAT target_format = DXGI_FORMAT_R8G8B8A8_UNORM;
constexpr UINT width = 1920;
constexpr UINT height = 1080;

struct Program {
  Program() {
    CHECKED(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_12_0, IID_PPV_ARGS(&device)));
    const CD3DX12_ROOT_SIGNATURE_DESC desc(0, nullptr, 0, nullptr);
    ComPtr<ID3DBlob> blob;
    CHECKED(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, nullptr));
    CHECKED(device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&root)));
    const D3D12_DESCRIPTOR_HEAP_DESC heap{D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 1, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    CHECKED(device->CreateDescriptorHeap(&heap, IID_PPV_ARGS(&views)));
    const CD3DX12_HEAP_PROPERTIES in(D3D12_HEAP_TYPE_DEFAULT);
    const auto texture =
        CD3DX12_RESOURCE_DESC::Tex2D(target_format, width, height, 1, 1, 1, 0, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    CHECKED(device->CreateCommittedResource(&in, D3D12_HEAP_FLAG_NONE, &texture, D3D12_RESOURCE_STATE_RENDER_TARGET,
                                            nullptr, IID_PPV_ARGS(&target)));
    device->CreateRenderTargetView(target.Get(), nullptr, views->GetCPUDescriptorHandleForHeapStart());
  }

  ComPtr<ID3D12CommandQueue> queue(D3D12_COMMAND_LIST_TYPE type, const wchar_t* name) {
    const D3D12_COMMAND_QUEUE_DESC desc{type, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
    ComPtr<ID3D12CommandQueue> one;
    CHECKED(device->CreateCommandQueue(&desc, IID_PPV_ARGS(&one)));
    CHECKED(one->SetName(name));
    return one;
  }
  ComPtr<ID3D12Fence> fence(const wchar_t* name) {
    ComPtr<ID3D12Fence> one;
    CHECKED(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&one)));
    CHECKED(one->SetName(name));
    return one;
  }
  ComPtr<ID3D12Resource> buffer(UINT64 bytes, D3D12_HEAP_TYPE heap) {
    const CD3DX12_HEAP_PROPERTIES in(heap);
    const auto desc = CD3DX12_RESOURCE_DESC::Buffer(bytes);
    const auto state = heap == D3D12_HEAP_TYPE_UPLOAD ? D3D12_RESOURCE_STATE_GENERIC_READ : D3D12_RESOURCE_STATE_COMMON;
    ComPtr<ID3D12Resource> one;
    CHECKED(device->CreateCommittedResource(&in, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr, IID_PPV_ARGS(&one)));
    return one;
  }
  /// Each thread of a group of 64 does so much, in a program of so many instructions.
  ComPtr<ID3D12PipelineState> compute(std::uint32_t alu_instructions, std::uint32_t code_instructions = 0) {
    made::ShaderDesc desc;
    desc.alu_instructions = alu_instructions;
    desc.code_instructions = code_instructions;
    const std::string code = made::shader(made::PipelineStage::compute, desc);
    D3D12_COMPUTE_PIPELINE_STATE_DESC state{};
    state.pRootSignature = root.Get();
    state.CS = {code.data(), code.size()};
    ComPtr<ID3D12PipelineState> one;
    CHECKED(device->CreateComputePipelineState(&state, IID_PPV_ARGS(&one)));
    return one;
  }
  /// Each pixel does so much.
  ComPtr<ID3D12PipelineState> graphics(std::uint32_t alu_instructions) {
    const made::ShaderElement position{"SV_Position"};
    made::ShaderDesc of_vertex;
    of_vertex.alu_instructions = 30;
    of_vertex.outputs = {position};
    made::ShaderDesc of_pixel;
    of_pixel.alu_instructions = alu_instructions;
    of_pixel.inputs = {position};
    of_pixel.outputs = {made::ShaderElement{"SV_Target"}};
    const std::string vertex = made::shader(made::PipelineStage::vertex, of_vertex);
    const std::string pixel = made::shader(made::PipelineStage::pixel, of_pixel);
    D3D12_GRAPHICS_PIPELINE_STATE_DESC state{};
    state.pRootSignature = root.Get();
    state.VS = {vertex.data(), vertex.size()};
    state.PS = {pixel.data(), pixel.size()};
    state.BlendState = CD3DX12_BLEND_DESC(D3D12_DEFAULT);
    state.SampleMask = ~0U;
    state.RasterizerState = CD3DX12_RASTERIZER_DESC(D3D12_DEFAULT);
    state.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
    state.NumRenderTargets = 1;
    state.RTVFormats[0] = target_format;
    state.SampleDesc.Count = 1;
    ComPtr<ID3D12PipelineState> one;
    CHECKED(device->CreateGraphicsPipelineState(&state, IID_PPV_ARGS(&one)));
    return one;
  }
  /// What draws need, over a corner of the target of that size.
  void prepare(ID3D12GraphicsCommandList* list, ID3D12PipelineState* pipeline, UINT across, UINT down) {
    const D3D12_VIEWPORT viewport{0, 0, static_cast<float>(across), static_cast<float>(down), 0, 1};
    const D3D12_RECT scissor{0, 0, static_cast<LONG>(across), static_cast<LONG>(down)};
    const auto view = views->GetCPUDescriptorHandleForHeapStart();
    list->SetGraphicsRootSignature(root.Get());
    list->SetPipelineState(pipeline);
    list->RSSetViewports(1, &viewport);
    list->RSSetScissorRects(1, &scissor);
    list->OMSetRenderTargets(1, &view, FALSE, nullptr);
    list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  }

  ComPtr<ID3D12Device> device;
  ComPtr<ID3D12RootSignature> root;
  ComPtr<ID3D12DescriptorHeap> views;
  ComPtr<ID3D12Resource> target;
};

/// A list of its own allocator, which is open.
struct List {
  List(Program& program, D3D12_COMMAND_LIST_TYPE type, const std::wstring& name) {
    CHECKED(program.device->CreateCommandAllocator(type, IID_PPV_ARGS(&allocator)));
    CHECKED(program.device->CreateCommandList(0, type, allocator.Get(), nullptr, IID_PPV_ARGS(&list)));
    CHECKED(list->SetName(name.c_str()));
  }
  void execute(ID3D12CommandQueue* on) const {
    ID3D12CommandList* const lists[] = {list.Get()};
    on->ExecuteCommandLists(1, lists);
  }
  ID3D12GraphicsCommandList* operator->() const { return list.Get(); }
  ComPtr<ID3D12CommandAllocator> allocator;
  ComPtr<ID3D12GraphicsCommandList> list;
};
