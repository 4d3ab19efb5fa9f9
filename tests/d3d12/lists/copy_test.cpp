// SPDX-License-Identifier: Apache-2.0
// Data is real: what copies, clears and immediate writes leave in memory, at the time the engine does it.
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/lists/copy_location.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"

#include <array>
#include <numeric>

using namespace fenceline::testing;

namespace {

std::vector<std::uint32_t> counting(std::size_t count, std::uint32_t from = 1) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), from);
  return values;
}

}  // namespace

TEST_CASE("copies: bytes go up, across and back", "[d3d12]") {
  App app;
  Recorder copy(app, D3D12_COMMAND_LIST_TYPE_COPY);
  const auto up = app.buffer(4096, D3D12_HEAP_TYPE_UPLOAD);
  const auto middle = app.buffer(4096);
  const auto back = app.buffer(4096, D3D12_HEAP_TYPE_READBACK);
  write(up.Get(), counting(1024));
  copy.list->CopyBufferRegion(middle.Get(), 16, up.Get(), 32, 64);
  copy.list->CopyResource(back.Get(), middle.Get());
  copy.submit();
  CHECK(read<std::uint32_t>(back.Get(), 1024) == std::vector<std::uint32_t>(1024, 0));  // not yet
  copy.wait();
  const auto values = read<std::uint32_t>(back.Get(), 1024);
  for (std::uint32_t i = 0; i < 1024; ++i) CHECK(values[i] == (i >= 4 && i < 20 ? i - 4 + 9 : 0));
}

TEST_CASE("copies: a texture's rows lie as its footprint says", "[d3d12]") {
  App app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto texture = app.texture(DXGI_FORMAT_R32_UINT, 5, 3);
  const D3D12_RESOURCE_DESC desc = texture->GetDesc();
  D3D12_PLACED_SUBRESOURCE_FOOTPRINT footprint{};
  UINT64 bytes = 0;
  app.device->GetCopyableFootprints(&desc, 0, 1, 0, &footprint, nullptr, nullptr, &bytes);
  CHECK(footprint.Footprint.RowPitch == 256);
  const auto up = app.buffer(bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto back = app.buffer(bytes, D3D12_HEAP_TYPE_READBACK);
  for (UINT y = 0; y < 3; ++y) write(up.Get(), counting(5, 10 * y), y * 256);
  const auto to = in_texture(texture.Get());
  const auto from = in_buffer(up.Get(), footprint);
  direct.list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
  D3D12_RESOURCE_BARRIER barrier{};
  barrier.Transition = {texture.Get(), 0, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE};
  direct.list->ResourceBarrier(1, &barrier);
  const auto result = in_buffer(back.Get(), footprint);
  const D3D12_BOX box{1, 1, 0, 4, 3, 1};
  direct.list->CopyTextureRegion(&result, 2, 0, 0, &to, &box);
  direct.run();
  CHECK(read<std::uint32_t>(back.Get(), 5, 0) == std::vector<std::uint32_t>{0, 0, 11, 12, 13});
  CHECK(read<std::uint32_t>(back.Get(), 5, 256) == std::vector<std::uint32_t>{0, 0, 21, 22, 23});
}

TEST_CASE("copies: those of one list take place in the order recorded, however long they last", "[d3d12]") {
  App app;
  Recorder copy(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  constexpr UINT64 bytes = 1 << 22;
  const auto large = app.buffer(bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto small = app.buffer(4, D3D12_HEAP_TYPE_UPLOAD);
  const auto back = app.buffer(bytes, D3D12_HEAP_TYPE_READBACK);
  write(large.Get(), std::vector<std::uint32_t>{1, 2});
  write(small.Get(), std::vector<std::uint32_t>{3});
  copy.list->CopyBufferRegion(back.Get(), 0, large.Get(), 0, bytes);
  copy.list->CopyBufferRegion(back.Get(), 4, small.Get(), 0, 4);
  copy.run();
  CHECK(read<std::uint32_t>(back.Get(), 2) == std::vector<std::uint32_t>{1, 3});
}

TEST_CASE("copies: what breaks a rule is not recorded, and Close says so", "[d3d12]") {
  App app;
  const auto small = app.buffer(16);
  const auto texture = app.texture(DXGI_FORMAT_R8_UNORM, 4, 4);
  const auto fails = [&](auto&& record) {
    const Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
    record(direct.list.Get());
    return direct.list->Close() == E_INVALIDARG;
  };
  const auto other = app.buffer(16);
  CHECK(fails([&](auto* list) { list->CopyBufferRegion(nullptr, 0, small.Get(), 0, 4); }));
  CHECK(fails([&](auto* list) { list->CopyBufferRegion(other.Get(), 8, small.Get(), 0, 16); }));
  CHECK(fails([&](auto* list) { list->CopyResource(small.Get(), texture.Get()); }));
  CHECK(fails([&](auto* list) { list->CopyTextureRegion(nullptr, 0, 0, 0, nullptr, nullptr); }));
  CHECK_FALSE(fails([&](auto* list) { list->CopyBufferRegion(other.Get(), 0, small.Get(), 0, 16); }));
}

TEST_CASE("copies: CopyResource between formats that cannot be copied to each other is dropped", "[d3d12]") {
  App app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto halves = app.texture(DXGI_FORMAT_R16G16B16A16_FLOAT, 4, 4);
  const auto packed = app.texture(DXGI_FORMAT_R10G10B10A2_UNORM, 4, 4);
  direct.list->CopyResource(halves.Get(), packed.Get());
  direct.list->CopyResource(packed.Get(), halves.Get());
  direct.run();
}

TEST_CASE("copies: texels of 128 bits become blocks of a larger texture, and come back", "[d3d12]") {
  App app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  constexpr auto texel_format = DXGI_FORMAT_R32G32B32A32_UINT;
  std::vector<std::uint32_t> values(4 * 4 * 4);
  for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = i * i + 1;
  const auto up = app.buffer(1024, D3D12_HEAP_TYPE_UPLOAD);
  for (UINT row = 0; row < 4; ++row) {
    write(up.Get(), std::vector<std::uint32_t>(values.begin() + row * 16, values.begin() + (row + 1) * 16), row * 256);
  }
  const auto blocks = app.texture(DXGI_FORMAT_BC3_UNORM, 16, 16);
  const auto texels = app.texture(texel_format, 4, 4);
  const auto back = app.buffer(1024, D3D12_HEAP_TYPE_READBACK);
  const D3D12_PLACED_SUBRESOURCE_FOOTPRINT footprint{0, {texel_format, 4, 4, 1, 256}};
  const auto from_buffer = in_buffer(up.Get(), footprint);
  const auto to_buffer = in_buffer(back.Get(), footprint);
  const auto in_blocks = in_texture(blocks.Get());
  const auto in_texels = in_texture(texels.Get());
  direct.list->CopyTextureRegion(&in_blocks, 0, 0, 0, &from_buffer, nullptr);
  direct.list->CopyResource(texels.Get(), blocks.Get());
  direct.list->CopyTextureRegion(&to_buffer, 0, 0, 0, &in_texels, nullptr);
  direct.run();
  for (UINT row = 0; row < 4; ++row) {
    CHECK(read<std::uint32_t>(back.Get(), 16, row * 256) ==
          std::vector<std::uint32_t>(values.begin() + row * 16, values.begin() + (row + 1) * 16));
  }
}

TEST_CASE("copies: what becomes depth of 24 bits keeps its lower 24", "[d3d12]") {
  App app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto depth = app.texture(DXGI_FORMAT_D24_UNORM_S8_UINT, 2, 2, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
  const auto numbers = app.texture(DXGI_FORMAT_R32_FLOAT, 4, 4);
  const auto up = app.buffer(512, D3D12_HEAP_TYPE_UPLOAD);
  const auto back = app.buffer(512, D3D12_HEAP_TYPE_READBACK);
  write(up.Get(), std::vector<float>{1.5F, -4});
  write(up.Get(), std::vector<std::uint32_t>{0xFFFFFFFF, 0x12345678}, 256);
  const D3D12_PLACED_SUBRESOURCE_FOOTPRINT footprint{0, {DXGI_FORMAT_R32_FLOAT, 2, 2, 1, 256}};
  const auto from_buffer = in_buffer(up.Get(), footprint);
  const auto to_buffer = in_buffer(back.Get(), footprint);
  const auto in_depth = in_texture(depth.Get());
  const auto in_numbers = in_texture(numbers.Get());
  const D3D12_BOX corner{2, 1, 0, 4, 3, 1};
  direct.list->CopyTextureRegion(&in_numbers, 2, 1, 0, &from_buffer, nullptr);
  direct.list->CopyTextureRegion(&in_depth, 0, 0, 0, &in_numbers, &corner);
  direct.list->CopyTextureRegion(&in_numbers, 0, 0, 0, &in_depth, nullptr);
  const D3D12_BOX start{0, 0, 0, 2, 2, 1};
  direct.list->CopyTextureRegion(&to_buffer, 0, 0, 0, &in_numbers, &start);
  direct.run();
  CHECK(read<std::uint32_t>(back.Get(), 2) == std::vector<std::uint32_t>{0xC00000, 0x800000});
  CHECK(read<std::uint32_t>(back.Get(), 2, 256) == std::vector<std::uint32_t>{0xFFFFFF, 0x345678});
}

TEST_CASE("copies: a texture's part goes to another part of it", "[d3d12]") {
  App app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto texture = app.texture(DXGI_FORMAT_R8_UINT, 4, 1);
  const auto up = app.buffer(256, D3D12_HEAP_TYPE_UPLOAD);
  const auto back = app.buffer(256, D3D12_HEAP_TYPE_READBACK);
  write(up.Get(), std::vector<std::uint8_t>{1, 2, 3, 4});
  const D3D12_PLACED_SUBRESOURCE_FOOTPRINT footprint{0, {DXGI_FORMAT_R8_UINT, 4, 1, 1, 256}};
  const auto from_buffer = in_buffer(up.Get(), footprint);
  const auto to_buffer = in_buffer(back.Get(), footprint);
  const auto in = in_texture(texture.Get());
  const D3D12_BOX first{0, 0, 0, 2, 1, 1};
  direct.list->CopyTextureRegion(&in, 0, 0, 0, &from_buffer, nullptr);
  direct.list->CopyTextureRegion(&in, 2, 0, 0, &in, &first);
  direct.list->CopyTextureRegion(&to_buffer, 0, 0, 0, &in, nullptr);
  direct.run();
  CHECK(read<std::uint8_t>(back.Get(), 4) == std::vector<std::uint8_t>{1, 2, 1, 2});
}

TEST_CASE("copies: part of a depth texture is copied, and the debug layer says that it should be all", "[d3d12]") {
  const DebugLayerOn on;
  App app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  ComPtr<ID3D12InfoQueue> messages;
  REQUIRE(app.device.As(&messages) == S_OK);
  const auto up = app.buffer(1024, D3D12_HEAP_TYPE_UPLOAD);
  const auto back = app.buffer(1024, D3D12_HEAP_TYPE_READBACK);
  const auto depth = app.texture(DXGI_FORMAT_D32_FLOAT, 4, 2, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
  const std::vector<float> first = {0.1F, 0.2F, 0.3F, 0.4F};
  const std::vector<float> second = {0.5F, 0.6F, 0.7F, 0.8F};
  write(up.Get(), first);
  write(up.Get(), second, 256);
  const D3D12_PLACED_SUBRESOURCE_FOOTPRINT footprint{0, {DXGI_FORMAT_R32_FLOAT, 4, 2, 1, 256}};
  const auto from_buffer = in_buffer(up.Get(), footprint);
  const auto to_buffer = in_buffer(back.Get(), footprint);
  const auto in = in_texture(depth.Get());
  const auto transition = [&](D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after) {
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Transition = {depth.Get(), 0, before, after};
    direct.list->ResourceBarrier(1, &barrier);
  };
  transition(D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_DEST);
  direct.list->CopyTextureRegion(&in, 0, 0, 0, &from_buffer, nullptr);
  const D3D12_BOX middle{1, 0, 0, 3, 1, 1};
  direct.list->CopyTextureRegion(&in, 2, 1, 0, &from_buffer, &middle);  // 0.2 and 0.3 over 0.7 and 0.8
  transition(D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
  direct.list->CopyTextureRegion(&to_buffer, 0, 0, 0, &in, nullptr);
  direct.run();
  CHECK(take_ids(*messages.Get()) == Ids{D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDSRCBOX});
  CHECK(read<float>(back.Get(), 4) == first);
  CHECK(read<float>(back.Get(), 4, 256) == std::vector<float>{0.5F, 0.6F, 0.2F, 0.3F});
}

TEST_CASE("dispatches: in one direction there may be any number of groups", "[d3d12]") {
  App app;
  const auto pipeline = compute_pipeline(app);
  const auto closes = [&](UINT x, UINT y, UINT z) {
    const auto allocator = app.allocator(D3D12_COMMAND_LIST_TYPE_COMPUTE);
    const auto list = app.list(allocator.Get(), D3D12_COMMAND_LIST_TYPE_COMPUTE);
    list->SetPipelineState(pipeline.Get());
    list->Dispatch(x, y, z);
    return list->Close();
  };
  CHECK(closes(65'535, 65'535, 65'535) == S_OK);
  CHECK(closes(65'536, 1, 1) == S_OK);
  CHECK(closes(~0U, 1, 1) == S_OK);
  CHECK(FAILED(closes(65'536, 2, 1)));
  CHECK(FAILED(closes(65'536, 1, 2)));
  CHECK(FAILED(closes(1, 65'536, 1)));
  CHECK(FAILED(closes(1, 1, 65'536)));
}

TEST_CASE("clears: colours become the format's bytes, within the rectangles", "[d3d12]") {
  App app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto target = app.texture(DXGI_FORMAT_B8G8R8A8_UNORM, 4, 2, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
  const D3D12_DESCRIPTOR_HEAP_DESC heap_desc{D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 1, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
  ComPtr<ID3D12DescriptorHeap> heap;
  REQUIRE(app.device->CreateDescriptorHeap(&heap_desc, IID_PPV_ARGS(&heap)) == S_OK);
  const auto view = heap->GetCPUDescriptorHandleForHeapStart();
  app.device->CreateRenderTargetView(target.Get(), nullptr, view);
  const float whole[] = {1, 0.5F, 0, 1};
  const float part[] = {0, 0, 1, 0};
  const D3D12_RECT rect{1, 0, 3, 1};
  direct.list->ClearRenderTargetView(view, whole, 0, nullptr);
  direct.list->ClearRenderTargetView(view, part, 1, &rect);
  const auto back = app.buffer(512, D3D12_HEAP_TYPE_READBACK);
  const auto to = in_buffer(back.Get(), {0, {DXGI_FORMAT_B8G8R8A8_UNORM, 4, 2, 1, 256}});
  const auto from = in_texture(target.Get());
  direct.list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
  direct.run();
  CHECK(read<std::uint32_t>(back.Get(), 4) ==
        std::vector<std::uint32_t>{0xFFFF8000, 0x000000FF, 0x000000FF, 0xFFFF8000});
  CHECK(read<std::uint32_t>(back.Get(), 4, 256) == std::vector<std::uint32_t>(4, 0xFFFF8000));
}

TEST_CASE("clears: depth and stencil are planes of their own", "[d3d12]") {
  App app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto depth = app.texture(DXGI_FORMAT_D24_UNORM_S8_UINT, 2, 1, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
  const D3D12_DESCRIPTOR_HEAP_DESC heap_desc{D3D12_DESCRIPTOR_HEAP_TYPE_DSV, 1, D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
  ComPtr<ID3D12DescriptorHeap> heap;
  REQUIRE(app.device->CreateDescriptorHeap(&heap_desc, IID_PPV_ARGS(&heap)) == S_OK);
  const auto view = heap->GetCPUDescriptorHandleForHeapStart();
  app.device->CreateDepthStencilView(depth.Get(), nullptr, view);
  direct.list->ClearDepthStencilView(view, D3D12_CLEAR_FLAG_DEPTH, 1, 9, 0, nullptr);
  direct.list->ClearDepthStencilView(view, D3D12_CLEAR_FLAG_STENCIL, 0, 77, 0, nullptr);
  const D3D12_RESOURCE_DESC desc = depth->GetDesc();
  std::array<D3D12_PLACED_SUBRESOURCE_FOOTPRINT, 2> footprints{};
  app.device->GetCopyableFootprints(&desc, 0, 2, 0, footprints.data(), nullptr, nullptr, nullptr);
  const auto back = app.buffer(4096, D3D12_HEAP_TYPE_READBACK);
  for (UINT plane = 0; plane < 2; ++plane) {
    const auto to = in_buffer(back.Get(), footprints[plane]);
    const auto from = in_texture(depth.Get(), plane);
    direct.list->CopyTextureRegion(&to, 0, 0, 0, &from, nullptr);
  }
  direct.run();
  CHECK(read<std::uint32_t>(back.Get(), 1, footprints[0].Offset)[0] == 0xFFFFFF);
  CHECK(read<std::uint8_t>(back.Get(), 2, footprints[1].Offset) == std::vector<std::uint8_t>{77, 77});
}

TEST_CASE("immediate writes: values go to their addresses", "[d3d12]") {
  App app;
  Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  ComPtr<ID3D12GraphicsCommandList2> list;
  REQUIRE(direct.list.As(&list) == S_OK);
  const auto buffer = app.buffer(64);
  const auto back = app.buffer(64, D3D12_HEAP_TYPE_READBACK);
  const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER writes[] = {{buffer->GetGPUVirtualAddress() + 8, 111},
                                                         {buffer->GetGPUVirtualAddress() + 16, 222}};
  list->WriteBufferImmediate(2, writes, nullptr);
  list->CopyResource(back.Get(), buffer.Get());
  direct.run();
  const auto values = read<std::uint32_t>(back.Get(), 6);
  CHECK(values == std::vector<std::uint32_t>{0, 0, 111, 0, 222, 0});
  const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER nowhere{12, 1};
  list->WriteBufferImmediate(1, &nowhere, nullptr);
  CHECK(list->Close() == E_INVALIDARG);
}

TEST_CASE("time stamps: each lies after the work before it", "[d3d12]") {
  App app;
  Recorder copy(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  const D3D12_QUERY_HEAP_DESC desc{D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 2, 0};
  ComPtr<ID3D12QueryHeap> heap;
  REQUIRE(app.device->CreateQueryHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
  const auto from = app.buffer(1 << 22, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.buffer(1 << 22);
  const auto back = app.buffer(16, D3D12_HEAP_TYPE_READBACK);
  copy.list->EndQuery(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0);
  copy.list->CopyResource(to.Get(), from.Get());
  copy.list->EndQuery(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 1);
  copy.list->ResolveQueryData(heap.Get(), D3D12_QUERY_TYPE_TIMESTAMP, 0, 2, back.Get(), 0);
  copy.run();
  const auto stamps = read<UINT64>(back.Get(), 2);
  UINT64 frequency = 0;
  REQUIRE(copy.queue->GetTimestampFrequency(&frequency) == S_OK);
  const double seconds = static_cast<double>(stamps[1] - stamps[0]) / static_cast<double>(frequency);
  CHECK(seconds > 4e6 / 1e12);
  UINT64 gpu = 0;
  UINT64 cpu = 0;
  REQUIRE(copy.queue->GetClockCalibration(&gpu, &cpu) == S_OK);
  CHECK(gpu >= stamps[1]);
}

TEST_CASE("predication: the value that is there when the engine runs decides", "[d3d12]") {
  App app;
  const auto predicate = app.buffer(8, D3D12_HEAP_TYPE_UPLOAD);
  const auto from = app.buffer(4, D3D12_HEAP_TYPE_UPLOAD);
  write(from.Get(), std::vector<std::uint32_t>{5});
  for (const UINT64 value : {UINT64{0}, UINT64{1} << 40}) {
    for (const auto op : {D3D12_PREDICATION_OP_EQUAL_ZERO, D3D12_PREDICATION_OP_NOT_EQUAL_ZERO}) {
      Recorder direct(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
      const auto to = app.buffer(4);
      const auto back = app.buffer(4, D3D12_HEAP_TYPE_READBACK);
      write(predicate.Get(), std::vector<UINT64>{1 - std::min<UINT64>(value, 1)});
      direct.list->SetPredication(predicate.Get(), 0, op);
      direct.list->CopyResource(to.Get(), from.Get());
      direct.list->SetPredication(nullptr, 0, op);
      direct.list->CopyResource(back.Get(), to.Get());
      REQUIRE(direct.list->Close() == S_OK);
      write(predicate.Get(), std::vector<UINT64>{value});
      ID3D12CommandList* const lists[] = {direct.list.Get()};
      direct.queue->ExecuteCommandLists(1, lists);
      direct.queue->Signal(direct.fence.Get(), 1);
      REQUIRE(direct.fence->SetEventOnCompletion(1, nullptr) == S_OK);
      const bool skipped = (value == 0) == (op == D3D12_PREDICATION_OP_EQUAL_ZERO);
      CHECK(read<std::uint32_t>(back.Get(), 1)[0] == (skipped ? 0 : 5));
    }
  }
}
