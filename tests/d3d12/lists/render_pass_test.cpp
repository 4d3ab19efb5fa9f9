// SPDX-License-Identifier: Apache-2.0
// Render passes: what lists say of them, and what their beginnings and ends do to bytes.
#include "tests/d3d12/pipelines/pipelines.hpp"

#include <functional>

using namespace fenceline::testing;

namespace {

using Target = D3D12_RENDER_PASS_RENDER_TARGET_DESC;
using DepthStencil = D3D12_RENDER_PASS_DEPTH_STENCIL_DESC;
constexpr auto suspends = D3D12_RENDER_PASS_FLAG_SUSPENDING_PASS;
constexpr auto resumes = D3D12_RENDER_PASS_FLAG_RESUMING_PASS;
constexpr auto plain = D3D12_RENDER_PASS_FLAG_NONE;

ComPtr<ID3D12Resource> texture(App& app, DXGI_FORMAT format, D3D12_RESOURCE_FLAGS flags, UINT samples) {
  return app.resource(
      {D3D12_RESOURCE_DIMENSION_TEXTURE2D, 0, 4, 4, 1, 1, format, {samples, 0}, D3D12_TEXTURE_LAYOUT_UNKNOWN, flags},
      D3D12_HEAP_TYPE_DEFAULT);
}

/// Textures of 4 x 4 texels, drawn to in passes.
struct Passes : App {
  Recorder direct{*this, direct_type};
  ComPtr<List> list;
  ComPtr<ID3D12DescriptorHeap> targets = descriptor_heap(*this, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
  ComPtr<ID3D12DescriptorHeap> depths = descriptor_heap(*this, D3D12_DESCRIPTOR_HEAP_TYPE_DSV);
  ComPtr<ID3D12Resource> back = buffer(2048, D3D12_HEAP_TYPE_READBACK);
  Passes() { REQUIRE(direct.list.As(&list) == S_OK); }

  D3D12_CPU_DESCRIPTOR_HANDLE target(UINT index, ID3D12Resource* of) const {
    const D3D12_CPU_DESCRIPTOR_HANDLE at{targets->GetCPUDescriptorHandleForHeapStart().ptr +
                                         SIZE_T{index} *
                                             device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_RTV)};
    device->CreateRenderTargetView(of, nullptr, at);
    return at;
  }
  D3D12_CPU_DESCRIPTOR_HANDLE depth(ID3D12Resource* of) const {
    const auto at = depths->GetCPUDescriptorHandleForHeapStart();
    device->CreateDepthStencilView(of, nullptr, at);
    return at;
  }
  /// The texel at (3, 2) of a plane, once all has been executed.
  template <class T>
  T texel(ID3D12Resource* of, DXGI_FORMAT format, UINT plane = 0) {
    D3D12_TEXTURE_COPY_LOCATION to{};
    to.pResource = back.Get();
    to.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
    to.PlacedFootprint = {0, {format, 4, 4, 1, 256}};
    D3D12_TEXTURE_COPY_LOCATION from{};
    from.pResource = of;
    from.SubresourceIndex = plane;
    list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
    direct.run();
    return read<T>(back.Get(), 1, 2 * 256 + 3 * sizeof(T))[0];
  }
};

/// Cleared at the beginning to that red.
Target cleared(D3D12_CPU_DESCRIPTOR_HANDLE view, float red) {
  Target target{};
  target.cpuDescriptor = view;
  target.BeginningAccess.Type = D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_CLEAR;
  target.BeginningAccess.Clear.ClearValue.Color[0] = red;
  target.EndingAccess.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_PRESERVE;
  return target;
}

constexpr auto target_flag = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
constexpr auto depth_flag = D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL;

}  // namespace

TEST_CASE("render passes: begin and end in turn, within one list", "[d3d12]") {
  App app;
  const auto begin = [](List* list) { list->BeginRenderPass(0, nullptr, nullptr, plain); };
  CHECK(closed(app, direct_type, [&](List* l) { begin(l), l->EndRenderPass(), begin(l), l->EndRenderPass(); }) == S_OK);
  CHECK(closed(app, direct_type, [&](List* l) { begin(l); }) == E_FAIL);
  CHECK(closed(app, direct_type, [&](List* l) { l->EndRenderPass(); }) == E_FAIL);
  CHECK(closed(app, direct_type, [&](List* l) { begin(l), begin(l), l->EndRenderPass(); }) == E_FAIL);
  CHECK(closed(app, direct_type, [&](List* l) { begin(l), l->EndRenderPass(), l->EndRenderPass(); }) == E_FAIL);
}

TEST_CASE("render passes: nothing but drawing within", "[d3d12]") {
  App app;
  const auto pipeline = graphics_pipeline(app);
  const auto dispatches = compute_pipeline(app);
  const auto to = app.buffer(64);
  const auto from = app.buffer(64);
  const auto target = app.texture(DXGI_FORMAT_B8G8R8A8_UNORM, 4, 4, target_flag);
  const auto heap = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
  const auto view = heap->GetCPUDescriptorHandleForHeapStart();
  app.device->CreateRenderTargetView(target.Get(), nullptr, view);
  const float color[4] = {};
  const auto within = [&](const std::function<void(List*)>& record) {
    return closed(app, direct_type, [&](List* list) {
      list->BeginRenderPass(0, nullptr, nullptr, plain);
      record(list);
      list->EndRenderPass();
    });
  };
  CHECK(within([&](List* l) { l->SetPipelineState(pipeline.Get()), l->DrawInstanced(3, 1, 0, 0); }) == S_OK);
  CHECK(within([&](List* l) {
          D3D12_RESOURCE_BARRIER barrier{};
          barrier.Transition = {to.Get(), 0, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_DEST};
          l->ResourceBarrier(1, &barrier);
        }) == S_OK);
  CHECK(within([&](List* l) { l->SetPipelineState(dispatches.Get()), l->Dispatch(1, 1, 1); }) == E_FAIL);
  CHECK(within([&](List* l) { l->CopyResource(to.Get(), from.Get()); }) == E_FAIL);
  CHECK(within([&](List* l) { l->CopyBufferRegion(to.Get(), 0, from.Get(), 0, 4); }) == E_FAIL);
  CHECK(within([&](List* l) { l->ClearRenderTargetView(view, color, 0, nullptr); }) == E_FAIL);
  CHECK(within([&](List* l) { l->OMSetRenderTargets(1, &view, FALSE, nullptr); }) == E_FAIL);
  CHECK(within([&](List* l) { l->ClearState(nullptr); }) == E_FAIL);
  CHECK(within([&](List* l) { l->DiscardResource(target.Get(), nullptr); }) == E_FAIL);
}

TEST_CASE("render passes: targets are cleared at the beginning, and draws covered by them", "[d3d12]") {
  Passes app;
  constexpr auto format = DXGI_FORMAT_R32_FLOAT;
  const auto one = texture(app, format, target_flag, 1);
  const auto other = texture(app, format, target_flag, 1);
  const Target clear[] = {cleared(app.target(0, one.Get()), 2), cleared(app.target(1, other.Get()), 3)};
  app.list->BeginRenderPass(2, clear, nullptr, plain);
  app.list->EndRenderPass();
  CHECK(app.texel<float>(one.Get(), format) == 2);
  CHECK(app.texel<float>(other.Get(), format) == 3);

  const auto pipeline = graphics_pipeline(app);
  const auto queries = query_heap(app, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 1);
  const D3D12_VIEWPORT viewport{0, 0, 100, 100, 0, 1};
  app.list->RSSetViewports(1, &viewport);
  app.list->SetPipelineState(pipeline.Get());
  app.list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  Target keep = clear[0];
  keep.BeginningAccess.Type = D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_PRESERVE;
  app.list->BeginRenderPass(1, &keep, nullptr, plain);
  app.list->BeginQuery(queries.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0);
  app.list->DrawInstanced(3, 1, 0, 0);
  app.list->EndQuery(queries.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0);
  app.list->EndRenderPass();
  app.list->ResolveQueryData(queries.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0, 1, app.back.Get(), 0);
  app.direct.run();
  CHECK(read<UINT64>(app.back.Get(), 1)[0] == 4 * 4);
}

TEST_CASE("render passes: depth and stencil have accesses and values of their own", "[d3d12]") {
  Passes app;
  const auto both = texture(app, DXGI_FORMAT_D32_FLOAT_S8X24_UINT, depth_flag, 1);
  DepthStencil desc{};
  desc.cpuDescriptor = app.depth(both.Get());
  const auto pass = [&](float depth, UINT8 stencil, bool clears_depth, bool clears_stencil) {
    const auto access = [](bool clears) {
      return clears ? D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_CLEAR : D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_PRESERVE;
    };
    desc.DepthBeginningAccess.Type = access(clears_depth);
    desc.StencilBeginningAccess.Type = access(clears_stencil);
    desc.DepthBeginningAccess.Clear.ClearValue.DepthStencil = {depth, 99};
    desc.StencilBeginningAccess.Clear.ClearValue.DepthStencil = {0.75F, stencil};
    app.list->BeginRenderPass(0, nullptr, &desc, plain);
    app.list->EndRenderPass();
  };
  const auto found = [&] {
    const auto depth = app.texel<float>(both.Get(), DXGI_FORMAT_R32_FLOAT, 0);
    return std::pair(depth, app.texel<std::uint8_t>(both.Get(), DXGI_FORMAT_R8_UINT, 1));
  };
  pass(0.5F, 7, true, true);
  CHECK(found() == std::pair(0.5F, std::uint8_t{7}));
  pass(0.25F, 8, true, false);
  CHECK(found() == std::pair(0.25F, std::uint8_t{7}));
  pass(1.0F, 9, false, true);
  CHECK(found() == std::pair(0.25F, std::uint8_t{9}));
}

TEST_CASE("render passes: samples are resolved at the end, as was said at the beginning", "[d3d12]") {
  Passes app;
  constexpr auto format = DXGI_FORMAT_R32_FLOAT;
  const auto many = texture(app, format, target_flag, 4);
  const auto one = texture(app, format, target_flag, 1);
  D3D12_RENDER_PASS_ENDING_ACCESS_RESOLVE_SUBRESOURCE_PARAMETERS part{0, 0, 0, 0, {0, 0, 4, 4}};
  Target target = cleared(app.target(0, many.Get()), 6);
  target.EndingAccess.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_RESOLVE;
  target.EndingAccess.Resolve = {many.Get(), one.Get(), 1, &part, format, D3D12_RESOLVE_MODE_AVERAGE, TRUE};
  app.list->BeginRenderPass(1, &target, nullptr, plain);
  part = {9, 9, 9, 9, {}};
  app.list->EndRenderPass();
  CHECK(app.texel<float>(one.Get(), format) == 6);

  part = {0, 0, 3, 2, {1, 1, 2, 2}};  // the texel that is looked at alone
  target.BeginningAccess.Clear.ClearValue.Color[0] = 8;
  app.list->BeginRenderPass(1, &target, nullptr, plain);
  app.list->EndRenderPass();
  CHECK(app.texel<float>(one.Get(), format) == 8);

  part = {0, 0, 3, 2, {0, 0, 4, 4}};
  CHECK(closed(app, direct_type, [&](List* list) {
          list->BeginRenderPass(1, &target, nullptr, plain);
          list->EndRenderPass();
        }) == E_INVALIDARG);
}

TEST_CASE("render passes: one that suspends does not end, one that resumes does not begin", "[d3d12]") {
  Passes app;
  constexpr auto format = DXGI_FORMAT_R32_FLOAT;
  const auto many = texture(app, format, target_flag, 2);
  const auto one = texture(app, format, target_flag, 1);
  const D3D12_RENDER_PASS_ENDING_ACCESS_RESOLVE_SUBRESOURCE_PARAMETERS all{};
  Target target = cleared(app.target(0, many.Get()), 5);
  target.EndingAccess.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_RESOLVE;
  target.EndingAccess.Resolve = {many.Get(), one.Get(), 1, &all, format, D3D12_RESOLVE_MODE_MAX, TRUE};
  app.list->BeginRenderPass(1, &target, nullptr, suspends);
  app.list->EndRenderPass();
  app.direct.run();
  CHECK(app.texel<float>(one.Get(), format) == 0);
  target.BeginningAccess.Clear.ClearValue.Color[0] = 1;
  app.list->BeginRenderPass(1, &target, nullptr, suspends | resumes);
  app.list->EndRenderPass();
  app.list->BeginRenderPass(1, &target, nullptr, resumes);
  app.list->EndRenderPass();
  CHECK(app.texel<float>(one.Get(), format) == 5);
}

TEST_CASE("render passes: what is suspended in a list is resumed with the same targets", "[d3d12]") {
  Passes app;
  constexpr auto format = DXGI_FORMAT_R8_UNORM;
  const auto a = texture(app, format, target_flag, 1);
  const auto b = texture(app, format, target_flag, 1);
  const Target first = cleared(app.target(0, a.Get()), 0);
  const Target second = cleared(app.target(1, b.Get()), 0);
  const auto says = [&](const std::vector<Target>& before, D3D12_RENDER_PASS_FLAGS flags,
                        const std::vector<Target>& after) {
    return closed(app, direct_type, [&](List* list) {
      list->BeginRenderPass(static_cast<UINT>(before.size()), before.data(), nullptr, suspends);
      list->EndRenderPass();
      list->BeginRenderPass(static_cast<UINT>(after.size()), after.data(), nullptr, flags);
      list->EndRenderPass();
    });
  };
  CHECK(says({first, second}, resumes, {first, second}) == S_OK);
  CHECK(says({first, second}, resumes, {second, first}) == S_OK);
  CHECK(says({first, second}, plain, {first, second}) == E_FAIL);
  CHECK(says({first, second}, resumes, {first}) == E_FAIL);
  CHECK(says({first}, resumes, {second}) == E_FAIL);
}
