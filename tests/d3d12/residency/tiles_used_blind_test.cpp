// SPDX-License-Identifier: Apache-2.0
// Which heaps a list uses through tiles, and which make room: rule 26a of docs/residency.md. Written from the rules and
// Microsoft's pages, without knowledge of the implementation.
#include "tests/d3d12/residency/tiles_app.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace fenceline::testing;

TEST_CASE("residency tiles: a dispatch passes PCIe for all heaps that tiles are mapped to",
          "[d3d12][residency][blind]") {
  if (!runs_with(tiles_memory)) return;
  TilesApp app;
  const auto fits = app.memory.heap(mib);
  app.memory.fill_but(0);
  const auto over = app.memory.heap(mib);      // nobody makes room for these two: used in place
  const auto half = app.memory.heap(mib / 2);  //
  const auto buffer = app.reserved_buffer(tiles_of_mib);
  const auto map = [&](UINT tile, const ComPtr<ID3D12Heap>& heap) {
    ReservedApp::map_one(app.queue(), buffer.Get(), tile, heap.Get(), 0);
  };
  CHECK(app.dispatch_us(buffer.Get()) < tiles_in_video_memory_us);  // nothing is mapped
  ReservedApp::map_all(app.queue(), buffer.Get(), fits.Get());
  CHECK(app.dispatch_us(buffer.Get()) < tiles_in_video_memory_us);
  // A single tile of it: all of the heap's bytes pass, 2^20 / 128 = 8192 us.
  map(7, over);
  CHECK(app.dispatch_us(buffer.Get()) == Approx(8192).margin(20));
  CHECK(app.dispatch_us(buffer.Get(), 2) == Approx(2 * 8192).margin(40));
  // A second tile of the same heap is no second heap.
  map(8, over);
  CHECK(app.dispatch_us(buffer.Get()) == Approx(8192).margin(20));
  // 2^19 / 128 = 4096 more for the other one.
  map(9, half);
  CHECK(app.dispatch_us(buffer.Get()) == Approx(8192 + 4096).margin(30));
  map(7, fits);
  CHECK(app.dispatch_us(buffer.Get()) == Approx(8192 + 4096).margin(30));  // tile 8
  map(8, fits);
  CHECK(app.dispatch_us(buffer.Get()) == Approx(4096).margin(20));
  const auto none = D3D12_TILE_RANGE_FLAG_NULL;
  app.queue()->UpdateTileMappings(buffer.Get(), 1, nullptr, nullptr, nullptr, 1, &none, nullptr, nullptr,
                                  D3D12_TILE_MAPPING_FLAG_NONE);
  CHECK(app.dispatch_us(buffer.Get()) < tiles_in_video_memory_us);
}

TEST_CASE("residency tiles: a copy from what is mapped in place passes PCIe", "[d3d12][residency][blind]") {
  if (!runs_with_each({tiles_memory, tiles_memory_that_pages})) return;
  TilesApp app;
  const auto to = app.buffer(mib);
  const auto fits = app.memory.heap(mib);
  app.memory.fill_but(0);
  const auto over = app.memory.heap(mib);
  const auto buffer = app.reserved_buffer(tiles_of_mib);
  ReservedApp::map_all(app.queue(), buffer.Get(), fits.Get());
  app.settle();
  CHECK(app.watch.copy_us(to.Get(), buffer.Get()) < tiles_in_video_memory_us);
  ReservedApp::map_all(app.queue(), buffer.Get(), over.Get());
  app.settle();
  // All tiles lie in system memory: rule 10's route, 8192 us for a MiB, in either direction.
  CHECK(app.watch.copy_us(to.Get(), buffer.Get()) == Approx(mib_passes_us).margin(10));
  CHECK(app.watch.copy_us(buffer.Get(), to.Get()) == Approx(mib_passes_us).margin(10));
  app.memory.filler.Reset();
  CHECK(app.watch.copy_us(to.Get(), buffer.Get()) < tiles_in_video_memory_us);  // it has come in before that
  CHECK(app.lives());
}

TEST_CASE("residency tiles: mappings that were queued before the list count before they are done",
          "[d3d12][residency][blind]") {
  if (!runs_with(tiles_memory)) return;
  TilesApp app;
  app.memory.fill_but(0);
  const auto over = app.memory.heap(mib);
  const auto buffer = app.reserved_buffer(tiles_of_mib);
  const auto gate = app.fence();
  Recorder mapper(app, copy_type);
  CHECK(app.dispatch_us(buffer.Get()) < tiles_in_video_memory_us);
  REQUIRE(mapper.queue->Wait(gate.Get(), 1) == S_OK);
  ReservedApp::map_one(mapper.queue.Get(), buffer.Get(), 0, over.Get(), 0);
  // Queued on another queue, and held there: the dispatch uses the heap, 8192 us.
  CHECK(app.dispatch_us(buffer.Get()) == Approx(8192).margin(20));
  CHECK(mapper.fence->GetCompletedValue() == 0);
  REQUIRE(gate->Signal(1) == S_OK);
  mapper.submit();
  mapper.wait();
  CHECK(app.dispatch_us(buffer.Get()) == Approx(8192).margin(20));
}

TEST_CASE("residency tiles: a list that uses the resource has used its heaps", "[d3d12][residency][blind]") {
  if (!runs_with(tiles_memory_that_pages)) return;
  TilesApp app;
  const auto wants = app.memory.buffer_not_resident(mib);
  const auto older = app.memory.heap(mib);
  const auto newer = app.memory.heap(mib);
  app.memory.fill_but(0);  // 1 + 1 + 6 MiB
  const auto in_older = app.reserved_buffer(tiles_of_mib);
  const auto in_newer = app.reserved_buffer(tiles_of_mib);
  ReservedApp::map_all(app.queue(), in_older.Get(), older.Get());
  ReservedApp::map_one(app.queue(), in_newer.Get(), 15, newer.Get(), 3);  // a single tile is enough
  app.settle();
  bool older_goes = true;
  const auto use = [&](const ComPtr<ID3D12Resource>& buffer) {
    app.dispatch_us(buffer.Get());
    Sleep(1);
  };
  SECTION("in the order in which they were made") {
    use(in_older);
    use(in_newer);
  }
  SECTION("in the other order") {
    use(in_newer);
    use(in_older);
    older_goes = false;
  }
  SECTION("by a copy") {
    use(in_older);
    use(in_newer);
    app.words(in_older.Get(), 1);
    older_goes = false;
  }
  SECTION("one of them no more since it was unmapped") {
    use(in_newer);
    use(in_older);
    const auto none = D3D12_TILE_RANGE_FLAG_NULL;
    app.queue()->UpdateTileMappings(in_newer.Get(), 1, nullptr, nullptr, nullptr, 1, &none, nullptr, nullptr,
                                    D3D12_TILE_MAPPING_FLAG_NONE);
    app.settle();
    use(in_newer);  // which is mapped to nothing now
    older_goes = false;
  }
  REQUIRE(app.memory.evict({older.Get(), newer.Get()}) == S_OK);
  double begin = app.watch.now_us();
  REQUIRE(app.memory.make_resident({wants.Get()}) == S_OK);
  CHECK(app.watch.now_us() - begin == Approx(2 * mib_moves_us).margin(4));  // one goes out, wants comes in
  const auto& stays = older_goes ? newer : older;
  const auto& went = older_goes ? older : newer;
  begin = app.watch.now_us();
  REQUIRE(app.memory.make_resident({stays.Get()}) == S_OK);
  CHECK(app.watch.now_us() - begin == Approx(0).margin(2));  // it has been there
  REQUIRE(app.memory.evict({wants.Get()}) == S_OK);
  begin = app.watch.now_us();
  REQUIRE(app.memory.make_resident({went.Get()}) == S_OK);
  CHECK(app.watch.now_us() - begin == Approx(2 * mib_moves_us).margin(4));
}

TEST_CASE("residency tiles: a heap whose mapping is queued makes no room", "[d3d12][residency][blind]") {
  if (!runs_with_each({tiles_memory, tiles_memory_that_pages})) return;
  TilesApp app;
  const auto wants = app.memory.buffer_not_resident(mib);
  const auto older = app.memory.heap(mib);  // never used: the first to go
  const auto newer = app.memory.heap(mib);
  app.memory.fill_but(0);
  const auto buffer = app.reserved_buffer(tiles_of_mib);
  const auto gate = app.fence();
  Recorder mapper(app, copy_type);
  REQUIRE(mapper.queue->Wait(gate.Get(), 1) == S_OK);
  ReservedApp::map_one(mapper.queue.Get(), buffer.Get(), 0, older.Get(), 0);
  const bool done = GENERATE(false, true);
  if (done) {
    REQUIRE(gate->Signal(1) == S_OK);
    REQUIRE(mapper.queue->Signal(mapper.fence.Get(), ++mapper.value) == S_OK);
    mapper.wait();
  }
  REQUIRE(app.memory.evict({older.Get(), newer.Get()}) == S_OK);
  double begin = app.watch.now_us();
  REQUIRE(app.memory.make_resident({wants.Get()}) == S_OK);
  CHECK(app.watch.now_us() - begin == Approx(2 * mib_moves_us).margin(4));
  // As long as it is queued older is in use, and newer has gone; once it has been done older goes as it would have.
  const auto& stays = done ? newer : older;
  const auto& went = done ? older : newer;
  begin = app.watch.now_us();
  REQUIRE(app.memory.make_resident({stays.Get()}) == S_OK);
  CHECK(app.watch.now_us() - begin == Approx(0).margin(2));
  REQUIRE(app.memory.evict({wants.Get()}) == S_OK);
  begin = app.watch.now_us();
  REQUIRE(app.memory.make_resident({went.Get()}) == S_OK);
  CHECK(app.watch.now_us() - begin == Approx(2 * mib_moves_us).margin(4));
  if (!done) REQUIRE(gate->Signal(1) == S_OK);
  CHECK(app.lives());
}

TEST_CASE("residency tiles: where a queued mapping holds the only room nothing moves until it is done",
          "[d3d12][residency][blind]") {
  if (!runs_with(tiles_memory)) return;  // demote: what finds no room is used in place
  TilesApp app;
  const auto to = app.buffer(mib);
  const auto wants = app.memory.buffer_not_resident(mib);
  const auto evicted = app.memory.heap(mib);
  REQUIRE(app.memory.prioritize(to.Get(), D3D12_RESIDENCY_PRIORITY_MAXIMUM) == S_OK);
  app.memory.fill_but(0);
  const auto buffer = app.reserved_buffer(tiles_of_mib);
  const auto gate = app.fence();
  Recorder mapper(app, copy_type);
  REQUIRE(mapper.queue->Wait(gate.Get(), 1) == S_OK);
  ReservedApp::map_one(mapper.queue.Get(), buffer.Get(), 0, evicted.Get(), 0);
  REQUIRE(app.memory.evict({evicted.Get()}) == S_OK);
  double begin = app.watch.now_us();
  REQUIRE(app.memory.make_resident({wants.Get()}) == S_OK);
  CHECK(app.watch.now_us() - begin == Approx(0).margin(2));  // rule 9: nobody makes room, it is demoted at no cost
  CHECK(app.watch.copy_us(to.Get(), wants.Get()) == Approx(mib_passes_us).margin(10));
  // Once nothing holds it any more, and before the device runs again, it goes out and wants comes in: 8193 us each.
  begin = app.watch.now_us();
  REQUIRE(gate->Signal(1) == S_OK);
  REQUIRE(mapper.queue->Signal(mapper.fence.Get(), ++mapper.value) == S_OK);
  mapper.wait();
  CHECK(app.watch.copy_us(to.Get(), wants.Get()) < tiles_in_video_memory_us);
  CHECK(app.watch.now_us() - begin == Approx(2 * mib_moves_us).margin(tiles_in_video_memory_us));
  CHECK(app.lives());
}
