// SPDX-License-Identifier: Apache-2.0
// What draws take of the state that a list has set, as occlusion queries count it.
#include "tests/d3d12/pipelines/pipelines.hpp"

#include <functional>

using namespace fenceline::testing;

namespace {

ComPtr<ID3D12PipelineState> multisampled_pipeline(App& app, UINT samples) {
  const std::string vertex = empty_shader(1);
  D3D12_GRAPHICS_PIPELINE_STATE_DESC desc{};
  desc.VS = {vertex.data(), vertex.size()};
  desc.RasterizerState.FillMode = D3D12_FILL_MODE_SOLID;
  desc.RasterizerState.CullMode = D3D12_CULL_MODE_NONE;
  desc.NumRenderTargets = 1;
  desc.RTVFormats[0] = DXGI_FORMAT_B8G8R8A8_UNORM;
  desc.SampleMask = ~0U;
  desc.SampleDesc.Count = samples;
  desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
  ComPtr<ID3D12PipelineState> made;
  REQUIRE(app.device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

/// Draws that cover a viewport of 100 x 100 texels.
struct Draws {
  App app;
  Recorder direct{app, direct_type};
  ComPtr<ID3D12DescriptorHeap> targets = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);  // 4 views
  ComPtr<ID3D12DescriptorHeap> depths = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_DSV);
  std::vector<ComPtr<ID3D12Resource>> textures;

  D3D12_CPU_DESCRIPTOR_HANDLE target(UINT index) const {
    return {targets->GetCPUDescriptorHandleForHeapStart().ptr +
            SIZE_T{index} * app.device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_RTV)};
  }
  void view(UINT index, UINT64 width, UINT height) {
    textures.push_back(app.texture(DXGI_FORMAT_B8G8R8A8_UNORM, width, height, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET));
    app.device->CreateRenderTargetView(textures.back().Get(), nullptr, target(index));
  }
  D3D12_CPU_DESCRIPTOR_HANDLE depth(UINT64 width, UINT height) {
    textures.push_back(app.texture(DXGI_FORMAT_D32_FLOAT, width, height, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL));
    const auto at = depths->GetCPUDescriptorHandleForHeapStart();
    app.device->CreateDepthStencilView(textures.back().Get(), nullptr, at);
    return at;
  }

  UINT64 count(const std::function<void(ID3D12GraphicsCommandList*)>& set, UINT samples = 1) {
    const auto pipeline = multisampled_pipeline(app, samples);
    const auto heap = query_heap(app, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 1);
    const auto back = app.buffer(8, D3D12_HEAP_TYPE_READBACK);
    auto* const list = direct.list.Get();
    const D3D12_VIEWPORT viewport{0, 0, 100, 100, 0, 1};
    list->RSSetViewports(1, &viewport);
    list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
    list->SetPipelineState(pipeline.Get());
    set(list);
    list->BeginQuery(heap.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0);
    list->DrawInstanced(4, 1, 0, 0);
    list->EndQuery(heap.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0);
    list->ResolveQueryData(heap.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0, 1, back.Get(), 0);
    direct.run();
    return read<UINT64>(back.Get(), 1)[0];
  }
};

}  // namespace

TEST_CASE("draw state: render targets one by one, in a range, or none", "[d3d12]") {
  Draws draws;
  draws.view(0, 80, 90);
  draws.view(1, 70, 60);
  draws.view(2, 20, 30);
  const auto bound = [&](const std::vector<UINT>& targets, bool range, const D3D12_CPU_DESCRIPTOR_HANDLE* depth) {
    return draws.count([&](auto* list) {
      std::vector<D3D12_CPU_DESCRIPTOR_HANDLE> handles;
      handles.reserve(targets.size());
      for (const UINT index : targets) handles.push_back(draws.target(index));
      list->OMSetRenderTargets(range ? 2 : static_cast<UINT>(handles.size()), handles.data(), range, depth);
    });
  };
  CHECK(draws.count([](auto*) {}) == 100 * 100);
  CHECK(bound({}, false, nullptr) == 100 * 100);
  CHECK(bound({0}, false, nullptr) == 80 * 90);
  CHECK(bound({0, 2}, false, nullptr) == 20 * 30);
  CHECK(bound({0}, true, nullptr) == 70 * 60);  // and the one behind it
  CHECK(bound({1}, true, nullptr) == 20 * 30);
  CHECK(bound({3}, false, nullptr) == 100 * 100);  // a descriptor that was never written
  const auto depth = draws.depth(50, 200);
  CHECK(bound({0}, false, &depth) == 50 * 90);
  CHECK(bound({}, false, &depth) == 50 * 100);
}

TEST_CASE("draw state: at most 8 render targets, and where they are", "[d3d12]") {
  Draws draws;
  draws.view(0, 8, 8);
  const std::vector<D3D12_CPU_DESCRIPTOR_HANDLE> nine(9, draws.target(0));
  const auto says = [&](UINT count, const D3D12_CPU_DESCRIPTOR_HANDLE* handles) {
    return closed(draws.app, direct_type,
                  [&](auto* list) { list->OMSetRenderTargets(count, handles, FALSE, nullptr); });
  };
  CHECK(says(8, nine.data()) == S_OK);
  CHECK(says(0, nullptr) == S_OK);
  CHECK(says(9, nine.data()) == E_INVALIDARG);
  CHECK(says(1, nullptr) == E_INVALIDARG);
}

TEST_CASE("draw state: occlusion counts samples", "[d3d12]") {
  Draws draws;
  for (const UINT samples : {1U, 2U, 4U, 8U}) CHECK(draws.count([](auto*) {}, samples) == samples * 100 * 100);
}

TEST_CASE("draw state: a draw without a graphics pipeline state is dropped, and counts nothing", "[d3d12]") {
  Draws draws;
  const auto compute = compute_pipeline(draws.app);
  CHECK(draws.count([](auto* list) { list->ClearState(nullptr); }) == 0);
  CHECK(draws.count([&](auto* list) { list->SetPipelineState(compute.Get()); }) == 0);
}

TEST_CASE("draw state: an index buffer of 16 or 32 bits, or of a format that says nothing", "[d3d12]") {
  App app;
  const auto says = [&](DXGI_FORMAT format) {
    const D3D12_INDEX_BUFFER_VIEW view{0, 64, format};
    return closed(app, direct_type, [&](auto* list) { list->IASetIndexBuffer(&view); });
  };
  for (const auto format : {DXGI_FORMAT_R16_UINT, DXGI_FORMAT_R32_UINT, DXGI_FORMAT_UNKNOWN})
    CHECK(says(format) == S_OK);
  CHECK(says(DXGI_FORMAT_R8_UINT) == E_INVALIDARG);
  CHECK(closed(app, direct_type, [](auto* list) { list->IASetIndexBuffer(nullptr); }) == S_OK);
}
