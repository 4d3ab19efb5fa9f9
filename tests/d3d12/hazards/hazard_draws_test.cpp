// SPDX-License-Identifier: Apache-2.0
// Hazards between draws: what they write and read of their targets.
#include "tests/d3d12/hazards/hazard_program.hpp"
#include "tests/d3d12/pipelines/graphics_desc.hpp"
#include "tests/d3d12/queues/timeline.hpp"

#include <memory>

using namespace fenceline::testing;

namespace {

struct Targets : HazardProgram {
  Targets() {
    const auto make = [&](const char* name, DXGI_FORMAT format, D3D12_RESOURCE_FLAGS flags, UINT16 mips = 1) {
      auto made = texture(format, 64, 64, flags, mips);
      REQUIRE(made->SetName(wide(name).c_str()) == S_OK);
      return made;
    };
    color = make("color", DXGI_FORMAT_B8G8R8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET, 3);
    simultaneous = make("simultaneous", DXGI_FORMAT_B8G8R8A8_UNORM,
                        D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET | D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS);
    depth = make("depth", DXGI_FORMAT_D32_FLOAT, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
    const D3D12_DESCRIPTOR_HEAP_DESC colors{D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 2, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    const D3D12_DESCRIPTOR_HEAP_DESC depths{D3D12_DESCRIPTOR_HEAP_TYPE_DSV, 2, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    REQUIRE(device->CreateDescriptorHeap(&colors, IID_PPV_ARGS(&color_heap)) == S_OK);
    REQUIRE(device->CreateDescriptorHeap(&depths, IID_PPV_ARGS(&depth_heap)) == S_OK);
    D3D12_RENDER_TARGET_VIEW_DESC first_mip{};
    first_mip.ViewDimension = D3D12_RTV_DIMENSION_TEXTURE2D;
    device->CreateRenderTargetView(color.Get(), &first_mip, color_view());
    device->CreateRenderTargetView(simultaneous.Get(), nullptr, color_view(1));
    device->CreateDepthStencilView(depth.Get(), nullptr, depth_view());
    D3D12_DEPTH_STENCIL_VIEW_DESC read{};
    read.ViewDimension = D3D12_DSV_DIMENSION_TEXTURE2D;
    read.Flags = D3D12_DSV_FLAG_READ_ONLY_DEPTH;
    device->CreateDepthStencilView(depth.Get(), &read, depth_view(1));
    other = std::make_unique<Lane>(*this, D3D12_COMMAND_LIST_TYPE_DIRECT, "other");
  }
  D3D12_CPU_DESCRIPTOR_HANDLE color_view(UINT index = 0) const { return view(color_heap.Get(), index); }
  D3D12_CPU_DESCRIPTOR_HANDLE depth_view(UINT index = 0) const { return view(depth_heap.Get(), index); }
  D3D12_CPU_DESCRIPTOR_HANDLE view(ID3D12DescriptorHeap* heap, UINT index) const {
    return {heap->GetCPUDescriptorHandleForHeapStart().ptr +
            index * device->GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE_RTV)};
  }
  ComPtr<ID3D12PipelineState> pipeline(UINT8 mask, bool depth_test, bool depth_write) {
    const std::string vertex = shader_of(1, 10);
    const std::string pixel = shader_of(0, 10);
    auto desc = graphics_desc(vertex, pixel, DXGI_FORMAT_B8G8R8A8_UNORM);
    desc.DepthStencilState.DepthFunc = D3D12_COMPARISON_FUNC_LESS;
    desc.DSVFormat = DXGI_FORMAT_D32_FLOAT;
    desc.BlendState.RenderTarget[0].RenderTargetWriteMask = mask;
    desc.DepthStencilState.DepthEnable = depth_test ? TRUE : FALSE;
    desc.DepthStencilState.DepthWriteMask = depth_write ? D3D12_DEPTH_WRITE_MASK_ALL : D3D12_DEPTH_WRITE_MASK_ZERO;
    ComPtr<ID3D12PipelineState> made;
    REQUIRE(device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
    pipelines.push_back(made);
    return made;
  }
  struct DrawOf {
    UINT vertices = 3;
    UINT color_view = 0;
    UINT depth_view = 0;
    D3D12_RECT scissor{0, 0, 64, 64};
  };
  Record draw(const ComPtr<ID3D12PipelineState>& with, DrawOf of) const {
    return [=](ID3D12GraphicsCommandList* list) {
      const auto rtv = color_view(of.color_view);
      const auto dsv = depth_view(of.depth_view);
      const D3D12_VIEWPORT viewport{0, 0, 64, 64, 0, 1};
      list->OMSetRenderTargets(1, &rtv, FALSE, &dsv);
      list->SetPipelineState(with.Get());
      list->RSSetViewports(1, &viewport);
      list->RSSetScissorRects(1, &of.scissor);
      list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
      list->DrawInstanced(of.vertices, 1, 0, 0);
    };
  }
  /// Of hazards alone: states of targets are somebody else's.
  Texts found() {
    other->finish();
    finish();
    Texts texts;
    for (const Said& message : said()) {
      if (message.id == D3D12_MESSAGE_ID_OBJECT_ACCESSED_WHILE_STILL_IN_USE) texts.push_back(message.text);
    }
    return texts;
  }
  ComPtr<ID3D12Resource> color, simultaneous, depth;
  ComPtr<ID3D12DescriptorHeap> color_heap, depth_heap;
  std::vector<ComPtr<ID3D12PipelineState>> pipelines;
  std::unique_ptr<Lane> other;
};

}  // namespace

TEST_CASE("hazards: draws write the targets that they are bound to, where they are", "[d3d12][hazards]") {
  Targets app;
  using DrawOf = Targets::DrawOf;
  constexpr UINT8 all = D3D12_COLOR_WRITE_ENABLE_ALL;
  const auto both = [&](const ComPtr<ID3D12PipelineState>& first, DrawOf a, const ComPtr<ID3D12PipelineState>& second,
                        DrawOf b) {
    app.direct.execute("first", app.draw(first, a));
    app.other->execute("second", app.draw(second, b));
    return app.found();
  };
  const auto colored = app.pipeline(all, false, false);
  const auto masked = app.pipeline(0, false, false);
  const auto tested = app.pipeline(0, true, false);
  const auto written = app.pipeline(0, true, true);

  const Texts texts = both(colored, {}, colored, {});
  REQUIRE(texts.size() == 1);
  // One engine runs both queues, one after the other.
  CHECK(has(texts[0], "used before its fence: subresource 0 of texture \"color\": DrawInstanced of list \"first\""));
  CHECK(both(colored, {}, masked, {}).empty());
  CHECK(both(colored, {}, colored, {0}).empty());                          // no vertices
  CHECK(both(colored, {}, colored, {3, 0, 0, {64, 64, 64, 64}}).empty());  // no pixels
  CHECK(both(colored, {3, 0, 0, {0, 0, 32, 64}}, colored, {3, 0, 0, {32, 0, 64, 64}}).empty());
  CHECK(both(colored, {3, 1}, colored, {3, 1}).empty());  // at other texels, perhaps
  CHECK(both(written, {}, tested, {}).size() == 1);
  CHECK(both(tested, {}, tested, {}).empty());
  CHECK(both(written, {3, 0, 1}, written, {3, 0, 1}).empty());  // a view to read alone
}

TEST_CASE("hazards: draws of a bundle write the targets of the list that executes it", "[d3d12][hazards]") {
  Targets app;
  const auto pipeline = app.pipeline(D3D12_COLOR_WRITE_ENABLE_ALL, false, false);
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_BUNDLE);
  const auto bundle = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_BUNDLE);
  bundle->SetPipelineState(pipeline.Get());
  bundle->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
  bundle->DrawInstanced(3, 1, 0, 0);
  REQUIRE(bundle->Close() == S_OK);
  app.direct.execute("with a bundle", [&](ID3D12GraphicsCommandList* list) {
    const auto rtv = app.color_view();
    const D3D12_VIEWPORT viewport{0, 0, 64, 64, 0, 1};
    list->OMSetRenderTargets(1, &rtv, FALSE, nullptr);
    list->RSSetViewports(1, &viewport);
    list->ExecuteBundle(bundle.Get());
  });
  app.other->execute("clear", [&](ID3D12GraphicsCommandList* list) {
    const float black[4] = {};
    const D3D12_RECT corner{60, 60, 64, 64};
    list->ClearRenderTargetView(app.color_view(), black, 1, &corner);
  });
  const Texts texts = app.found();
  REQUIRE(texts.size() == 1);
  CHECK(has(texts[0], "DrawInstanced of list \"with a bundle\""));
  CHECK(has(texts[0], "ClearRenderTargetView of list \"clear\""));
}

TEST_CASE("hazards: a transition is a write of its subresources", "[d3d12][hazards]") {
  Targets app;
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto upload = [&](UINT subresource) {
    return [&, subresource](ID3D12GraphicsCommandList* list) {
      D3D12_TEXTURE_COPY_LOCATION to{app.color.Get(), D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX, {}};
      to.SubresourceIndex = subresource;
      D3D12_TEXTURE_COPY_LOCATION source{from.Get(), D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT, {}};
      const UINT extent = 64U >> subresource;
      source.PlacedFootprint = {0, {DXGI_FORMAT_B8G8R8A8_UNORM, extent, extent, 1, 256}};
      list->CopyTextureRegion(&to, 0, 0, 0, &source, nullptr);
    };
  };
  const auto barrier = [&](UINT subresource) {
    return [&, subresource](ID3D12GraphicsCommandList* list) {
      D3D12_RESOURCE_BARRIER one{};
      one.Transition = {app.color.Get(), subresource, D3D12_RESOURCE_STATE_COMMON,
                        D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE};
      list->ResourceBarrier(1, &one);
    };
  };
  app.one.execute("upload", upload(1));
  app.direct.execute("use", barrier(0));
  CHECK(app.found().empty());
  app.one.execute("upload", upload(0));
  app.direct.execute("use", barrier(D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES));
  const Texts texts = app.found();
  REQUIRE(texts.size() == 1);
  CHECK(has(texts[0], "subresource 0 of texture \"color\""));
  CHECK(has(texts[0], "ResourceBarrier of list \"use\" on queue2 (\"3D\") writes"));
  app.one.execute("upload", upload(0));
  app.one.signal();
  app.direct.wait(app.one);
  app.direct.execute("use", barrier(D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES));
  CHECK(app.found().empty());
}
