// SPDX-License-Identifier: Apache-2.0
// What commands of D3D12 programs do to bytes in their captures, rules 20 and 21 of docs/contents.md: what the program
// reads back is what playing comes to.
#include "tests/d3d12/captured/captured_app.hpp"
#include "tests/d3d12/lists/copy_location.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"
#include "tests/d3d12/resources/reserved_app.hpp"

#include <array>

using namespace fenceline::testing;
using nlohmann::json;

namespace {

constexpr auto upload = D3D12_HEAP_TYPE_UPLOAD;
constexpr auto readback = D3D12_HEAP_TYPE_READBACK;

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

ComPtr<ID3D12Resource> target_of(App& app, DXGI_FORMAT format, UINT64 width, UINT height, UINT samples = 1) {
  return app.resource({D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                       0,
                       width,
                       height,
                       1,
                       1,
                       format,
                       {samples, 0},
                       D3D12_TEXTURE_LAYOUT_UNKNOWN,
                       D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET},
                      D3D12_HEAP_TYPE_DEFAULT);
}

/// The one view of a heap of its own.
struct TargetView {
  TargetView(App& app, ID3D12Resource* target) : heap(descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_RTV)) {
    app.device->CreateRenderTargetView(target, nullptr, handle());
  }
  D3D12_CPU_DESCRIPTOR_HANDLE handle() const { return heap->GetCPUDescriptorHandleForHeapStart(); }
  ComPtr<ID3D12DescriptorHeap> heap;
};

/// Ends the capture, and says whether a readback buffer `back` comes to what the program sees.
std::string played_difference(Capturing& capture, ID3D12Resource* back) {
  const Bytes expected = seen(back);
  return difference(capture.end_and_play(), "back", expected);
}

}  // namespace

TEST_CASE("captured bytes: boxes and footprints of textures", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder direct(app, direct_type);
  constexpr auto format = DXGI_FORMAT_R8G8_UINT;
  const auto texture = named(app.texture(format, 6, 5), L"texture");
  const auto other = named(app.texture(format, 4, 4), L"other");
  const auto up = named(app.buffer(2048, upload), L"up");
  const auto back = named(app.buffer(2048, readback), L"back");
  write(up.Get(), numbers(2048));
  // 5 x 4 texels of 2 bytes from 512 on, the box of 3 x 2 from (1, 1) goes to (2, 3).
  const auto from = in_buffer(up.Get(), {512, {format, 5, 4, 1, 256}});
  const auto in = in_texture(texture.Get());
  const D3D12_BOX box{1, 1, 0, 4, 3, 1};
  direct.list->CopyTextureRegion(&in, 2, 3, 0, &from, &box);
  const auto in_other = in_texture(other.Get());
  const D3D12_BOX corner{2, 2, 0, 6, 5, 1};
  direct.list->CopyTextureRegion(&in_other, 0, 1, 0, &in, &corner);
  const auto to = in_buffer(back.Get(), {0, {format, 4, 4, 1, 256}});
  direct.list->CopyTextureRegion(&to, 0, 0, 0, &in_other, nullptr);
  const auto to_whole = in_buffer(back.Get(), {1024, {format, 6, 3, 1, 256}});
  const D3D12_BOX last_rows{0, 3, 0, 6, 5, 1};
  direct.list->CopyTextureRegion(&to_whole, 0, 1, 0, &in, &last_rows);
  direct.run();
  // Rows 1 and 2 of the footprint begin at 768 and 1024, which are 0 again; texel 1 is bytes 2 and 3.
  Bytes expected(2048);
  for (const std::size_t row : {0, 1}) {
    put(expected, 256 * (2 + row), numbers(6, 2));  // of `other`, rows 2 and 3 are 3 and 4 of the texture
    put(expected, 1024 + 256 * (1 + row) + 4, numbers(6, 2));
  }
  REQUIRE(seen(back.Get()) == expected);
  CHECK(played_difference(capture, back.Get()) == "");
}

TEST_CASE("captured bytes: mips and slices of a texture", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder direct(app, direct_type);
  D3D12_RESOURCE_DESC desc = texture_2d(DXGI_FORMAT_R32_UINT, 8, 8, 2, 3);
  const auto texture = named(app.resource(desc, D3D12_HEAP_TYPE_DEFAULT), L"texture");
  std::array<D3D12_PLACED_SUBRESOURCE_FOOTPRINT, 6> footprints{};
  UINT64 bytes = 0;
  app.device->GetCopyableFootprints(&desc, 0, 6, 0, footprints.data(), nullptr, nullptr, &bytes);
  const auto up = named(app.buffer(bytes, upload), L"up");
  const auto back = named(app.buffer(bytes, readback), L"back");
  const Bytes filled = numbers(static_cast<std::size_t>(bytes), 1);
  write(up.Get(), filled);
  for (UINT i = 0; i < 6; ++i) {
    const auto from = in_buffer(up.Get(), footprints[i]);
    const auto to = in_texture(texture.Get(), i);
    direct.list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
  }
  for (UINT i = 0; i < 6; ++i) {
    const auto from = in_texture(texture.Get(), i);
    const auto to = in_buffer(back.Get(), footprints[i]);
    direct.list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
  }
  direct.run();
  Bytes expected(static_cast<std::size_t>(bytes));
  for (UINT i = 0; i < 6; ++i) {
    const UINT side = 8U >> i % 3;
    for (UINT row = 0; row < side; ++row) {
      const auto at = static_cast<std::size_t>(footprints[i].Offset) + std::size_t{row} * 256;
      std::copy_n(filled.begin() + static_cast<std::ptrdiff_t>(at), side * 4,
                  expected.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  REQUIRE(seen(back.Get()) == expected);
  CHECK(played_difference(capture, back.Get()) == "");
}

TEST_CASE("captured bytes: clears of a whole target and of its rectangles", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder direct(app, direct_type);
  constexpr auto format = DXGI_FORMAT_B8G8R8A8_UNORM;
  const auto target = named(target_of(app, format, 4, 3), L"target");
  const TargetView view(app, target.Get());
  const float whole[] = {1, 0.5F, 0, 1};
  const float part[] = {0, 0, 1, 0};
  const D3D12_RECT rects[] = {{1, 0, 3, 1}, {3, 1, 4, 3}};
  direct.list->ClearRenderTargetView(view.handle(), whole, 0, nullptr);
  direct.list->ClearRenderTargetView(view.handle(), part, 2, rects);
  const auto back = named(app.buffer(768, readback), L"back");
  const auto to = in_buffer(back.Get(), {0, {format, 4, 3, 1, 256}});
  const auto from = in_texture(target.Get());
  direct.list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
  direct.run();
  constexpr std::uint32_t all = 0xFFFF8000, blue = 0x000000FF;
  Bytes expected(768);
  put(expected, 0, bytes_of<std::uint32_t>({all, blue, blue, all}));
  put(expected, 256, bytes_of<std::uint32_t>({all, all, all, blue}));
  put(expected, 512, bytes_of<std::uint32_t>({all, all, all, blue}));
  REQUIRE(seen(back.Get()) == expected);
  CHECK(played_difference(capture, back.Get()) == "");
}

TEST_CASE("captured bytes: depth and stencil are cleared and copied plane by plane", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder direct(app, direct_type);
  const auto depth =
      named(app.texture(DXGI_FORMAT_D24_UNORM_S8_UINT, 2, 2, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL), L"depth");
  const auto heap = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_DSV);
  const auto view = heap->GetCPUDescriptorHandleForHeapStart();
  app.device->CreateDepthStencilView(depth.Get(), nullptr, view);
  const auto up = named(app.buffer(512, upload), L"up");
  const auto back = named(app.buffer(4096, readback), L"back");
  write(up.Get(), std::vector<std::uint32_t>{0xFFFFFFFF, 0x12345678});
  write(up.Get(), std::vector<std::uint32_t>{0xFF000001, 0x80000000}, 256);
  direct.list->ClearDepthStencilView(view, D3D12_CLEAR_FLAG_DEPTH | D3D12_CLEAR_FLAG_STENCIL, 1, 77, 0, nullptr);
  const D3D12_RESOURCE_DESC desc = depth->GetDesc();
  std::array<D3D12_PLACED_SUBRESOURCE_FOOTPRINT, 2> footprints{};
  app.device->GetCopyableFootprints(&desc, 0, 2, 0, footprints.data(), nullptr, nullptr, nullptr);
  const auto take = [&](UINT plane, UINT64 offset) {
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT footprint = footprints[plane];
    footprint.Offset = offset;
    const auto to = in_buffer(back.Get(), footprint);
    const auto from = in_texture(depth.Get(), plane);
    direct.list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
  };
  take(0, 0);
  take(1, 1024);
  // Of what becomes depth the lower 24 bits count.
  const auto from_up = in_buffer(up.Get(), {0, {footprints[0].Footprint.Format, 2, 2, 1, 256}});
  const auto in_depth = in_texture(depth.Get());
  direct.list->CopyTextureRegion(&in_depth, 0, 0, 0, &from_up, nullptr);
  take(0, 2048);
  take(1, 3072);
  direct.run();
  REQUIRE(read<std::uint32_t>(back.Get(), 2, 0) == std::vector<std::uint32_t>(2, 0xFFFFFF));
  REQUIRE(read<std::uint8_t>(back.Get(), 2, 1024) == std::vector<std::uint8_t>{77, 77});
  REQUIRE(read<std::uint32_t>(back.Get(), 2, 2048) == std::vector<std::uint32_t>{0xFFFFFF, 0x345678});
  REQUIRE(read<std::uint8_t>(back.Get(), 2, 3072) == std::vector<std::uint8_t>{77, 77});
  CHECK(played_difference(capture, back.Get()) == "");
}

TEST_CASE("captured bytes: clears of unordered access views and immediate writes", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder direct(app, direct_type);
  const auto words =
      named(app.buffer(64, D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS), L"words");
  const auto back = named(app.buffer(64, readback), L"back");
  const auto views = descriptor_heap(app, D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, true);
  D3D12_UNORDERED_ACCESS_VIEW_DESC view{};
  view.Format = DXGI_FORMAT_R32_UINT;
  view.ViewDimension = D3D12_UAV_DIMENSION_BUFFER;
  view.Buffer.FirstElement = 2;
  view.Buffer.NumElements = 10;
  app.device->CreateUnorderedAccessView(words.Get(), nullptr, &view, views->GetCPUDescriptorHandleForHeapStart());
  const UINT values[4] = {0x01020304, 0, 0, 0};
  direct.list->SetDescriptorHeaps(1, views.GetAddressOf());
  direct.list->ClearUnorderedAccessViewUint(views->GetGPUDescriptorHandleForHeapStart(),
                                            views->GetCPUDescriptorHandleForHeapStart(), words.Get(), values, 0,
                                            nullptr);
  ComPtr<ID3D12GraphicsCommandList2> list;
  REQUIRE(direct.list.As(&list) == S_OK);
  const UINT64 address = words->GetGPUVirtualAddress();
  const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER writes[] = {{address + 4, 111}, {address + 12, 222}, {address + 60, 333}};
  list->WriteBufferImmediate(3, writes, nullptr);
  list->CopyResource(back.Get(), words.Get());
  direct.run();
  std::vector<UINT> expected(16);
  std::fill_n(expected.begin() + 2, 10, 0x01020304U);
  expected[1] = 111, expected[3] = 222, expected[15] = 333;
  REQUIRE(read<UINT>(back.Get(), 16) == expected);
  const json run = capture.end_and_play();
  CHECK(difference(run, "words", bytes_of(expected)) == "");
  CHECK(difference(run, "back", bytes_of(expected)) == "");
}

TEST_CASE("captured bytes: a predicate skips copies and no immediate writes", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder direct(app, direct_type);
  ComPtr<List> list;
  REQUIRE(direct.list.As(&list) == S_OK);
  const auto predicate = named(app.buffer(16, upload), L"predicate");
  const auto up = named(app.buffer(8, upload), L"up");
  const auto words = named(app.buffer(8), L"words");
  const auto back = named(app.buffer(16, readback), L"back");
  write(up.Get(), std::vector<UINT>{5, 6});
  write(predicate.Get(), std::vector<UINT64>{0, 1});
  for (const UINT64 offset : {UINT64{0}, UINT64{8}}) {  // skipped, executed
    list->SetPredication(predicate.Get(), offset, D3D12_PREDICATION_OP_EQUAL_ZERO);
    list->CopyBufferRegion(words.Get(), 0, up.Get(), 0, 4);
    const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER parameter{words->GetGPUVirtualAddress() + 4, 70 + UINT(offset)};
    list->WriteBufferImmediate(1, &parameter, nullptr);
    list->SetPredication(nullptr, 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
    list->CopyBufferRegion(back.Get(), offset, words.Get(), 0, 8);
  }
  direct.run();
  REQUIRE(read<UINT>(back.Get(), 4) == std::vector<UINT>{0, 70, 5, 78});
  CHECK(played_difference(capture, back.Get()) == "");
}

TEST_CASE("captured bytes: what a bundle writes is there each time", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder direct(app, direct_type);
  const auto words = named(app.buffer(16), L"words");
  const auto zeros = named(app.buffer(16, upload), L"zeros");
  const auto back = named(app.buffer(48, readback), L"back");
  const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_BUNDLE);
  ComPtr<ID3D12GraphicsCommandList2> bundle;
  REQUIRE(app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_BUNDLE).As(&bundle) == S_OK);
  const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER parameter{words->GetGPUVirtualAddress() + 4, 99};
  bundle->WriteBufferImmediate(1, &parameter, nullptr);
  REQUIRE(bundle->Close() == S_OK);
  direct.list->ExecuteBundle(bundle.Get());
  direct.list->CopyBufferRegion(back.Get(), 0, words.Get(), 0, 16);
  direct.list->CopyResource(words.Get(), zeros.Get());
  direct.list->CopyBufferRegion(back.Get(), 16, words.Get(), 0, 16);
  direct.list->ExecuteBundle(bundle.Get());
  direct.list->CopyBufferRegion(back.Get(), 32, words.Get(), 0, 16);
  direct.run();
  REQUIRE(read<UINT>(back.Get(), 12) == std::vector<UINT>{0, 99, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0});
  CHECK(played_difference(capture, back.Get()) == "");
}

TEST_CASE("captured bytes: a resolve that runs twice comes to what it came to each time",
          "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder direct(app, direct_type);
  constexpr auto format = DXGI_FORMAT_R32_FLOAT;
  const auto from = named(target_of(app, format, 4, 2, 4), L"samples");
  const auto to = named(app.texture(format, 4, 2), L"resolved");
  const auto back = named(app.buffer(1024, readback), L"back");
  const TargetView view(app, from.Get());
  Recorder resolve(app, direct_type);
  resolve.list->ResolveSubresource(to.Get(), 0, from.Get(), 0, format);
  REQUIRE(resolve.list->Close() == S_OK);
  ID3D12CommandList* const lists[] = {resolve.list.Get()};
  for (const float value : {2.0F, 5.0F}) {
    const float color[] = {value, 0, 0, 0};
    const D3D12_RECT half{2, 0, 4, 2};
    direct.list->ClearRenderTargetView(view.handle(), color, value == 2 ? 0 : 1, value == 2 ? nullptr : &half);
    direct.run();
    direct.queue->ExecuteCommandLists(1, lists);
    const auto in_back = in_buffer(back.Get(), {value == 2 ? 0U : 512U, {format, 4, 2, 1, 256}});
    const auto source = in_texture(to.Get());
    direct.list->CopyTextureRegion(&in_back, 0, 0, 0, &source, nullptr);
    direct.run();
  }
  REQUIRE(read<float>(back.Get(), 4, 256) == std::vector<float>{2, 2, 2, 2});
  REQUIRE(read<float>(back.Get(), 4, 512 + 256) == std::vector<float>{2, 2, 5, 5});
  CHECK(played_difference(capture, back.Get()) == "");
}

TEST_CASE("captured bytes: four samples of different values become their mean", "[d3d12][capture][contents]") {
  ReservedApp app;
  Capturing capture;
  Recorder direct(app, direct_type);
  constexpr auto format = DXGI_FORMAT_R32_FLOAT;
  D3D12_RESOURCE_DESC desc = tiled(texture_2d(format, 64, 64));
  desc.SampleDesc.Count = 4;
  desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
  const auto samples = app.reserved(desc);
  const auto tiles = named(app.tile_heap(1), L"tiles");
  const auto to = named(app.texture(format, 64, 64), L"resolved");
  const auto up = named(app.buffer(tile_size, upload), L"up");
  const auto back = named(app.buffer(64 * 256, readback), L"back");
  // Samples of a texel lie side by side: the k-th texel has k, k + 1, k + 2 and k + 9, whose mean is k + 3.
  std::vector<float> values(tile_size / 4);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(i / 4) + (i % 4 == 3 ? 9.0F : static_cast<float>(i % 4));
  }
  write(up.Get(), values);
  ReservedApp::map_all(direct.queue.Get(), samples.Get(), tiles.Get());
  ComPtr<List> list;
  REQUIRE(direct.list.As(&list) == S_OK);
  const D3D12_TILED_RESOURCE_COORDINATE start{0, 0, 0, 0};
  const D3D12_TILE_REGION_SIZE one{1, FALSE, 0, 0, 0};
  list->CopyTiles(samples.Get(), &start, &one, up.Get(), 0,
                  D3D12_TILE_COPY_FLAG_LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE);
  list->ResolveSubresource(to.Get(), 0, samples.Get(), 0, format);
  const auto in_back = in_buffer(back.Get(), {0, {format, 64, 64, 1, 256}});
  const auto source = in_texture(to.Get());
  list->CopyTextureRegion(&in_back, 0, 0, 0, &source, nullptr);
  direct.run();
  std::vector<float> expected(std::size_t{64} * 64);
  for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = static_cast<float>(k) + 3;
  REQUIRE(read<float>(back.Get(), expected.size()) == expected);
  const json run = capture.end_and_play();
  CHECK(difference(run, "back", bytes_of(expected)) == "");
  CHECK_FALSE(content_of(run, "tiles").is_null());
}

TEST_CASE("captured bytes: results of queries are those that the program got", "[d3d12][capture][contents]") {
  App app;
  Capturing capture;
  Recorder direct(app, direct_type);
  const auto pipeline = graphics_pipeline(app);
  const auto occlusion = query_heap(app, D3D12_QUERY_HEAP_TYPE_OCCLUSION, 2);
  const auto stamps = query_heap(app, D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2);
  const auto results = named(app.buffer(32), L"results");
  const auto back = named(app.buffer(64, readback), L"back");
  auto* const list = direct.list.Get();
  list->SetPipelineState(pipeline.Get());
  list->IASetPrimitiveTopology(D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
  const D3D12_VIEWPORT viewport{0, 0, 64, 32, 0, 1};
  list->RSSetViewports(1, &viewport);
  list->EndQuery(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
  list->BeginQuery(occlusion.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0);
  list->DrawInstanced(4, 1, 0, 0);  // two triangles: the whole viewport
  list->EndQuery(occlusion.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0);
  list->BeginQuery(occlusion.Get(), D3D12_QUERY_TYPE_BINARY_OCCLUSION, 1);
  list->DrawInstanced(4, 1, 0, 0);
  list->EndQuery(occlusion.Get(), D3D12_QUERY_TYPE_BINARY_OCCLUSION, 1);
  list->EndQuery(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1);
  list->ResolveQueryData(occlusion.Get(), D3D12_QUERY_TYPE_OCCLUSION, 0, 1, results.Get(), 0);
  list->ResolveQueryData(occlusion.Get(), D3D12_QUERY_TYPE_BINARY_OCCLUSION, 1, 1, results.Get(), 8);
  list->ResolveQueryData(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2, results.Get(), 16);
  list->ResolveQueryData(stamps.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1, 1, back.Get(), 0);
  list->CopyBufferRegion(back.Get(), 32, results.Get(), 0, 32);
  direct.run();
  const auto found = read<UINT64>(back.Get(), 8);
  REQUIRE(found[4] == 64 * 32);
  REQUIRE(found[5] == 1);
  REQUIRE(found[7] == found[0]);
  REQUIRE(found[7] >= found[6]);
  REQUIRE(found[7] > 0);
  const Bytes expected = seen(back.Get());
  const json run = capture.end_and_play();
  CHECK(difference(run, "back", expected) == "");
  CHECK(difference(run, "results", Bytes(expected.begin() + 32, expected.end())) == "");
  // On a machine on which it takes another time, too.
  CHECK(difference(played(capture.shell, {"--machine", "h200"}), "back", expected) == "");
}
