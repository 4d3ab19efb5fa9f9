// SPDX-License-Identifier: Apache-2.0
// Descriptor handles that name no descriptor: past their heap, before it, between two descriptors, of a heap that is
// gone, zero and garbage. Every method that takes one answers it with D3D12's message, and writes nothing.
#include "api/d3d12/resources/descriptor_heaps.hpp"
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using d3d12::DescriptorHeaps;

namespace {

using Handle = D3D12_CPU_DESCRIPTOR_HANDLE;
constexpr UINT step = d3d12::descriptor_increment;
constexpr float color[4] = {1, 1, 1, 1};
constexpr UINT integers[4] = {1, 1, 1, 1};

struct Handles : DebuggedApp {
  Handles()
      : target(texture(DXGI_FORMAT_R8G8B8A8_UNORM, 8, 8, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET)),
        heap(descriptor_heap(*this, D3D12_DESCRIPTOR_HEAP_TYPE_RTV)),  // of 4
        visible(descriptor_heap(*this, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, true)) {
    REQUIRE(device.As(&newest) == S_OK);
  }
  Handle at(SIZE_T byte) const { return {heap->GetCPUDescriptorHandleForHeapStart().ptr + byte}; }
  /// What a new direct list's Close returns.
  HRESULT closed(const std::function<void(List&)>& record) {
    const auto into = allocator(D3D12_COMMAND_LIST_TYPE_DIRECT);
    const auto made = list(into.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
    ComPtr<List> recording;
    REQUIRE(made.As(&recording) == S_OK);
    record(*recording.Get());
    return made->Close();
  }
  /// Handles that name no descriptor of this device.
  std::vector<Handle> wrong() {
    std::vector<Handle> all = {{0},
                               {1},
                               {~SIZE_T{0}},
                               {reinterpret_cast<SIZE_T>(&all)},
                               at(4 * step),
                               at(5 * step),
                               at(SIZE_T{1} << 29),
                               at(SIZE_T{1} << 30),
                               at(SIZE_T{1} << 50),
                               at(1),
                               at(step / 2),
                               at(3 * step + 8),
                               at(SIZE_T{0} - step),
                               at(SIZE_T{0} - 1)};
    auto gone = descriptor_heap(*this, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
    all.push_back(gone->GetCPUDescriptorHandleForHeapStart());
    gone.Reset();
    const auto successor = descriptor_heap(*this, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);  // in the same place
    CHECK(successor->GetCPUDescriptorHandleForHeapStart().ptr != all.back().ptr);
    return all;
  }

  ComPtr<ID3D12Resource> target;
  ComPtr<ID3D12DescriptorHeap> heap, visible;
  ComPtr<ID3D12Device8> newest;
};

struct Method {
  const char* name;
  int id;
  std::function<HRESULT(Handles&, Handle)> call;  ///< answers what a list's Close does, S_OK of a device's method
};

std::vector<Method> methods() {
  constexpr int no_handle = D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE;
  constexpr int no_range = D3D12_MESSAGE_ID_COPY_DESCRIPTORS_INVALID_RANGES;
  const auto on_device = [](const char* name, int id, std::function<void(Handles&, Handle)> call) {
    return Method{name, id, [call = std::move(call)](Handles& app, Handle at) {
                    call(app, at);
                    return S_OK;
                  }};
  };
  const auto on_list = [](const char* name, int id, std::function<void(List&, Handle)> call) {
    return Method{name, id, [call = std::move(call)](Handles& app, Handle at) {
                    return app.closed([&](List& list) { call(list, at); });
                  }};
  };
  constexpr auto rtv = D3D12_DESCRIPTOR_HEAP_TYPE_RTV;
  return {
      on_device("CreateConstantBufferView", no_handle,
                [](Handles& app, Handle at) { app.device->CreateConstantBufferView(nullptr, at); }),
      on_device("CreateShaderResourceView", no_handle,
                [](Handles& app, Handle at) { app.device->CreateShaderResourceView(app.target.Get(), nullptr, at); }),
      on_device("CreateUnorderedAccessView", no_handle,
                [](Handles& app, Handle at) {
                  app.device->CreateUnorderedAccessView(app.target.Get(), nullptr, nullptr, at);
                }),
      on_device("CreateRenderTargetView", no_handle,
                [](Handles& app, Handle at) { app.device->CreateRenderTargetView(app.target.Get(), nullptr, at); }),
      on_device("CreateDepthStencilView", no_handle,
                [](Handles& app, Handle at) { app.device->CreateDepthStencilView(app.target.Get(), nullptr, at); }),
      on_device("CreateSampler", no_handle, [](Handles& app, Handle at) { app.device->CreateSampler(nullptr, at); }),
      on_device(
          "CreateSamplerFeedbackUnorderedAccessView", no_handle,
          [](Handles& app, Handle at) { app.newest->CreateSamplerFeedbackUnorderedAccessView(nullptr, nullptr, at); }),
      on_device("CopyDescriptors to", no_range,
                [](Handles& app, Handle at) {
                  const Handle from = app.at(0);
                  app.device->CopyDescriptors(1, &at, nullptr, 1, &from, nullptr, rtv);
                }),
      on_device("CopyDescriptors from", no_range,
                [](Handles& app, Handle at) {
                  const Handle to = app.at(0);
                  app.device->CopyDescriptors(1, &to, nullptr, 1, &at, nullptr, rtv);
                }),
      on_device("CopyDescriptorsSimple to", no_range,
                [](Handles& app, Handle at) { app.device->CopyDescriptorsSimple(2, at, app.at(0), rtv); }),
      on_device("CopyDescriptorsSimple from", no_range,
                [](Handles& app, Handle at) { app.device->CopyDescriptorsSimple(2, app.at(0), at, rtv); }),
      on_list("ClearRenderTargetView", no_handle,
              [](List& list, Handle at) { list.ClearRenderTargetView(at, color, 0, nullptr); }),
      on_list("ClearDepthStencilView", no_handle,
              [](List& list, Handle at) { list.ClearDepthStencilView(at, D3D12_CLEAR_FLAG_DEPTH, 1, 0, 0, nullptr); }),
      on_list("ClearUnorderedAccessViewUint", no_handle,
              [](List& list, Handle at) {
                list.ClearUnorderedAccessViewUint({at.ptr}, at, nullptr, integers, 0, nullptr);
              }),
      on_list(
          "ClearUnorderedAccessViewFloat", no_handle,
          [](List& list, Handle at) { list.ClearUnorderedAccessViewFloat({at.ptr}, at, nullptr, color, 0, nullptr); }),
      on_list("OMSetRenderTargets of a target", no_handle,
              [](List& list, Handle at) { list.OMSetRenderTargets(1, &at, FALSE, nullptr); }),
      on_list("OMSetRenderTargets of a range", no_handle,
              [](List& list, Handle at) { list.OMSetRenderTargets(2, &at, TRUE, nullptr); }),
      on_list("OMSetRenderTargets of a depth stencil", no_handle,
              [](List& list, Handle at) { list.OMSetRenderTargets(0, nullptr, FALSE, &at); }),
      on_list("BeginRenderPass of a target", no_handle,
              [](List& list, Handle at) {
                D3D12_RENDER_PASS_RENDER_TARGET_DESC desc{};
                desc.cpuDescriptor = at;
                desc.BeginningAccess.Type = D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_CLEAR;
                list.BeginRenderPass(1, &desc, nullptr, D3D12_RENDER_PASS_FLAG_NONE);
              }),
      on_list("BeginRenderPass of a depth stencil", no_handle,
              [](List& list, Handle at) {
                D3D12_RENDER_PASS_DEPTH_STENCIL_DESC desc{};
                desc.cpuDescriptor = at;
                list.BeginRenderPass(0, nullptr, &desc, D3D12_RENDER_PASS_FLAG_NONE);
              }),
      on_list("SetComputeRootDescriptorTable", D3D12_MESSAGE_ID_SET_DESCRIPTOR_TABLE_INVALID,
              [](List& list, Handle at) { list.SetComputeRootDescriptorTable(0, {at.ptr}); }),
      on_list("SetGraphicsRootDescriptorTable", D3D12_MESSAGE_ID_SET_DESCRIPTOR_TABLE_INVALID,
              [](List& list, Handle at) { list.SetGraphicsRootDescriptorTable(0, {at.ptr}); }),
  };
}

}  // namespace

TEST_CASE("descriptor handles: every method answers what names no descriptor with D3D12's message", "[d3d12]") {
  Handles app;
  for (const Method& method : methods()) {
    for (const Handle handle : app.wrong()) {
      app.messages->ClearStoredMessages();
      CAPTURE(method.name, handle.ptr);
      const HRESULT result = method.call(app, handle);
      CHECK((result == S_OK || result == E_INVALIDARG));
      CHECK(app.said_ids() == Ids{method.id});
    }
  }
  // The descriptors beside them show what they have shown: nothing.
  for (UINT i = 0; i < 4; ++i) {
    const Handle handle = app.at(i * step);
    CHECK(app.closed([&](List& list) { list.ClearRenderTargetView(handle, color, 0, nullptr); }) == S_OK);
  }
  CHECK(app.said_ids().empty());
}

TEST_CASE("descriptor handles: all of a heap's are descriptors, in a heap of one, of four and of a million",
          "[d3d12]") {
  Handles app;
  for (const UINT count : {1U, 4U, 1'000'000U}) {
    const D3D12_DESCRIPTOR_HEAP_DESC desc{D3D12_DESCRIPTOR_HEAP_TYPE_RTV, count, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
    ComPtr<ID3D12DescriptorHeap> heap;
    REQUIRE(app.device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
    const SIZE_T first = heap->GetCPUDescriptorHandleForHeapStart().ptr;
    for (const UINT i : {0U, count / 2, count - 1}) {
      app.device->CreateRenderTargetView(app.target.Get(), nullptr, {first + SIZE_T{i} * step});
    }
    CHECK(app.said_ids().empty());
    app.device->CreateRenderTargetView(app.target.Get(), nullptr, {first + SIZE_T{count} * step});
    CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE});
  }
}

TEST_CASE("descriptor handles: GPU handles are those of shader visible heaps alone", "[d3d12]") {
  Handles app;
  const auto table = [&](UINT64 handle) {
    return app.closed([&](List& list) { list.SetGraphicsRootDescriptorTable(0, {handle}); });
  };
  const UINT64 first = app.visible->GetGPUDescriptorHandleForHeapStart().ptr;
  CHECK(table(first) == S_OK);
  CHECK(table(first + 3 * step) == S_OK);
  CHECK(table(first + 4 * step) == E_INVALIDARG);
  CHECK(table(app.at(0).ptr) == E_INVALIDARG);
}

TEST_CASE("descriptor handles: a view whose resource is gone shows nothing, and is told", "[d3d12]") {
  Handles app;
  app.device->CreateRenderTargetView(app.target.Get(), nullptr, app.at(0));
  app.device->CopyDescriptorsSimple(1, app.at(step), app.at(0), D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
  const auto clear = [&](SIZE_T byte) {
    return app.closed([&](List& list) { list.ClearRenderTargetView(app.at(byte), color, 0, nullptr); });
  };
  CHECK(clear(0) == S_OK);
  CHECK(clear(step) == S_OK);
  app.target.Reset();
  for (const SIZE_T byte : {SIZE_T{0}, SIZE_T{step}}) {
    CHECK(clear(byte) == E_INVALIDARG);
    CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_DESCRIPTOR_HANDLE_WITH_INVALID_RESOURCE});
  }
  app.target = app.texture(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 4, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
  app.device->CreateRenderTargetView(app.target.Get(), nullptr, app.at(0));
  CHECK(clear(0) == S_OK);
}

TEST_CASE("descriptor handles: a view of what its resource has not becomes null", "[d3d12]") {
  Handles app;
  const auto buffer = app.buffer(256, D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  const auto view_of_buffer = [&](UINT64 first, UINT count, UINT stride) {
    D3D12_UNORDERED_ACCESS_VIEW_DESC desc{};
    desc.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
    desc.Buffer.FirstElement = first;
    desc.Buffer.NumElements = count;
    desc.Buffer.StructureByteStride = stride;
    app.device->CreateUnorderedAccessView(buffer.Get(), nullptr, &desc, app.at(0));
    return app.said_ids();
  };
  const Ids uav{D3D12_MESSAGE_ID_CREATEUNORDEREDACCESSVIEW_INVALIDDESC};
  CHECK(view_of_buffer(0, 64, 4).empty());
  CHECK(view_of_buffer(63, 1, 4).empty());
  CHECK(view_of_buffer(63, 2, 4) == uav);
  CHECK(view_of_buffer(64, 1, 4) == uav);
  CHECK(view_of_buffer(~UINT64{0} / 4 + 1, 1, 4) == uav);  // whose byte would be 0 in 64 bits
  CHECK(view_of_buffer(0, ~0U, ~0U) == uav);

  D3D12_UNORDERED_ACCESS_VIEW_DESC of_texture{};
  of_texture.ViewDimension = D3D12_UAV_DIMENSION_TEXTURE2D;
  of_texture.Texture2D.MipSlice = 3;
  app.device->CreateUnorderedAccessView(buffer.Get(), nullptr, &of_texture, app.at(0));
  CHECK(app.said_ids() == uav);

  const auto view_of_texture = [&](UINT mip, UINT slice, UINT slices, UINT plane) {
    D3D12_RENDER_TARGET_VIEW_DESC desc{};
    desc.ViewDimension = D3D12_RTV_DIMENSION_TEXTURE2DARRAY;
    desc.Texture2DArray = {mip, slice, slices, plane};
    app.device->CreateRenderTargetView(app.target.Get(), &desc, app.at(0));
    const Ids ids = app.said_ids();
    CHECK(app.closed([&](List& list) { list.ClearRenderTargetView(app.at(0), color, 0, nullptr); }) == S_OK);
    return ids;
  };
  const Ids rtv{D3D12_MESSAGE_ID_CREATERENDERTARGETVIEW_INVALIDDESC};
  CHECK(view_of_texture(0, 0, 1, 0).empty());
  CHECK(view_of_texture(0, 0, ~0U, 0).empty());
  CHECK(view_of_texture(1, 0, 1, 0) == rtv);
  CHECK(view_of_texture(~0U, 0, 1, 0) == rtv);
  CHECK(view_of_texture(0, 1, 1, 0) == rtv);
  CHECK(view_of_texture(0, 0, 2, 0) == rtv);
  CHECK(view_of_texture(0, ~0U, 2, 0) == rtv);
  CHECK(view_of_texture(0, 0, 1, 1) == rtv);
}

TEST_CASE("descriptor heaps: copies take all ranges, or nothing where one is wrong or the counts differ", "[d3d12]") {
  DescriptorHeaps heaps;
  const std::uint64_t one = heaps.add(8, false);
  const std::uint64_t other = heaps.add(8, false);
  const auto with_mip = [&](std::uint32_t mip) {
    d3d12::TargetView view;
    view.mip = mip;
    return view;
  };
  for (std::uint32_t i = 0; i < 8; ++i) REQUIRE(heaps.set(one + i * step, with_mip(i + 1)));
  const auto mip_at = [&](std::uint32_t i) { return heaps.view(other + i * step)->view.mip; };
  using Copied = DescriptorHeaps::Copied;
  CHECK(heaps.copy({{other, 2}, {other + 4 * step, 3}}, {{one, 4}, {one + 7 * step, 1}}) == Copied::all);
  CHECK(std::vector<std::uint32_t>{mip_at(0), mip_at(1), mip_at(2), mip_at(4), mip_at(5), mip_at(6)} ==
        std::vector<std::uint32_t>{1, 2, 0, 3, 4, 8});
  CHECK(heaps.copy({{other, 2}}, {{one + 2 * step, 3}}) == Copied::unequal_counts);
  CHECK(heaps.copy({{other, 2}, {other + 7 * step, 2}}, {{one + 4 * step, 4}}) == Copied::no_range);
  CHECK(heaps.copy({{other, ~0U}}, {{one, ~0U}}) == Copied::no_range);
  CHECK(mip_at(0) == 1);
  CHECK(heaps.copy({{other, 0}, {12345, 0}, {other, 1}}, {{one + 3 * step, 1}, {0, 0}}) == Copied::all);
  CHECK(mip_at(0) == 4);
  CHECK(heaps.copy({}, {}) == Copied::all);
  heaps.remove(one);
  CHECK(heaps.copy({{other, 1}}, {{one, 1}}) == Copied::no_range);
}

TEST_CASE("descriptor heaps: no handle comes back, however often heaps come and go", "[d3d12]") {
  DescriptorHeaps heaps;
  std::vector<std::uint64_t> gone;
  const std::uint64_t stays = heaps.add(3, true);
  for (int i = 0; i < 40'000; ++i) {  // more than a place has generations
    gone.push_back(heaps.add(1, false));
    heaps.remove(gone.back());
  }
  const std::uint64_t last = heaps.add(1, false);
  CHECK(std::none_of(gone.begin(), gone.end(), [&](std::uint64_t handle) { return heaps.names(handle); }));
  std::sort(gone.begin(), gone.end());
  CHECK(std::unique(gone.begin(), gone.end()) == gone.end());
  CHECK(heaps.names(stays + 2 * step));
  CHECK(heaps.names(last));
}

TEST_CASE("descriptor heaps: of random handles only those of live heaps are taken", "[d3d12]") {
  DescriptorHeaps heaps;
  std::mt19937_64 random(7);
  std::vector<std::pair<std::uint64_t, UINT>> live;
  for (int i = 0; i < 200; ++i) {
    const auto count = static_cast<UINT>(random() % 50);
    live.emplace_back(heaps.add(count, false), count);
    if (random() % 3 == 0) {
      heaps.remove(live.front().first);
      live.erase(live.begin());
    }
  }
  for (int i = 0; i < 100'000; ++i) {
    const auto& base = live[random() % live.size()];
    const std::uint64_t near = base.first + (random() % 200) * 8 - 400;
    const std::uint64_t bits = random() % 64;
    const std::uint64_t any = random() >> bits;
    const std::uint64_t handle = i % 2 == 0 ? near : any;
    const bool expected = std::any_of(live.begin(), live.end(), [&](const auto& heap) {
      return handle >= heap.first && handle < heap.first + std::uint64_t{heap.second} * step &&
             (handle - heap.first) % step == 0;
    });
    REQUIRE(heaps.names(handle) == expected);
    REQUIRE(heaps.set(handle, {}) == expected);
    REQUIRE(heaps.view(handle).has_value() == expected);
  }
}
