// SPDX-License-Identifier: Apache-2.0
// Reserved resources in captures, rule 20 of docs/contents.md: in their place there are the heaps that their tiles were
// mapped to.
#include "tests/d3d12/captured/captured_app.hpp"
#include "tests/d3d12/resources/reserved_app.hpp"

using namespace fenceline::testing;
using nlohmann::json;

namespace {

constexpr auto upload = D3D12_HEAP_TYPE_UPLOAD;
constexpr auto readback = D3D12_HEAP_TYPE_READBACK;
constexpr auto tile = static_cast<std::size_t>(tile_size);

}  // namespace

TEST_CASE("captured bytes: writes to a reserved buffer are in the heap of its tiles", "[d3d12][capture][contents]") {
  ReservedApp app;
  Capturing capture;
  Recorder direct(app, direct_type);
  const auto tiles = named(app.tile_heap(2), L"tiles");
  const auto buffer = named(app.reserved(buffer_desc(3 * tile_size)), L"reserved");
  const auto up = named(app.buffer(64, upload), L"up");
  const auto back = named(app.buffer(64, readback), L"back");
  write(up.Get(), numbers(64, 1));
  // The first tile is the heap's second one, and the other way round; the third one is not there.
  ReservedApp::map_one(direct.queue.Get(), buffer.Get(), 0, tiles.Get(), 1);
  ReservedApp::map_one(direct.queue.Get(), buffer.Get(), 1, tiles.Get(), 0);
  direct.list->CopyBufferRegion(buffer.Get(), tile_size - 4, up.Get(), 0, 8);
  direct.list->CopyBufferRegion(buffer.Get(), 2 * tile_size - 4, up.Get(), 32, 8);
  direct.list->CopyBufferRegion(back.Get(), 0, buffer.Get(), tile_size - 8, 16);
  direct.list->CopyBufferRegion(back.Get(), 16, buffer.Get(), 2 * tile_size - 4, 8);
  direct.run();
  Bytes in_back(64);
  put(in_back, 4, numbers(8, 1));
  put(in_back, 16, numbers(4, 33));
  REQUIRE(seen(back.Get()) == in_back);
  Bytes in_tiles(2 * tile);
  put(in_tiles, 2 * tile - 4, numbers(4, 1));
  put(in_tiles, 0, numbers(4, 5));
  put(in_tiles, tile - 4, numbers(4, 33));
  const json run = capture.end_and_play();
  CHECK(difference(run, "back", in_back) == "");
  CHECK(difference(run, "tiles", in_tiles) == "");
  CHECK(memory_names(unpacked(capture.shell)) == std::set<std::string>{"up", "back", "tiles"});
}

TEST_CASE("captured bytes: a list that runs again writes where its tiles are then", "[d3d12][capture][contents]") {
  ReservedApp app;
  Capturing capture;
  Recorder direct(app, direct_type);
  const auto tiles = named(app.tile_heap(3), L"tiles");
  const auto buffer = app.reserved(buffer_desc(tile_size));
  const auto up = named(app.buffer(16, upload), L"up");
  unsigned char* const pointer = kept_pointer(up.Get());
  direct.list->CopyBufferRegion(buffer.Get(), 8, up.Get(), 0, 16);
  REQUIRE(direct.list->Close() == S_OK);
  ID3D12CommandList* const lists[] = {direct.list.Get()};
  Bytes expected(3 * tile);
  for (UINT i = 0; i < 3; ++i) {
    std::memset(pointer, static_cast<int>(i) + 1, 16);
    ReservedApp::map_all(direct.queue.Get(), buffer.Get(), tiles.Get(), 2 - i);
    direct.queue->ExecuteCommandLists(1, lists);
    REQUIRE(direct.queue->Signal(direct.fence.Get(), ++direct.value) == S_OK);
    direct.wait();
    put(expected, (2 - i) * tile + 8, Bytes(16, static_cast<unsigned char>(i + 1)));
  }
  const json run = capture.end_and_play();
  CHECK(difference(run, "tiles", expected) == "");
  CHECK(difference(run, "up", Bytes(16, 3)) == "");
}

TEST_CASE("captured bytes: a placed buffer and a reserved one share a heap", "[d3d12][capture][contents]") {
  ReservedApp app;
  Capturing capture;
  Recorder direct(app, direct_type);
  const auto tiles = named(app.tile_heap(2), L"tiles");
  const auto reserved = app.reserved(buffer_desc(tile_size));
  const D3D12_RESOURCE_DESC desc = buffer_desc(tile_size);
  ComPtr<ID3D12Resource> placed;
  REQUIRE(app.device->CreatePlacedResource(tiles.Get(), tile_size, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                           IID_PPV_ARGS(&placed)) == S_OK);
  const auto up = named(app.buffer(16, upload), L"up");
  const auto back = named(app.buffer(32, readback), L"back");
  write(up.Get(), numbers(16, 60));
  ReservedApp::map_all(direct.queue.Get(), reserved.Get(), tiles.Get(), 1);
  direct.list->CopyBufferRegion(reserved.Get(), 100, up.Get(), 0, 16);
  direct.list->CopyBufferRegion(placed.Get(), 104, up.Get(), 0, 4);
  direct.list->CopyBufferRegion(back.Get(), 0, reserved.Get(), 100, 16);
  direct.list->CopyBufferRegion(back.Get(), 16, placed.Get(), 100, 16);
  direct.run();
  Bytes part = numbers(16, 60);
  put(part, 4, numbers(4, 60));
  Bytes in_back(32);
  put(in_back, 0, part);
  put(in_back, 16, part);
  REQUIRE(seen(back.Get()) == in_back);
  Bytes in_tiles(2 * tile);
  put(in_tiles, tile + 100, part);
  const json run = capture.end_and_play();
  CHECK(difference(run, "back", in_back) == "");
  CHECK(difference(run, "tiles", in_tiles) == "");
}
