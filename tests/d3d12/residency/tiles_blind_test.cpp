// SPDX-License-Identifier: Apache-2.0
// What is mapped to tiles of heaps that come and go: rule 26a of docs/residency.md. Written from the rules and
// Microsoft's pages, without knowledge of the implementation.
#include "tests/d3d12/residency/tiles_app.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace fenceline::testing;

TEST_CASE("residency tiles: of an evicted heap zeros are copied and nothing faults", "[d3d12][residency][blind]") {
  if (!runs_with_each({tiles_memory, tiles_memory_that_pages})) return;
  TilesApp app;
  // Tiles 0 and 2 in one heap, 1 and 3 in the other.
  const auto evicted = app.memory.heap(2 * tile_size);
  const auto stays = app.memory.heap(2 * tile_size);
  const auto buffer = app.reserved_buffer(4);
  for (UINT tile = 0; tile < 4; ++tile) {
    ReservedApp::map_one(app.queue(), buffer.Get(), tile, (tile % 2 == 0 ? evicted : stays).Get(), tile / 2);
  }
  app.settle();
  app.fill(buffer.Get(), {3, 5, 7, 9});
  CHECK(app.words(buffer.Get(), 4) == TileWords{3, 5, 7, 9});
  REQUIRE(app.memory.evict({evicted.Get()}) == S_OK);
  CHECK(app.words(buffer.Get(), 4) == TileWords{0, 5, 0, 9});
  // To the last byte: 16384 words a tile.
  TileWords expected(4 * tile_size / 4, 0);
  std::fill_n(expected.begin() + tile_size / 4, tile_size / 4, 5);
  std::fill_n(expected.begin() + 3 * tile_size / 4, tile_size / 4, 9);
  CHECK(app.watch.download(buffer.Get(), expected.size()) == expected);
  // Evict is lazy: with its count it has what it had.
  REQUIRE(app.memory.make_resident({evicted.Get()}) == S_OK);
  CHECK(app.words(buffer.Get(), 4) == TileWords{3, 5, 7, 9});
  REQUIRE(app.memory.evict({evicted.Get(), stays.Get()}) == S_OK);
  CHECK(app.words(buffer.Get(), 4) == TileWords{0, 0, 0, 0});
  CHECK(app.lives());
}

TEST_CASE("residency tiles: what is written to an evicted heap is lost", "[d3d12][residency][blind]") {
  if (!runs_with(tiles_memory)) return;
  TilesApp app;
  const auto evicted = app.memory.heap(tile_size);
  const auto stays = app.memory.heap(tile_size);
  const auto buffer = app.reserved_buffer(2);
  ReservedApp::map_one(app.queue(), buffer.Get(), 0, evicted.Get(), 0);
  ReservedApp::map_one(app.queue(), buffer.Get(), 1, stays.Get(), 0);
  app.settle();
  app.fill(buffer.Get(), {3, 5});
  REQUIRE(app.memory.evict({evicted.Get()}) == S_OK);
  app.fill(buffer.Get(), {30, 50});  // the first half is lost
  CHECK(app.words(buffer.Get(), 2) == TileWords{0, 50});
  REQUIRE(app.memory.make_resident({evicted.Get()}) == S_OK);
  CHECK(app.words(buffer.Get(), 2) == TileWords{3, 50});
  app.fill(buffer.Get(), {300, 500});
  CHECK(app.words(buffer.Get(), 2) == TileWords{300, 500});
  CHECK(app.lives());
}

TEST_CASE("residency tiles: each MakeResident of a heap takes an Evict of its own", "[d3d12][residency][blind]") {
  if (!runs_with(tiles_memory)) return;
  TilesApp app;
  const auto heap = app.memory.heap(tile_size);
  const auto buffer = app.reserved_buffer(1);
  ReservedApp::map_all(app.queue(), buffer.Get(), heap.Get());
  app.settle();
  app.fill(buffer.Get(), {3});
  REQUIRE(app.memory.make_resident({heap.Get()}) == S_OK);  // 2
  REQUIRE(app.memory.evict({heap.Get()}) == S_OK);          // 1: as before
  CHECK(app.words(buffer.Get(), 1) == TileWords{3});
  REQUIRE(app.memory.evict({heap.Get()}) == S_OK);  // 0: as mapped to nothing
  CHECK(app.words(buffer.Get(), 1) == TileWords{0});
  CHECK(app.lives());
}

TEST_CASE("residency tiles: the heap's count when the GPU gets there decides", "[d3d12][residency][blind]") {
  if (!runs_with(tiles_memory)) return;
  TilesApp app;
  const auto heap = app.memory.heap(tile_size);
  const auto buffer = app.reserved_buffer(1);
  ReservedApp::map_all(app.queue(), buffer.Get(), heap.Get());
  app.settle();
  app.fill(buffer.Get(), {3});
  const auto back = app.buffer(4, D3D12_HEAP_TYPE_READBACK);
  write(back.Get(), TileWords{0xBAD});
  const auto gate = app.fence();
  Recorder copies(app, copy_type);
  REQUIRE(copies.queue->Wait(gate.Get(), 1) == S_OK);
  copies.list->CopyBufferRegion(back.Get(), 0, buffer.Get(), 0, 4);
  const bool comes_back = GENERATE(true, false);
  if (comes_back) REQUIRE(app.memory.evict({heap.Get()}) == S_OK);
  copies.submit();
  // The list waits: 0 + 1, or 1 - 1, before it copies.
  REQUIRE((comes_back ? app.memory.make_resident({heap.Get()}) : app.memory.evict({heap.Get()})) == S_OK);
  REQUIRE(gate->Signal(1) == S_OK);
  copies.wait();
  CHECK(read<std::uint32_t>(back.Get(), 1) == TileWords{comes_back ? 3U : 0U});
  CHECK(app.lives());
}

TEST_CASE("residency tiles: a heap that is created not resident is as none until it is made resident",
          "[d3d12][residency][blind]") {
  if (!runs_with(tiles_memory)) return;
  TilesApp app;
  const auto heap = app.memory.not_resident(2 * tile_size);
  const auto buffer = app.reserved_buffer(2);
  ReservedApp::map_all(app.queue(), buffer.Get(), heap.Get());
  app.settle();
  app.fill(buffer.Get(), {3, 5});  // lost
  CHECK(app.words(buffer.Get(), 2) == TileWords{0, 0});
  REQUIRE(app.memory.make_resident({heap.Get()}) == S_OK);
  app.fill(buffer.Get(), {30, 50});
  CHECK(app.words(buffer.Get(), 2) == TileWords{30, 50});
  CHECK(app.lives());
}

TEST_CASE("residency tiles: draws and dispatches do not fault either", "[d3d12][residency][blind]") {
  if (!runs_with(tiles_memory)) return;
  TilesApp app;
  const auto heap = app.memory.heap(mib);
  const auto buffer = app.reserved_buffer(tiles_of_mib);
  ReservedApp::map_all(app.queue(), buffer.Get(), heap.Get());
  app.settle();
  REQUIRE(app.memory.evict({heap.Get()}) == S_OK);
  SECTION("what a dispatch reads") { CHECK(app.dispatch_us(buffer.Get(), 2) < tiles_in_video_memory_us); }
  SECTION("what a dispatch writes") {
    app.direct.list->SetPipelineState(app.dispatches.Get());
    app.direct.list->SetComputeRootUnorderedAccessView(0, buffer->GetGPUVirtualAddress());
    app.direct.list->Dispatch(1, 1, 1);
    app.direct.run();
  }
  SECTION("a vertex buffer") {
    const auto draws = graphics_pipeline(app);
    const D3D12_VIEWPORT viewport{0, 0, 64, 64, 0, 1};
    const D3D12_RECT scissor{0, 0, 64, 64};
    const D3D12_VERTEX_BUFFER_VIEW view{buffer->GetGPUVirtualAddress(), 64, 16};
    app.direct.list->SetPipelineState(draws.Get());
    app.direct.list->RSSetViewports(1, &viewport);
    app.direct.list->RSSetScissorRects(1, &scissor);
    app.direct.list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    app.direct.list->IASetVertexBuffers(0, 1, &view);
    app.direct.list->DrawInstanced(3, 1, 0, 0);
    app.direct.run();
  }
  CHECK(app.lives());
}

TEST_CASE("residency tiles: a predicate in an evicted heap reads as zero", "[d3d12][residency][blind]") {
  if (!runs_with(tiles_memory)) return;
  TilesApp app;
  const auto heap = app.memory.heap(tile_size);
  const auto buffer = app.reserved_buffer(1);
  ReservedApp::map_all(app.queue(), buffer.Get(), heap.Get());
  app.settle();
  app.fill(buffer.Get(), {1});
  const auto up = app.buffer(4, D3D12_HEAP_TYPE_UPLOAD);
  const auto result = app.buffer(4, D3D12_HEAP_TYPE_READBACK);
  write(up.Get(), TileWords{77});
  const auto copied = [&] {
    write(result.Get(), TileWords{0});
    app.direct.list->SetPredication(buffer.Get(), 0, D3D12_PREDICATION_OP_EQUAL_ZERO);  // zero: not done
    app.direct.list->CopyBufferRegion(result.Get(), 0, up.Get(), 0, 4);
    app.direct.list->SetPredication(nullptr, 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
    app.direct.run();
    return read<std::uint32_t>(result.Get(), 1)[0] == 77;
  };
  CHECK(copied());
  REQUIRE(app.memory.evict({heap.Get()}) == S_OK);
  CHECK_FALSE(copied());
  REQUIRE(app.memory.make_resident({heap.Get()}) == S_OK);
  CHECK(copied());
  CHECK(app.lives());
}

TEST_CASE("residency tiles: what is placed in the same heap faults all the same", "[d3d12][residency][blind]") {
  if (!runs_with(tiles_memory)) return;
  TilesApp app;
  const auto heap = app.memory.heap(mib);
  const auto inside = app.memory.placed(heap.Get(), mib);
  const auto to = app.buffer(mib);
  const auto buffer = app.reserved_buffer(tiles_of_mib);
  ReservedApp::map_all(app.queue(), buffer.Get(), heap.Get());
  app.settle();
  REQUIRE(app.memory.evict({heap.Get()}) == S_OK);
  const bool by_tiles = GENERATE(true, false);
  Recorder& copies = app.watch.copies;
  copies.list->CopyBufferRegion(to.Get(), 0, (by_tiles ? buffer : inside).Get(), 0, tile_size);
  REQUIRE(copies.list->Close() == S_OK);
  ID3D12CommandList* const lists[] = {copies.list.Get()};
  copies.queue->ExecuteCommandLists(1, lists);
  copies.queue->Signal(copies.fence.Get(), ++copies.value);
  copies.wait();
  CHECK(app.device->GetDeviceRemovedReason() == (by_tiles ? S_OK : DXGI_ERROR_DEVICE_HUNG));
}
