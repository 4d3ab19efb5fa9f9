// SPDX-License-Identifier: Apache-2.0
// What lists say of barriers when they are closed, whatever the states of the resources are.
#include "tests/d3d12/app.hpp"

#include <functional>

using namespace fenceline::testing;

namespace {

HRESULT with_group(App& app, D3D12_COMMAND_LIST_TYPE type, const D3D12_BARRIER_GROUP& group) {
  return closed(app, type, [&](auto* list) { list->Barrier(1, &group); });
}

HRESULT with(App& app, D3D12_COMMAND_LIST_TYPE type, const D3D12_TEXTURE_BARRIER& barrier) {
  D3D12_BARRIER_GROUP group{D3D12_BARRIER_TYPE_TEXTURE, 1, {}};
  group.pTextureBarriers = &barrier;
  return with_group(app, type, group);
}

HRESULT with(App& app, D3D12_COMMAND_LIST_TYPE type, const D3D12_BUFFER_BARRIER& barrier) {
  D3D12_BARRIER_GROUP group{D3D12_BARRIER_TYPE_BUFFER, 1, {}};
  group.pBufferBarriers = &barrier;
  return with_group(app, type, group);
}

/// From layout to layout, of all subresources.
D3D12_TEXTURE_BARRIER between(const ComPtr<ID3D12Resource>& texture, D3D12_BARRIER_LAYOUT before,
                              D3D12_BARRIER_LAYOUT after) {
  D3D12_TEXTURE_BARRIER barrier{};
  barrier.SyncBefore = barrier.SyncAfter = D3D12_BARRIER_SYNC_ALL;
  barrier.LayoutBefore = before;
  barrier.LayoutAfter = after;
  barrier.pResource = texture.Get();
  barrier.Subresources.IndexOrFirstMipLevel = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
  return barrier;
}

}  // namespace

TEST_CASE("barriers: resources of upload and readback heaps stay in their states", "[d3d12]") {
  App app;
  const auto says = [&](D3D12_HEAP_TYPE heap, D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after) {
    const auto buffer = app.buffer(64, heap);
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Transition = {buffer.Get(), 0, before, after};
    return closed(app, direct_type, [&](auto* list) { list->ResourceBarrier(1, &barrier); });
  };
  constexpr auto from = D3D12_RESOURCE_STATE_COPY_SOURCE;
  constexpr auto to = D3D12_RESOURCE_STATE_COPY_DEST;
  CHECK(says(D3D12_HEAP_TYPE_READBACK, to, from) == E_INVALIDARG);
  CHECK(says(D3D12_HEAP_TYPE_UPLOAD, D3D12_RESOURCE_STATE_GENERIC_READ, to) == E_INVALIDARG);
  CHECK(says(D3D12_HEAP_TYPE_DEFAULT, to, from) == S_OK);
}

TEST_CASE("enhanced barriers: groups are of a known type and have barriers, barriers have resources", "[d3d12]") {
  App app;
  D3D12_BARRIER_GROUP group{static_cast<D3D12_BARRIER_TYPE>(3), 0, {}};
  CHECK(with_group(app, direct_type, group) == E_INVALIDARG);
  for (const auto type : {D3D12_BARRIER_TYPE_GLOBAL, D3D12_BARRIER_TYPE_TEXTURE, D3D12_BARRIER_TYPE_BUFFER}) {
    group.Type = type;
    group.NumBarriers = 0;
    CHECK(with_group(app, direct_type, group) == S_OK);
    group.NumBarriers = 1;
    CHECK(with_group(app, direct_type, group) == E_INVALIDARG);
  }
  CHECK(with(app, direct_type, D3D12_TEXTURE_BARRIER{}) == E_INVALIDARG);
  CHECK(with(app, direct_type, D3D12_BUFFER_BARRIER{}) == E_INVALIDARG);
  CHECK(closed(app, direct_type, [](auto* list) { list->Barrier(0, nullptr); }) == S_OK);
  CHECK(closed(app, direct_type, [](auto* list) { list->Barrier(1, nullptr); }) == E_INVALIDARG);
}

TEST_CASE("enhanced barriers: a buffer's is of all of it", "[d3d12]") {
  App app;
  const auto buffer = app.buffer(64);
  const auto texture = app.texture(DXGI_FORMAT_R8_UNORM, 8, 8);
  const auto says = [&](const ComPtr<ID3D12Resource>& of, UINT64 offset, UINT64 size) {
    D3D12_BUFFER_BARRIER barrier{};
    barrier.pResource = of.Get();
    barrier.Offset = offset;
    barrier.Size = size;
    return with(app, copy_type, barrier);
  };
  CHECK(says(buffer, 0, UINT64_MAX) == S_OK);
  CHECK(says(buffer, 0, 64) == S_OK);
  CHECK(says(buffer, 0, 32) == E_INVALIDARG);
  CHECK(says(buffer, 32, 32) == E_INVALIDARG);
  CHECK(says(texture, 0, UINT64_MAX) == E_INVALIDARG);
}

TEST_CASE("enhanced barriers: a list has the layouts of its type", "[d3d12]") {
  App app;
  const auto texture = app.texture(DXGI_FORMAT_R8_UNORM, 8, 8, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
  const auto says = [&](D3D12_COMMAND_LIST_TYPE type, D3D12_BARRIER_LAYOUT to) {
    const HRESULT there = with(app, type, between(texture, D3D12_BARRIER_LAYOUT_UNDEFINED, to));
    CHECK(with(app, type, between(texture, to, D3D12_BARRIER_LAYOUT_COMMON)) == there);
    return there;
  };
  struct Row {
    D3D12_BARRIER_LAYOUT layout;
    HRESULT direct, compute, copy;
  };
  for (const Row& row : {Row{D3D12_BARRIER_LAYOUT_COMMON, S_OK, S_OK, S_OK},
                         Row{D3D12_BARRIER_LAYOUT_RENDER_TARGET, S_OK, E_INVALIDARG, E_INVALIDARG},
                         Row{D3D12_BARRIER_LAYOUT_DEPTH_STENCIL_READ, S_OK, E_INVALIDARG, E_INVALIDARG},
                         Row{D3D12_BARRIER_LAYOUT_RESOLVE_DEST, S_OK, E_INVALIDARG, E_INVALIDARG},
                         Row{D3D12_BARRIER_LAYOUT_SHADER_RESOURCE, S_OK, S_OK, E_INVALIDARG},
                         Row{D3D12_BARRIER_LAYOUT_COPY_DEST, S_OK, S_OK, E_INVALIDARG},
                         Row{D3D12_BARRIER_LAYOUT_DIRECT_QUEUE_COPY_DEST, S_OK, E_INVALIDARG, E_INVALIDARG},
                         Row{D3D12_BARRIER_LAYOUT_COMPUTE_QUEUE_COMMON, E_INVALIDARG, S_OK, E_INVALIDARG},
                         Row{D3D12_BARRIER_LAYOUT_VIDEO_QUEUE_COMMON, E_INVALIDARG, E_INVALIDARG, E_INVALIDARG},
                         Row{static_cast<D3D12_BARRIER_LAYOUT>(99), E_INVALIDARG, E_INVALIDARG, E_INVALIDARG}}) {
    INFO(row.layout);
    CHECK(says(direct_type, row.layout) == row.direct);
    CHECK(says(compute_type, row.layout) == row.compute);
    CHECK(says(copy_type, row.layout) == row.copy);
  }
}

TEST_CASE("enhanced barriers: a range of subresources begins within the texture", "[d3d12]") {
  App app;
  const auto texture = app.texture(DXGI_FORMAT_R8_UNORM, 8, 8, D3D12_RESOURCE_FLAG_NONE, 3);
  const auto buffer = app.buffer(64);
  auto barrier = between(texture, D3D12_BARRIER_LAYOUT_COMMON, D3D12_BARRIER_LAYOUT_COPY_DEST);
  const auto says = [&](const D3D12_BARRIER_SUBRESOURCE_RANGE& range) {
    barrier.Subresources = range;
    return with(app, direct_type, barrier);
  };
  CHECK(says({0xFFFFFFFF, 0, 0, 0, 0, 0}) == S_OK);
  CHECK(says({2, 0, 0, 0, 0, 0}) == S_OK);
  CHECK(says({3, 0, 0, 0, 0, 0}) == E_INVALIDARG);
  CHECK(says({1, 2, 0, 1, 0, 1}) == S_OK);
  CHECK(says({1, 2, 0, 0, 0, 0}) == S_OK);
  CHECK(says({3, 1, 0, 1, 0, 1}) == E_INVALIDARG);
  CHECK(says({0, 1, 1, 1, 0, 1}) == E_INVALIDARG);
  CHECK(says({0, 1, 0, 1, 1, 1}) == E_INVALIDARG);
  barrier.Flags = D3D12_TEXTURE_BARRIER_FLAG_DISCARD;
  CHECK(says({0, 1, 0, 1, 0, 1}) == S_OK);
  barrier.Flags = static_cast<D3D12_TEXTURE_BARRIER_FLAGS>(2);
  CHECK(says({0, 1, 0, 1, 0, 1}) == E_INVALIDARG);
  barrier.Flags = D3D12_TEXTURE_BARRIER_FLAG_NONE;
  barrier.pResource = buffer.Get();
  CHECK(says({0, 1, 0, 1, 0, 1}) == E_INVALIDARG);
}
