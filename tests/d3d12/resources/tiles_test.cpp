// SPDX-License-Identifier: Apache-2.0
// Tiles hold what is written: what copies, clears and all other commands leave in reserved resources, through mappings
// that change in their turn among the queue's work.
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/lists/copy_location.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"
#include "tests/d3d12/resources/reserved_app.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>
#include <utility>

using namespace fenceline::testing;

namespace {

constexpr auto to_buffer = D3D12_TILE_COPY_FLAG_SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER;
constexpr auto none = D3D12_TILE_MAPPING_FLAG_NONE;

using Words = std::vector<std::uint32_t>;

/// One word from the start of each tile of a buffer.
Words first_words(Recorder& recorder, ID3D12Resource* buffer, UINT tiles) {
  const auto back = recorder.app.buffer(4 * tiles, D3D12_HEAP_TYPE_READBACK);
  for (UINT i = 0; i < tiles; ++i) recorder.list->CopyBufferRegion(back.Get(), 4 * i, buffer, i * tile_size, 4);
  recorder.run();
  return read<std::uint32_t>(back.Get(), tiles);
}

}  // namespace

TEST_CASE("tiles: without a mapping reads are 0 and writes are dropped", "[d3d12]") {
  ReservedApp app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto buffer = app.reserved(buffer_desc(2 * tile_size));
  const auto heap = app.tile_heap(2);
  const auto up = app.buffer(2 * tile_size, D3D12_HEAP_TYPE_UPLOAD);
  write(up.Get(), Words(2 * tile_size / 4, 7));
  direct.list->CopyResource(buffer.Get(), up.Get());
  CHECK(first_words(direct, buffer.Get(), 2) == Words{0, 0});
  ReservedApp::map_one(direct.queue.Get(), buffer.Get(), 1, heap.Get(), 0);
  CHECK(first_words(direct, buffer.Get(), 2) == Words{0, 0});
  direct.list->CopyResource(buffer.Get(), up.Get());
  CHECK(first_words(direct, buffer.Get(), 2) == Words{0, 7});
  const auto flag = D3D12_TILE_RANGE_FLAG_NULL;
  direct.queue->UpdateTileMappings(buffer.Get(), 1, nullptr, nullptr, nullptr, 1, &flag, nullptr, nullptr, none);
  CHECK(first_words(direct, buffer.Get(), 2) == Words{0, 0});
  ReservedApp::map_all(direct.queue.Get(), buffer.Get(), heap.Get());
  CHECK(first_words(direct, buffer.Get(), 2) == Words{7, 0});  // the heap has kept it
}

TEST_CASE("tiles: mappings change in their turn among the queue's lists", "[d3d12]") {
  ReservedApp app;
  const auto heap = app.tile_heap(3);
  const auto buffer = app.reserved(buffer_desc(3 * tile_size));
  const auto other = app.reserved(buffer_desc(3 * tile_size));
  for (const auto type :
       {D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_TYPE_COMPUTE, D3D12_COMMAND_LIST_TYPE_COPY}) {
    Recorder recorder(app, type);
    const auto up = app.buffer(64, D3D12_HEAP_TYPE_UPLOAD);
    const UINT first = 100 * static_cast<UINT>(type);
    write(up.Get(), Words{first, first + 1, first + 2});
    std::vector<ComPtr<ID3D12CommandAllocator>> allocators;
    std::vector<ComPtr<ID3D12GraphicsCommandList>> lists;
    // Nothing waits: the GPU finds the mapping of tile 0 that came before each list.
    for (UINT i = 0; i < 3; ++i) {
      ReservedApp::map_one(recorder.queue.Get(), buffer.Get(), 0, heap.Get(), i);
      allocators.push_back(app.allocator(type));
      lists.push_back(app.list(allocators.back().Get(), type));
      lists.back()->CopyBufferRegion(buffer.Get(), 0, up.Get(), 4 * i, 4);
      REQUIRE(lists.back()->Close() == S_OK);
      ID3D12CommandList* const one[] = {lists.back().Get()};
      recorder.queue->ExecuteCommandLists(1, one);
    }
    ReservedApp::map_all(recorder.queue.Get(), other.Get(), heap.Get());
    const D3D12_TILED_RESOURCE_COORDINATE at_0{0, 0, 0, 0};
    const D3D12_TILED_RESOURCE_COORDINATE at_1{1, 0, 0, 0};
    const D3D12_TILE_REGION_SIZE two{2, FALSE, 0, 0, 0};
    CHECK(first_words(recorder, other.Get(), 3) == Words{first, first + 1, first + 2});
    recorder.queue->CopyTileMappings(buffer.Get(), &at_1, other.Get(), &at_0, &two, none);
    CHECK(first_words(recorder, buffer.Get(), 3) == Words{first + 2, first, first + 1});
    // As if by way of a copy, where the two overlap.
    recorder.queue->CopyTileMappings(buffer.Get(), &at_1, buffer.Get(), &at_0, &two, none);
    CHECK(first_words(recorder, buffer.Get(), 3) == Words{first + 2, first + 2, first});
  }
}

TEST_CASE("tiles: a mapping behind a wait is not there before the fence", "[d3d12]") {
  ReservedApp app;
  const auto heap = app.tile_heap(1);
  const auto buffer = app.reserved(buffer_desc(tile_size));
  const auto up = app.buffer(4, D3D12_HEAP_TYPE_UPLOAD);
  write(up.Get(), Words{5});
  Recorder reader(app, D3D12_COMMAND_LIST_TYPE_COPY);
  Recorder mapper(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto gate = app.fence();
  REQUIRE(mapper.queue->Wait(gate.Get(), 1) == S_OK);
  ReservedApp::map_all(mapper.queue.Get(), buffer.Get(), heap.Get());
  reader.list->CopyBufferRegion(buffer.Get(), 0, up.Get(), 0, 4);
  CHECK(first_words(reader, buffer.Get(), 1) == Words{0});
  CHECK(mapper.fence->GetCompletedValue() == 0);
  REQUIRE(gate->Signal(1) == S_OK);
  mapper.submit();
  mapper.wait();
  reader.list->CopyBufferRegion(buffer.Get(), 0, up.Get(), 0, 4);
  CHECK(first_words(reader, buffer.Get(), 1) == Words{5});
}

TEST_CASE("tiles: one tile of a heap that is mapped twice is one", "[d3d12]") {
  ReservedApp app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto heap = app.tile_heap(2);
  const auto one = app.reserved(buffer_desc(2 * tile_size));
  const auto other = app.reserved(buffer_desc(tile_size));
  // A buffer in the heap itself sees them, too.
  const D3D12_RESOURCE_DESC desc = buffer_desc(tile_size);
  ComPtr<ID3D12Resource> placed;
  REQUIRE(app.device->CreatePlacedResource(heap.Get(), tile_size, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                           IID_PPV_ARGS(&placed)) == S_OK);
  const UINT second = 1;
  const auto reuse = D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE;
  direct.queue->UpdateTileMappings(one.Get(), 1, nullptr, nullptr, heap.Get(), 1, &reuse, &second, nullptr, none);
  ReservedApp::map_all(direct.queue.Get(), other.Get(), heap.Get(), 1);
  const auto up = app.buffer(4, D3D12_HEAP_TYPE_UPLOAD);
  for (UINT value = 1; value < 5; ++value) {
    write(up.Get(), Words{value});
    const std::pair<ID3D12Resource*, UINT64> places[] = {
        {one.Get(), 0}, {one.Get(), tile_size}, {other.Get(), 0}, {placed.Get(), 0}};
    direct.list->CopyBufferRegion(places[value - 1].first, places[value - 1].second, up.Get(), 0, 4);
    CHECK(first_words(direct, one.Get(), 2) == Words{value, value});
    CHECK(first_words(direct, other.Get(), 1) == Words{value});
    CHECK(first_words(direct, placed.Get(), 1) == Words{value});
  }
}

TEST_CASE("tiles: a mapping keeps the heap's memory and no reference that the program could count", "[d3d12]") {
  ReservedApp app;
  const ULONG before = references(app.device.Get());
  {
    Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
    auto heap = app.tile_heap(1);
    const auto buffer = app.reserved(buffer_desc(tile_size));
    const auto up = app.buffer(4, D3D12_HEAP_TYPE_UPLOAD);
    write(up.Get(), Words{5});
    const ULONG of_buffer = references(buffer.Get());
    const ULONG of_device = references(app.device.Get());
    ReservedApp::map_all(direct.queue.Get(), buffer.Get(), heap.Get());
    CHECK(references(heap.Get()) == 1);
    CHECK(references(buffer.Get()) == of_buffer);
    CHECK(heap.Detach()->Release() == 0);
    CHECK(references(app.device.Get()) == of_device - 1);
    direct.list->CopyBufferRegion(buffer.Get(), 0, up.Get(), 0, 4);
    CHECK(first_words(direct, buffer.Get(), 1) == Words{5});
    // A resource may go while what it is to be mapped to is under way.
    auto gone = app.reserved(buffer_desc(tile_size));
    const auto another = app.tile_heap(1);
    ReservedApp::map_all(direct.queue.Get(), gone.Get(), another.Get());
    CHECK(gone.Detach()->Release() == 0);
    CHECK(first_words(direct, buffer.Get(), 1) == Words{5});
  }
  CHECK(references(app.device.Get()) == before);
}

TEST_CASE("tiles: every command that reads or writes buffers finds its way", "[d3d12]") {
  ReservedApp app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  ID3D12GraphicsCommandList* const list = direct.list.Get();
  const auto heap = app.tile_heap(8);
  D3D12_RESOURCE_DESC desc = buffer_desc(4 * tile_size);
  desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  const auto buffer = app.reserved(desc);
  // Tiles 0, 1 and 2 in no order; tile 3 nowhere.
  ReservedApp::map_one(direct.queue.Get(), buffer.Get(), 0, heap.Get(), 5);
  ReservedApp::map_one(direct.queue.Get(), buffer.Get(), 1, heap.Get(), 2);
  ReservedApp::map_one(direct.queue.Get(), buffer.Get(), 2, heap.Get(), 7);
  const auto back = app.buffer(4 * tile_size, D3D12_HEAP_TYPE_READBACK);
  const auto words = [&] {
    list->CopyResource(back.Get(), buffer.Get());
    direct.run();
    return read<std::uint32_t>(back.Get(), tile_size);
  };
  constexpr UINT tile = tile_size / 4;  // words

  SECTION("CopyBufferRegion, over the edges of tiles and back") {
    Words values(tile + 2);
    std::iota(values.begin(), values.end(), 1);
    const auto up = app.buffer(values.size() * 4, D3D12_HEAP_TYPE_UPLOAD);
    write(up.Get(), values);
    list->CopyBufferRegion(buffer.Get(), 2 * tile_size - 4, up.Get(), 0, values.size() * 4);
    Words expected(4 * tile);
    std::copy(values.begin(), values.end() - 1, expected.begin() + 2 * tile - 1);
    CHECK(words() == expected);
    list->CopyBufferRegion(buffer.Get(), 0, buffer.Get(), 2 * tile_size, 8);
    CHECK(words()[0] == 2);
  }
  SECTION("WriteBufferImmediate") {
    ComPtr<ID3D12GraphicsCommandList2> newer;
    REQUIRE(direct.list.As(&newer) == S_OK);
    const UINT64 address = buffer->GetGPUVirtualAddress();
    const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER writes[] = {
        {address + tile_size, 4}, {address + 3 * tile_size - 4, 5}, {address + 3 * tile_size, 6}};
    newer->WriteBufferImmediate(3, writes, nullptr);
    const Words found = words();
    CHECK(found[tile] == 4);
    CHECK(found[3 * tile - 1] == 5);
    CHECK(found[3 * tile] == 0);
  }
  SECTION("ClearUnorderedAccessView") {
    const auto views = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, true);
    D3D12_UNORDERED_ACCESS_VIEW_DESC view{};
    view.Format = DXGI_FORMAT_R32_UINT;
    view.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
    view.Buffer.FirstElement = 5;
    view.Buffer.NumElements = 4 * tile - 5;
    app.device->CreateUnorderedAccessView(buffer.Get(), nullptr, &view, views->GetCPUDescriptorHandleForHeapStart());
    const UINT values[4] = {9, 9, 9, 9};
    list->ClearUnorderedAccessViewUint(views->GetGPUDescriptorHandleForHeapStart(),
                                       views->GetCPUDescriptorHandleForHeapStart(), buffer.Get(), values, 0, nullptr);
    Words expected(4 * tile, 9);
    std::fill_n(expected.begin(), 5, 0);
    std::fill_n(expected.begin() + 3 * tile, tile, 0);
    CHECK(words() == expected);
  }
  SECTION("ResolveQueryData") {
    const auto queries = query_heap(app, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 3);
    for (UINT i = 0; i < 3; ++i) list->EndQuery(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, i);
    const auto plain = app.buffer(24, D3D12_HEAP_TYPE_READBACK);
    list->ResolveQueryData(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 3, plain.Get(), 0);
    list->ResolveQueryData(queries.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 3, buffer.Get(), tile_size - 16);
    words();
    CHECK(read<UINT64>(back.Get(), 3, tile_size - 16) == read<UINT64>(plain.Get(), 3));
  }
  SECTION("predicates") {
    const auto up = app.buffer(16, D3D12_HEAP_TYPE_UPLOAD);
    write(up.Get(), std::vector<UINT64>{1, 77});
    const auto result = app.buffer(8, D3D12_HEAP_TYPE_READBACK);
    const auto copied = [&](UINT64 predicate) {
      write(result.Get(), std::vector<UINT64>{0});
      list->CopyBufferRegion(buffer.Get(), tile_size, up.Get(), 0, 8);
      list->SetPredication(buffer.Get(), predicate, D3D12_PREDICATION_OP_EQUAL_ZERO);
      list->CopyBufferRegion(result.Get(), 0, up.Get(), 8, 8);
      list->SetPredication(nullptr, 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
      direct.run();
      return read<UINT64>(result.Get(), 1)[0] == 77;
    };
    CHECK(copied(tile_size));
    CHECK_FALSE(copied(tile_size + 8));
    CHECK_FALSE(copied(3 * tile_size));  // nothing is mapped there
  }
  SECTION("ExecuteIndirect") {
    // Two draws, the first of them in two tiles, and the count in a third.
    const auto up = app.buffer(64, D3D12_HEAP_TYPE_UPLOAD);
    write(up.Get(), Words{3, 4, 0, 0, 6, 5, 0, 0, 2});
    list->CopyBufferRegion(buffer.Get(), 2 * tile_size - 8, up.Get(), 0, 32);
    list->CopyBufferRegion(buffer.Get(), 16, up.Get(), 32, 4);
    const auto pipeline = graphics_pipeline(app);
    const auto signature = signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DRAW, 16);
    const auto queries = query_heap(app, D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS, 2);
    list->SetPipelineState(pipeline.Get());
    list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    const auto counted = [&](UINT index, UINT64 count_offset) {
      list->BeginQuery(queries.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, index);
      list->ExecuteIndirect(signature.Get(), 4, buffer.Get(), 2 * tile_size - 8, buffer.Get(), count_offset);
      list->EndQuery(queries.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, index);
    };
    counted(0, 16);
    counted(1, 3 * tile_size);  // reads 0
    const auto results = app.buffer(2 * sizeof(D3D12_QUERY_DATA_PIPELINE_STATISTICS), D3D12_HEAP_TYPE_READBACK);
    list->ResolveQueryData(queries.Get(), D3D12_QUERY_TYPE_PIPELINE_STATISTICS, 0, 2, results.Get(), 0);
    direct.run();
    const auto statistics = read<D3D12_QUERY_DATA_PIPELINE_STATISTICS>(results.Get(), 2);
    CHECK(statistics[0].IAVertices == 3 * 4 + 6 * 5);
    CHECK(statistics[1].IAVertices == 0);
  }
}

TEST_CASE("tiles: targets of several samples are cleared, resolved and copied tile by tile", "[d3d12]") {
  ReservedApp app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  constexpr auto format = DXGI_FORMAT_R32_FLOAT;
  for (const UINT samples : {2, 4, 8}) {
    CAPTURE(samples);
    D3D12_RESOURCE_DESC desc = tiled(texture_2d(format, 200, 150));
    desc.SampleDesc.Count = samples;
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
    const auto from = app.reserved(desc);
    desc.SampleDesc.Count = 1;
    const auto to = app.reserved(desc);
    UINT tiles = 0;
    D3D12_TILE_SHAPE shape{};
    app.device->GetResourceTiling(from.Get(), &tiles, nullptr, &shape, nullptr, 0, nullptr);
    const UINT across = (200 + shape.WidthInTexels - 1) / shape.WidthInTexels;
    const auto heap = app.tile_heap(100);
    ReservedApp::map_all(direct.queue.Get(), from.Get(), heap.Get());
    ReservedApp::map_all(direct.queue.Get(), to.Get(), heap.Get(), tiles);
    const auto null = D3D12_TILE_RANGE_FLAG_NULL;
    const D3D12_TILED_RESOURCE_COORDINATE second{1, 0, 0, 0};
    direct.queue->UpdateTileMappings(from.Get(), 1, &second, nullptr, nullptr, 1, &null, nullptr, nullptr, none);
    const auto views = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
    app.device->CreateRenderTargetView(from.Get(), nullptr, views->GetCPUDescriptorHandleForHeapStart());
    const float all[] = {2, 0, 0, 0};
    const float part[] = {5, 0, 0, 0};
    const D3D12_RECT inner{3, 100, 190, 120};
    direct.list->ClearRenderTargetView(views->GetCPUDescriptorHandleForHeapStart(), all, 0, nullptr);
    direct.list->ClearRenderTargetView(views->GetCPUDescriptorHandleForHeapStart(), part, 1, &inner);
    direct.list->ResolveSubresource(to.Get(), 0, from.Get(), 0, format);
    const auto back = app.buffer(1024 * 150, D3D12_HEAP_TYPE_READBACK);
    const auto target = in_buffer(back.Get(), {0, {format, 200, 150, 1, 1024}});
    const auto source = in_texture(to.Get());
    direct.list->CopyTextureRegion(&target, 0, 0, 0, &source, nullptr);
    // All samples of the first tile of the last row, which ends with the texture.
    const D3D12_TILED_RESOURCE_COORDINATE last{0, (150 - 1) / shape.HeightInTexels, 0, 0};
    const D3D12_TILE_REGION_SIZE one{1, FALSE, 0, 0, 0};
    const auto tile = app.buffer(tile_size, D3D12_HEAP_TYPE_READBACK);
    write(tile.Get(), std::vector<float>(tile_size / 4, -1));
    direct.list->CopyTiles(from.Get(), &last, &one, tile.Get(), 0, to_buffer);
    direct.run();
    const auto inside = [&](UINT x, UINT y) { return x >= 3 && x < 190 && y >= 100 && y < 120; };
    for (UINT y = 0; y < 150; ++y) {
      const auto row = read<float>(back.Get(), 200, y * 1024);
      for (UINT x = 0; x < 200; ++x) {
        const bool mapped = x / shape.WidthInTexels != 1 || y >= shape.HeightInTexels;
        const float expected = !mapped ? 0.0F : inside(x, y) ? 5.0F : 2.0F;
        if (row[x] != expected) FAIL("texel " << x << ", " << y << ": " << row[x]);
      }
    }
    CHECK(across > 1);
    const auto texels = read<float>(tile.Get(), tile_size / 4);
    for (UINT i = 0; i < texels.size(); ++i) {
      const UINT x = i / samples % shape.WidthInTexels;
      const UINT y = last.Y * shape.HeightInTexels + i / samples / shape.WidthInTexels;
      const float expected = y >= 150 ? -1.0F : inside(x, y) ? 5.0F : 2.0F;
      if (texels[i] != expected) FAIL("sample " << i << ": " << texels[i]);
    }
  }
}

TEST_CASE("tiles: a clear of an ordinary target of several samples fills them all", "[d3d12]") {
  ReservedApp app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  constexpr auto format = DXGI_FORMAT_R32G32B32A32_FLOAT;
  D3D12_RESOURCE_DESC desc = texture_2d(format, 5, 4);
  desc.SampleDesc.Count = 8;
  desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
  const auto from = app.resource(desc, D3D12_HEAP_TYPE_DEFAULT);
  const auto to = app.texture(format, 5, 4);
  const auto views = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
  app.device->CreateRenderTargetView(from.Get(), nullptr, views->GetCPUDescriptorHandleForHeapStart());
  const float color[] = {1, 2, 3, 4};
  direct.list->ClearRenderTargetView(views->GetCPUDescriptorHandleForHeapStart(), color, 0, nullptr);
  direct.list->ResolveSubresource(to.Get(), 0, from.Get(), 0, format);
  const auto back = app.buffer(1024, D3D12_HEAP_TYPE_READBACK);
  const auto target = in_buffer(back.Get(), {0, {format, 5, 4, 1, 256}});
  const auto source = in_texture(to.Get());
  direct.list->CopyTextureRegion(&target, 0, 0, 0, &source, nullptr);
  direct.run();
  for (UINT y = 0; y < 4; ++y) {
    const auto row = read<float>(back.Get(), 20, y * 256);
    for (UINT i = 0; i < 20; ++i) CHECK(row[i] == color[i % 4]);
  }
}
