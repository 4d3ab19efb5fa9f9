// SPDX-License-Identifier: Apache-2.0
// What the debug layer says of resources' states when queues have executed lists: of wrong programs, and nothing of
// right ones.
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"

#include <string>

using namespace fenceline::testing;

namespace {

D3D12_RESOURCE_BARRIER transition(const ComPtr<ID3D12Resource>& resource, D3D12_RESOURCE_STATES before,
                                  D3D12_RESOURCE_STATES after) {
  D3D12_RESOURCE_BARRIER barrier{};
  barrier.Transition = {resource.Get(), D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, before, after};
  return barrier;
}

}  // namespace

TEST_CASE("state messages: a buffer that is written and read in one list needs a barrier in between", "[d3d12]") {
  DebuggedApp app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto from = app.buffer(64, D3D12_HEAP_TYPE_UPLOAD);
  const auto middle = app.buffer(64);
  const auto back = app.buffer(64, D3D12_HEAP_TYPE_READBACK);
  direct.list->CopyResource(middle.Get(), from.Get());
  direct.list->CopyResource(back.Get(), middle.Get());
  direct.run();
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_INVALID_SUBRESOURCE_STATE});
  const auto barrier = transition(middle, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
  direct.list->CopyResource(middle.Get(), from.Get());
  direct.list->ResourceBarrier(1, &barrier);
  direct.list->CopyResource(back.Get(), middle.Get());
  direct.run();
  direct.list->CopyResource(middle.Get(), from.Get());
  direct.run();
  direct.list->CopyResource(back.Get(), middle.Get());  // it has decayed
  direct.run();
  CHECK(app.said_ids().empty());
}

TEST_CASE("state messages: barriers that contradict the state are told of when they are executed", "[d3d12]") {
  DebuggedApp app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto target = app.texture(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 4, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
  const auto wrong = transition(target, D3D12_RESOURCE_STATE_RENDER_TARGET, D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE);
  direct.list->ResourceBarrier(1, &wrong);
  direct.run();
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_RESOURCE_BARRIER_BEFORE_AFTER_MISMATCH});
}

TEST_CASE("state messages: a clear needs its target's state", "[d3d12]") {
  DebuggedApp app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto target = app.texture(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 4, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
  const D3D12_DESCRIPTOR_HEAP_DESC heap_desc{D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 1, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
  ComPtr<ID3D12DescriptorHeap> heap;
  REQUIRE(app.device->CreateDescriptorHeap(&heap_desc, IID_PPV_ARGS(&heap)) == S_OK);
  const auto view = heap->GetCPUDescriptorHandleForHeapStart();
  app.device->CreateRenderTargetView(target.Get(), nullptr, view);
  const float color[4] = {};
  direct.list->ClearRenderTargetView(view, color, 0, nullptr);
  direct.run();
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_INVALID_SUBRESOURCE_STATE});
  const auto barrier = transition(target, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_RENDER_TARGET);
  direct.list->ResourceBarrier(1, &barrier);
  direct.list->ClearRenderTargetView(view, color, 0, nullptr);
  direct.run();
  direct.list->ClearRenderTargetView(view, color, 0, nullptr);
  direct.run();
  CHECK(app.said_ids().empty());
}

TEST_CASE("state messages: a copy queue wants COMMON, and hands over to 3D with a fence alone", "[d3d12]") {
  DebuggedApp app;
  Recorder copy(app, D3D12_COMMAND_LIST_TYPE_COPY);
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto texture = app.texture(DXGI_FORMAT_R32_UINT, 64, 4);
  const auto other = app.texture(DXGI_FORMAT_R32_UINT, 64, 4);
  const auto use = transition(texture, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE);
  copy.list->CopyResource(texture.Get(), other.Get());
  copy.submit();
  REQUIRE(direct.queue->Wait(copy.fence.Get(), copy.value) == S_OK);
  direct.list->ResourceBarrier(1, &use);
  direct.run();
  copy.wait();
  copy.reset();
  CHECK(app.said_ids().empty());
  copy.list->CopyResource(other.Get(), texture.Get());
  copy.run();
  CHECK(app.said_ids() == Ids{1431});  // NON_COMMON_RESOURCE_IN_COPY_QUEUE
}

TEST_CASE("state messages: a resolve needs its two sides in the states for it, a pass keeps its source's", "[d3d12]") {
  DebuggedApp app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  ComPtr<ID3D12GraphicsCommandList4> list;
  REQUIRE(direct.list.As(&list) == S_OK);
  constexpr auto format = DXGI_FORMAT_R8_UNORM;
  D3D12_RESOURCE_DESC desc{
      D3D12_RESOURCE_DIMENSION_TEXTURE2D,     0, 4, 4, 1, 1, format, {4, 0}, D3D12_TEXTURE_LAYOUT_UNKNOWN,
      D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET};
  const auto many = app.resource(desc, D3D12_HEAP_TYPE_DEFAULT);
  desc.SampleDesc.Count = 1;
  const auto one = app.resource(desc, D3D12_HEAP_TYPE_DEFAULT);
  list->ResolveSubresource(one.Get(), 0, many.Get(), 0, format);
  direct.run();
  constexpr int wrong = D3D12_MESSAGE_ID_INVALID_SUBRESOURCE_STATE;
  CHECK(app.said_ids() == Ids{wrong, wrong});
  const D3D12_RESOURCE_BARRIER to_resolve[] = {
      transition(one, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_RESOLVE_DEST),
      transition(many, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_RESOLVE_SOURCE)};
  list->ResourceBarrier(2, to_resolve);
  list->ResolveSubresource(one.Get(), 0, many.Get(), 0, format);
  direct.run();
  CHECK(app.said_ids() == Ids{});

  const D3D12_RENDER_PASS_ENDING_ACCESS_RESOLVE_SUBRESOURCE_PARAMETERS all{};
  const auto views = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
  D3D12_RENDER_PASS_RENDER_TARGET_DESC target{};
  target.cpuDescriptor = views->GetCPUDescriptorHandleForHeapStart();
  app.device->CreateRenderTargetView(many.Get(), nullptr, target.cpuDescriptor);
  target.BeginningAccess.Type = D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_PRESERVE;
  target.EndingAccess.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_RESOLVE;
  target.EndingAccess.Resolve = {many.Get(), one.Get(), 1, &all, format, D3D12_RESOLVE_MODE_AVERAGE, TRUE};
  const auto to_target = transition(many, D3D12_RESOURCE_STATE_RESOLVE_SOURCE, D3D12_RESOURCE_STATE_RENDER_TARGET);
  list->ResourceBarrier(1, &to_target);
  list->BeginRenderPass(1, &target, nullptr, D3D12_RENDER_PASS_FLAG_NONE);
  list->EndRenderPass();
  direct.run();
  CHECK(app.said_ids() == Ids{});
}
