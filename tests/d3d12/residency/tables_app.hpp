// SPDX-License-Identifier: Apache-2.0
// For tests of what descriptor tables show, written from the rules and Microsoft's pages, without knowledge of the
// implementation.
#pragma once

#include "api/d3d12/shader.hpp"
#include "tests/d3d12/pipelines/pipeline_builder.hpp"
#include "tests/d3d12/residency/residency_app.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

inline const std::string tables_memory =
    std::string(slow_pcie) + "/video_memory/dedicated_mib=8\n/video_memory/shared_mib=64\n/tdr/level=recover";

constexpr auto table_srv = D3D12_DESCRIPTOR_RANGE_TYPE_SRV;
constexpr auto table_uav = D3D12_DESCRIPTOR_RANGE_TYPE_UAV;
constexpr auto table_cbv = D3D12_DESCRIPTOR_RANGE_TYPE_CBV;
constexpr auto table_1_0 = D3D_ROOT_SIGNATURE_VERSION_1_0;
constexpr auto table_1_1 = D3D_ROOT_SIGNATURE_VERSION_1_1;
constexpr UINT table_no_end = ~0U;
constexpr UINT table_append = D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND;

using TableBindings = std::vector<fenceline::d3d12::ShaderBinding>;  // kind, space, first and last register

/// Of version 1.0, or of 1.1 with descriptors that may change until they are executed.
struct TableRange {
  D3D12_DESCRIPTOR_RANGE_TYPE type;
  UINT count;
  UINT reg = 0;
  UINT space = 0;
  UINT offset = table_append;
};
struct TableParameter {
  std::vector<TableRange> ranges;
  D3D12_SHADER_VISIBILITY visibility = D3D12_SHADER_VISIBILITY_ALL;
};

inline ComPtr<ID3D12RootSignature> tables_root(
    const App& app, const std::vector<TableParameter>& tables, D3D_ROOT_SIGNATURE_VERSION version = table_1_0,
    D3D12_DESCRIPTOR_RANGE_FLAGS flags = D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE) {
  std::vector<std::vector<D3D12_DESCRIPTOR_RANGE>> old_ranges(tables.size());
  std::vector<std::vector<D3D12_DESCRIPTOR_RANGE1>> new_ranges(tables.size());
  std::vector<D3D12_ROOT_PARAMETER> old_parameters(tables.size());
  std::vector<D3D12_ROOT_PARAMETER1> new_parameters(tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (const TableRange& one : tables[i].ranges) {
      old_ranges[i].push_back({one.type, one.count, one.reg, one.space, one.offset});
      new_ranges[i].push_back({one.type, one.count, one.reg, one.space, flags, one.offset});
    }
    const auto count = static_cast<UINT>(tables[i].ranges.size());
    old_parameters[i].ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
    old_parameters[i].DescriptorTable = {count, old_ranges[i].data()};
    old_parameters[i].ShaderVisibility = tables[i].visibility;
    new_parameters[i].ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
    new_parameters[i].DescriptorTable = {count, new_ranges[i].data()};
    new_parameters[i].ShaderVisibility = tables[i].visibility;
  }
  const auto count = static_cast<UINT>(tables.size());
  if (version == table_1_0) {
    return root_signature(
        app, D3D12_ROOT_SIGNATURE_DESC{count, old_parameters.data(), 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_NONE});
  }
  D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc{};
  desc.Version = table_1_1;
  desc.Desc_1_1 = {count, new_parameters.data(), 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_NONE};
  ComPtr<ID3DBlob> blob;
  REQUIRE(D3D12SerializeVersionedRootSignature(&desc, &blob, nullptr) == S_OK);
  ComPtr<ID3D12RootSignature> made;
  REQUIRE(app.device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&made)) ==
          S_OK);
  return made;
}

/// Sixteen descriptors that shaders see, and a direct queue's list.
struct TablesApp {
  TablesApp() : memory(app), work(app, direct_type) {
    const D3D12_DESCRIPTOR_HEAP_DESC desc{D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, slots,
                                          D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    REQUIRE(app.device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
    REQUIRE(work.queue->GetTimestampFrequency(&frequency) == S_OK);
  }
  static constexpr UINT slots = 16;
  UINT step() const { return app.device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV); }
  D3D12_CPU_DESCRIPTOR_HANDLE cpu(UINT slot) const {
    return {heap->GetCPUDescriptorHandleForHeapStart().ptr + SIZE_T{slot} * step()};
  }
  D3D12_GPU_DESCRIPTOR_HANDLE gpu(UINT slot) const {
    return {heap->GetGPUDescriptorHandleForHeapStart().ptr + UINT64{slot} * step()};
  }
  ID3D12GraphicsCommandList* list() const { return work.list.Get(); }

  ComPtr<ID3D12Resource> writable(UINT64 bytes) {
    return app.buffer(bytes, D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  }
  /// Views of a buffer's first KiB; of null: nothing.
  void show_srv(D3D12_CPU_DESCRIPTOR_HANDLE at, ID3D12Resource* of) const {
    D3D12_SHADER_RESOURCE_VIEW_DESC desc{};
    desc.ViewDimension = D3D12_SRV_DIMENSION_BUFFER;
    desc.Shader4ComponentMapping = D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING;
    desc.Buffer.NumElements = 256;
    desc.Buffer.StructureByteStride = 4;
    app.device->CreateShaderResourceView(of, &desc, at);
  }
  void srv(UINT slot, const ComPtr<ID3D12Resource>& of) const { show_srv(cpu(slot), of.Get()); }
  void uav(UINT slot, const ComPtr<ID3D12Resource>& of, ID3D12Resource* counter = nullptr) const {
    D3D12_UNORDERED_ACCESS_VIEW_DESC desc{};
    desc.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
    desc.Buffer.NumElements = 256;
    desc.Buffer.StructureByteStride = 4;
    app.device->CreateUnorderedAccessView(of.Get(), counter, &desc, cpu(slot));
  }
  void cbv(UINT slot, const ComPtr<ID3D12Resource>& of) const {
    const D3D12_CONSTANT_BUFFER_VIEW_DESC desc{of->GetGPUVirtualAddress(), 256};
    app.device->CreateConstantBufferView(&desc, cpu(slot));
  }

  ComPtr<ID3D12PipelineState> compute(ID3D12RootSignature* root, const TableBindings& bindings) {
    fenceline::d3d12::ShaderDesc shader;
    shader.bindings = bindings;
    return compute_of(root, fenceline::d3d12::shader(fenceline::d3d12::PipelineStage::compute, shader));
  }
  ComPtr<ID3D12PipelineState> compute_of(ID3D12RootSignature* root, const std::string& code) {
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
    desc.pRootSignature = root;
    desc.CS = bytecode(code);
    ComPtr<ID3D12PipelineState> made;
    REQUIRE(app.device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  ComPtr<ID3D12PipelineState> graphics(ID3D12RootSignature* root, const TableBindings& of_vertices,
                                       const TableBindings& of_pixels) {
    fenceline::d3d12::ShaderDesc vertices;
    vertices.outputs.push_back({"SV_Position"});
    vertices.bindings = of_vertices;
    fenceline::d3d12::ShaderDesc pixels;
    pixels.inputs.push_back({"SV_Position"});
    pixels.outputs.push_back({"SV_Target"});
    pixels.bindings = of_pixels;
    const std::string vertex = fenceline::d3d12::shader(fenceline::d3d12::PipelineStage::vertex, vertices);
    const std::string pixel = fenceline::d3d12::shader(fenceline::d3d12::PipelineStage::pixel, pixels);
    auto desc = graphics_desc(vertex, pixel, DXGI_FORMAT_B8G8R8A8_UNORM);
    desc.pRootSignature = root;
    ComPtr<ID3D12PipelineState> made;
    REQUIRE(app.device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }

  void begin(ID3D12RootSignature* root) const {
    ID3D12DescriptorHeap* const heaps[] = {heap.Get()};
    list()->SetDescriptorHeaps(1, heaps);
    list()->SetComputeRootSignature(root);
    list()->SetGraphicsRootSignature(root);
  }
  /// A dispatch that finds parameter 0 at that slot.
  void dispatch(ID3D12RootSignature* root, ID3D12PipelineState* state, UINT slot = 0) const {
    begin(root);
    list()->SetPipelineState(state);
    list()->SetComputeRootDescriptorTable(0, gpu(slot));
    list()->Dispatch(1, 1, 1);
  }
  void draw(ID3D12PipelineState* state) const {
    const D3D12_VIEWPORT viewport{0, 0, 64, 64, 0, 1};
    const D3D12_RECT scissor{0, 0, 64, 64};
    list()->SetPipelineState(state);
    list()->RSSetViewports(1, &viewport);
    list()->RSSetScissorRects(1, &scissor);
    list()->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    list()->DrawInstanced(3, 1, 0, 0);
  }

  HRESULT evict(const ComPtr<ID3D12Resource>& one) const { return memory.evict({one.Get()}); }
  /// The closed list's end, which may be the device's.
  HRESULT execute_again() {
    submit_closed();
    work.wait();
    return app.device->GetDeviceRemovedReason();
  }
  HRESULT execute() {
    REQUIRE(list()->Close() == S_OK);
    return execute_again();
  }
  void submit_closed() {
    ID3D12CommandList* const lists[] = {list()};
    work.queue->ExecuteCommandLists(1, lists);
    work.queue->Signal(work.fence.Get(), ++work.value);
  }
  /// How long the GPU is busy with what is recorded.
  void record_timed(const std::function<void()>& record) const {
    list()->EndQuery(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
    record();
    list()->EndQuery(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1);
    list()->ResolveQueryData(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2, back.Get(), 0);
  }
  double took_us() const {
    const auto ticks = read<UINT64>(back.Get(), 2);
    return static_cast<double>(ticks[1] - ticks[0]) * 1e6 / static_cast<double>(frequency);
  }
  double timed_us(const std::function<void()>& record) {
    record_timed(record);
    work.run();
    return took_us();
  }

  App app;
  VideoMemoryOf memory;
  ComPtr<ID3D12DescriptorHeap> heap;
  ComPtr<ID3D12QueryHeap> stamps = query_heap(app, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2);
  ComPtr<ID3D12Resource> back = app.buffer(2 * sizeof(UINT64), D3D12_HEAP_TYPE_READBACK);
  Recorder work;
  UINT64 frequency = 0;
};

}  // namespace fenceline::testing
