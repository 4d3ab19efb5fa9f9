// SPDX-License-Identifier: Apache-2.0
// What descriptor tables show, beside tables_blind_test.cpp: when it is asked, and descriptors that show nothing.
#include "api/d3d12/shader.hpp"
#include "tests/d3d12/pipelines/pipeline_builder.hpp"
#include "tests/d3d12/residency/residency_app.hpp"

#include <string>

using namespace fenceline::testing;

namespace {

const std::string table_memory = "/video_memory/dedicated_mib=8\n/video_memory/shared_mib=64\n/tdr/level=recover";

/// A dispatch that reads a constant buffer by a table.
struct TableApp {
  TableApp() : memory(app), work(app, direct_type) {
    const D3D12_DESCRIPTOR_HEAP_DESC desc{D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1,
                                          D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    REQUIRE(app.device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
    const D3D12_DESCRIPTOR_RANGE range{D3D12_DESCRIPTOR_RANGE_TYPE_CBV, 1, 0, 0, 0};
    D3D12_ROOT_PARAMETER parameter{};
    parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
    parameter.DescriptorTable = {1, &range};
    root = root_signature(app, D3D12_ROOT_SIGNATURE_DESC{1, &parameter, 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_NONE});
    fenceline::d3d12::ShaderDesc shader;
    shader.bindings = {{D3D12_DESCRIPTOR_RANGE_TYPE_CBV, 0, 0, 0}};
    const std::string code = fenceline::d3d12::shader(fenceline::d3d12::PipelineStage::compute, shader);
    D3D12_COMPUTE_PIPELINE_STATE_DESC of{};
    of.pRootSignature = root.Get();
    of.CS = bytecode(code);
    REQUIRE(app.device->CreateComputePipelineState(&of, IID_PPV_ARGS(&pipeline)) == S_OK);
  }
  void show(const ComPtr<ID3D12Resource>& of, UINT bytes = 256) const {
    const D3D12_CONSTANT_BUFFER_VIEW_DESC view{of->GetGPUVirtualAddress(), bytes};
    app.device->CreateConstantBufferView(&view, heap->GetCPUDescriptorHandleForHeapStart());
  }
  void record() const {
    ID3D12DescriptorHeap* const heaps[] = {heap.Get()};
    work.list->SetDescriptorHeaps(1, heaps);
    work.list->SetComputeRootSignature(root.Get());
    work.list->SetPipelineState(pipeline.Get());
    work.list->SetComputeRootDescriptorTable(0, heap->GetGPUDescriptorHandleForHeapStart());
    work.list->Dispatch(1, 1, 1);
  }
  HRESULT end() const {
    work.wait();
    return app.device->GetDeviceRemovedReason();
  }

  App app;
  VideoMemoryOf memory;
  ComPtr<ID3D12DescriptorHeap> heap;
  ComPtr<ID3D12RootSignature> root;
  ComPtr<ID3D12PipelineState> pipeline;
  ComPtr<ID3D12Resource> gone = app.buffer(mib);
  Recorder work;
};

}  // namespace

TEST_CASE("residency: what tables show is asked once something is not resident or need not be", "[d3d12][residency]") {
  if (!runs_with(table_memory)) return;
  TableApp app;
  app.show(app.gone);
  app.record();
  const auto gate = app.app.fence();
  REQUIRE(app.work.queue->Wait(gate.Get(), 1) == S_OK);
  const bool is_paging = GENERATE(false, true);
  const auto other = is_paging ? app.memory.not_resident(mib) : app.memory.heap(mib);
  app.work.submit();
  REQUIRE(app.memory.evict({app.gone.Get()}) == S_OK);
  REQUIRE(gate->Signal(1) == S_OK);
  CHECK(app.end() == (is_paging ? DXGI_ERROR_DEVICE_HUNG : S_OK));
}

TEST_CASE("residency: a constant buffer view of nothing shows nothing", "[d3d12][residency]") {
  if (!runs_with(table_memory)) return;
  TableApp app;
  app.show(app.gone);
  HRESULT end = S_OK;
  SECTION("none is made in its place") { end = DXGI_ERROR_DEVICE_HUNG; }
  SECTION("of no description") {
    app.app.device->CreateConstantBufferView(nullptr, app.heap->GetCPUDescriptorHandleForHeapStart());
  }
  SECTION("of a description that is wrong") { app.show(app.gone, 255); }
  SECTION("of an address at which there is nothing any more") {
    auto dead = app.app.buffer(mib);
    app.show(dead);
  }
  app.record();
  REQUIRE(app.memory.evict({app.gone.Get()}) == S_OK);
  app.work.submit();
  CHECK(app.end() == end);
}

TEST_CASE("residency: a descriptor whose resource is gone shows nothing while its heap is there",
          "[d3d12][residency]") {
  if (!runs_with(table_memory)) return;
  TableApp app;
  const auto home = app.memory.heap(mib);
  auto inside = app.memory.placed(home.Get(), page_bytes);
  app.app.device->CreateShaderResourceView(inside.Get(), nullptr, app.heap->GetCPUDescriptorHandleForHeapStart());
  const bool released = GENERATE(false, true);
  if (released) inside.Reset();
  app.record();
  REQUIRE(app.memory.evict({home.Get()}) == S_OK);
  app.work.submit();
  CHECK(app.end() == (released ? S_OK : DXGI_ERROR_DEVICE_HUNG));
}
