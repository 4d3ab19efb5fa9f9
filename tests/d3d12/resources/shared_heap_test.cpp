// SPDX-License-Identifier: Apache-2.0
// Heaps and committed resources shared between devices of different adapters: the same bytes for both. Written from
// D3D12's documentation: "Shared heaps", D3D12_RESOURCE_FLAGS, D3D12_HEAP_FLAGS.
#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr auto across = D3D12_HEAP_FLAG_SHARED | D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER;
constexpr D3D12_HEAP_PROPERTIES in_default{D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0};

D3D12_RESOURCE_DESC shared_buffer(UINT64 bytes, D3D12_RESOURCE_FLAGS flags = D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER) {
  return {D3D12_RESOURCE_DIMENSION_BUFFER, 0,    bytes, 1, 1, 1, DXGI_FORMAT_UNKNOWN, {1, 0},
          D3D12_TEXTURE_LAYOUT_ROW_MAJOR,  flags};
}

D3D12_RESOURCE_DESC row_major(DXGI_FORMAT format, UINT64 width, UINT height) {
  return {
      D3D12_RESOURCE_DIMENSION_TEXTURE2D,     0, width, height, 1, 1, format, {1, 0}, D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
      D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER};
}

ComPtr<ID3D12Heap> heap_of(Side& side, UINT64 bytes, D3D12_HEAP_FLAGS flags) {
  const D3D12_HEAP_DESC desc{bytes, in_default, 0, flags};
  ComPtr<ID3D12Heap> made;
  REQUIRE(side.device->CreateHeap(&desc, IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

HRESULT try_place(Side& side, ID3D12Heap* heap, UINT64 offset, const D3D12_RESOURCE_DESC& desc,
                  ComPtr<ID3D12Resource>& made, D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON) {
  return side.device->CreatePlacedResource(heap, offset, &desc, state, nullptr, IID_PPV_ARGS(&made));
}

ComPtr<ID3D12Resource> placed(Side& side, ID3D12Heap* heap, UINT64 offset, const D3D12_RESOURCE_DESC& desc) {
  ComPtr<ID3D12Resource> made;
  REQUIRE(try_place(side, heap, offset, desc, made) == S_OK);
  return made;
}

/// Numbers from `first` on.
std::vector<std::uint32_t> numbers_from(std::uint32_t first, std::size_t count) {
  std::vector<std::uint32_t> made(count);
  std::iota(made.begin(), made.end(), first);
  return made;
}

/// The device's copy from memory to the resource, and back.
void upload(Side& side, ID3D12Resource* to, const std::vector<std::uint32_t>& what) {
  Recorder recorder(side, D3D12_COMMAND_LIST_TYPE_COPY);
  const auto from = side.buffer(what.size() * 4, D3D12_HEAP_TYPE_UPLOAD);
  write(from.Get(), what);
  recorder.list->CopyBufferRegion(to, 0, from.Get(), 0, what.size() * 4);
  recorder.run();
}

std::vector<std::uint32_t> download(Side& side, ID3D12Resource* from, std::size_t count) {
  Recorder recorder(side, D3D12_COMMAND_LIST_TYPE_COPY);
  const auto to = side.buffer(count * 4, D3D12_HEAP_TYPE_READBACK);
  recorder.list->CopyBufferRegion(to.Get(), 0, from, 0, count * 4);
  recorder.run();
  return read<std::uint32_t>(to.Get(), count);
}

}  // namespace

TEST_CASE("shared heap: buffers in it have the same bytes on both adapters", "[d3d12]") {
  struct Shape {
    const char* first;
    const char* second;
    std::size_t count;
    UINT64 offset;
  };
  const Shape shape = GENERATE(Shape{"tiny", "tiny", 1, 0}, Shape{"h200", "rtx_4090", 16384, 65536},
                               Shape{"tiny", "h200", 100, 131072});
  Side a(shape.first);
  Side b(shape.second);
  const auto heap_a = heap_of(a, 4 * mib, across);
  const auto heap_b = b.opened(heap_a);
  CHECK(heap_b->GetDesc().SizeInBytes == 4 * mib);
  CHECK(heap_b->GetDesc().Flags == across);
  ComPtr<ID3D12Device> of;
  REQUIRE(heap_b->GetDevice(IID_PPV_ARGS(&of)) == S_OK);
  CHECK(of.Get() == b.device.Get());
  const auto desc = shared_buffer(shape.count * 4);
  const auto buffer_a = placed(a, heap_a.Get(), shape.offset, desc);
  const auto buffer_b = placed(b, heap_b.Get(), shape.offset, desc);
  upload(a, buffer_a.Get(), numbers_from(17, shape.count));
  CHECK(download(b, buffer_b.Get(), shape.count) == numbers_from(17, shape.count));
  upload(b, buffer_b.Get(), numbers_from(1000, shape.count));
  CHECK(download(a, buffer_a.Get(), shape.count) == numbers_from(1000, shape.count));
  // Its memory lives as long as either has it.
  const auto bytes = [&] { return download(b, buffer_b.Get(), shape.count); };
  CHECK(bytes() == numbers_from(1000, shape.count));
}

TEST_CASE("shared heap: the memory outlives the device that it was made on", "[d3d12]") {
  auto a = std::make_unique<Side>("tiny");
  Side b("tiny");
  auto heap_a = heap_of(*a, mib, across);
  const auto heap_b = b.opened(heap_a);
  upload(*a, placed(*a, heap_a.Get(), 0, shared_buffer(4096)).Get(), numbers_from(5, 1024));
  heap_a.Reset();
  a.reset();
  const auto buffer = placed(b, heap_b.Get(), 0, shared_buffer(4096));
  CHECK(download(b, buffer.Get(), 1024) == numbers_from(5, 1024));
}

TEST_CASE("shared heap: a row-major texture's rows lie 128 bytes apart, or a multiple of that", "[d3d12]") {
  struct Shape {
    DXGI_FORMAT format;
    UINT64 width;
    UINT height;
    std::size_t texel_words;
  };
  const Shape shape = GENERATE(Shape{DXGI_FORMAT_R8G8B8A8_UNORM, 33, 5, 1}, Shape{DXGI_FORMAT_R32_UINT, 32, 64, 1},
                               Shape{DXGI_FORMAT_R32G32B32A32_UINT, 9, 3, 4}, Shape{DXGI_FORMAT_R32_UINT, 1, 1, 1});
  Side a("tiny");
  Side b("h200");
  const auto desc = row_major(shape.format, shape.width, shape.height);
  const std::size_t row_words = shape.width * shape.texel_words;
  const std::size_t pitch_words = (row_words * 4 + 127) / 128 * 128 / 4;
  // Rows are counted in fours. Source: D3DKMT_CROSS_ADAPTER_RESOURCE_HEIGHT_ALIGNMENT.
  const UINT64 needed = pitch_words * 4 * ((shape.height + 3) / 4 * 4);
  const auto info = a.device->GetResourceAllocationInfo(0, 1, &desc);
  CHECK(info.SizeInBytes == (needed + 65535) / 65536 * 65536);
  const auto heap_a = heap_of(a, info.SizeInBytes, across);
  const auto heap_b = b.opened(heap_a);
  const auto shared_a = placed(a, heap_a.Get(), 0, desc);
  const auto shared_b = placed(b, heap_b.Get(), 0, desc);

  // Adapter a: its own texture, filled row by row, is copied into the shared one.
  D3D12_RESOURCE_DESC own = desc;
  own.Layout = D3D12_TEXTURE_LAYOUT_UNKNOWN;
  own.Flags = D3D12_RESOURCE_FLAG_NONE;
  const auto texture_a = a.resource(own, D3D12_HEAP_TYPE_DEFAULT);
  const auto texture_b = b.resource(own, D3D12_HEAP_TYPE_DEFAULT);
  D3D12_PLACED_SUBRESOURCE_FOOTPRINT print{};
  UINT64 bytes = 0;
  a.device->GetCopyableFootprints(&own, 0, 1, 0, &print, nullptr, nullptr, &bytes);
  const std::size_t print_words = print.Footprint.RowPitch / 4;
  std::vector<std::uint32_t> texels(print_words * shape.height);
  for (std::size_t row = 0; row < shape.height; ++row) {
    for (std::size_t word = 0; word < row_words; ++word) {
      texels[row * print_words + word] = static_cast<std::uint32_t>(row * 1000 + word);
    }
  }
  const auto staging = a.buffer(texels.size() * 4, D3D12_HEAP_TYPE_UPLOAD);
  write(staging.Get(), texels);
  Recorder first(a, D3D12_COMMAND_LIST_TYPE_COPY);
  const D3D12_TEXTURE_COPY_LOCATION from_staging = [&] {
    D3D12_TEXTURE_COPY_LOCATION one{};
    one.pResource = staging.Get();
    one.Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT;
    one.PlacedFootprint = print;
    return one;
  }();
  D3D12_TEXTURE_COPY_LOCATION to_texture{};
  to_texture.pResource = texture_a.Get();
  to_texture.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
  first.list->CopyTextureRegion(&to_texture, 0, 0, 0, &from_staging, nullptr);
  first.list->CopyResource(shared_a.Get(), texture_a.Get());
  first.run();

  // Adapter b: copies it to a texture of its own and reads that back.
  Recorder second(b, D3D12_COMMAND_LIST_TYPE_COPY);
  const auto back = b.buffer(texels.size() * 4, D3D12_HEAP_TYPE_READBACK);
  second.list->CopyResource(texture_b.Get(), shared_b.Get());
  D3D12_TEXTURE_COPY_LOCATION from_texture{};
  from_texture.pResource = texture_b.Get();
  from_texture.Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX;
  D3D12_TEXTURE_COPY_LOCATION to_back = from_staging;
  to_back.pResource = back.Get();
  second.list->CopyTextureRegion(&to_back, 0, 0, 0, &from_texture, nullptr);
  second.run();
  CHECK(read<std::uint32_t>(back.Get(), texels.size()) == texels);

  // And a buffer over the same memory has the rows where the layout says.
  const auto raw = placed(b, heap_b.Get(), 0, shared_buffer(info.SizeInBytes));
  const auto words = download(b, raw.Get(), info.SizeInBytes / 4);
  for (std::size_t row = 0; row < shape.height; ++row) {
    CAPTURE(row);
    CHECK(words[row * pitch_words] == row * 1000);
    CHECK(words[row * pitch_words + row_words - 1] == row * 1000 + row_words - 1);
  }
}

TEST_CASE("shared heap: a committed resource is shared with its description", "[d3d12]") {
  Side a("tiny");
  Side b("tiny");
  const bool texture = GENERATE(false, true);
  const auto desc = texture ? row_major(DXGI_FORMAT_R8G8B8A8_UNORM, 64, 16) : shared_buffer(8192);
  ComPtr<ID3D12Resource> made;
  REQUIRE(a.device->CreateCommittedResource(&in_default, across, &desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                            IID_PPV_ARGS(&made)) == S_OK);
  const auto opened = b.opened(made);
  CHECK(opened->GetDesc().Width == desc.Width);
  CHECK(opened->GetDesc().Layout == D3D12_TEXTURE_LAYOUT_ROW_MAJOR);
  CHECK(opened->GetDesc().Flags == D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER);
  D3D12_HEAP_FLAGS flags{};
  REQUIRE(opened->GetHeapProperties(nullptr, &flags) == S_OK);
  CHECK(flags == across);
  if (texture) return;
  upload(a, made.Get(), numbers_from(3, 2048));
  CHECK(download(b, opened.Get(), 2048) == numbers_from(3, 2048));
}

TEST_CASE("shared heap: what the documentation forbids is refused", "[d3d12]") {
  Side a("tiny");
  Side b("tiny");
  const auto shared = heap_of(a, mib, across);
  const auto in_process = heap_of(a, mib, D3D12_HEAP_FLAG_SHARED);
  const auto own = heap_of(a, mib, D3D12_HEAP_FLAG_NONE);
  ComPtr<ID3D12Resource> made;
  // ALLOW_CROSS_ADAPTER must be used with heaps that have SHARED_CROSS_ADAPTER.
  CHECK(try_place(a, own.Get(), 0, shared_buffer(256), made) == E_INVALIDARG);
  CHECK(try_place(a, in_process.Get(), 0, row_major(DXGI_FORMAT_R8G8B8A8_UNORM, 8, 8), made) == E_INVALIDARG);
  CHECK(try_place(a, shared.Get(), 0, row_major(DXGI_FORMAT_R8G8B8A8_UNORM, 8, 8), made) == S_OK);
  CHECK(try_place(a, shared.Get(), 0, shared_buffer(256, D3D12_RESOURCE_FLAG_NONE), made) == S_OK);
  const auto changed = [](auto&& change) {
    auto desc = row_major(DXGI_FORMAT_R8G8B8A8_UNORM, 8, 8);
    change(desc);
    return desc;
  };
  // A layout that the other adapter does not know.
  CHECK(try_place(a, shared.Get(), 0, changed([](auto& d) { d.Layout = D3D12_TEXTURE_LAYOUT_UNKNOWN; }), made) ==
        E_INVALIDARG);
  // Row-major textures are for copies here: CrossAdapterRowMajorTextureSupported is FALSE.
  D3D12_FEATURE_DATA_D3D12_OPTIONS options{};
  REQUIRE(a.device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS, &options, sizeof options) == S_OK);
  CHECK(options.CrossAdapterRowMajorTextureSupported == FALSE);
  for (const auto flag : {D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS}) {
    CHECK(try_place(a, shared.Get(), 0, changed([&](auto& d) { d.Flags |= flag; }), made) == E_INVALIDARG);
  }
  // CPU-visible heaps cannot be shared, SHARED_CROSS_ADAPTER needs SHARED.
  for (const auto type : {D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_TYPE_READBACK}) {
    const D3D12_HEAP_DESC desc{mib, {type, {}, {}, 0, 0}, 0, across};
    ComPtr<ID3D12Heap> heap;
    CHECK(a.device->CreateHeap(&desc, IID_PPV_ARGS(&heap)) == E_INVALIDARG);
  }
  // Shared, but not across adapters.
  HANDLE handle = nullptr;
  REQUIRE(a.device->CreateSharedHandle(in_process.Get(), nullptr, 0x10000000, nullptr, &handle) == S_OK);
  ComPtr<ID3D12Heap> heap;
  CHECK(b.device->OpenSharedHandle(handle, IID_PPV_ARGS(&heap)) == E_INVALIDARG);
  CHECK(heap == nullptr);
  CHECK(a.device->OpenSharedHandle(handle, IID_PPV_ARGS(&heap)) == S_OK);
  CHECK(CloseHandle(handle) == TRUE);
  // Heaps and committed resources can be shared, placed resources not; nor a heap without the flag.
  const auto inside = placed(a, shared.Get(), 0, shared_buffer(256));
  CHECK(a.device->CreateSharedHandle(inside.Get(), nullptr, 0x10000000, nullptr, &handle) == E_INVALIDARG);
  CHECK(a.device->CreateSharedHandle(own.Get(), nullptr, 0x10000000, nullptr, &handle) == E_INVALIDARG);
  CHECK(handle == nullptr);
}

TEST_CASE("shared heap: copies to it pass PCIe, for it lies in the system's memory", "[d3d12]") {
  Side a("tiny");
  const UINT64 bytes = 16 * mib;
  const auto heap = heap_of(a, bytes, across);
  const auto shared = placed(a, heap.Get(), 0, shared_buffer(bytes));
  const auto own = a.buffer(bytes);
  const auto upload_buffer = a.buffer(bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto duration = [&](ID3D12Resource* to, ID3D12Resource* from) {
    Recorder recorder(a, D3D12_COMMAND_LIST_TYPE_COPY);
    recorder.list->CopyBufferRegion(to, 0, from, 0, bytes);
    a.packets.clear();
    recorder.run();
    const auto run = a.of(PacketType::render).at(0);
    return run.completed_ps - run.started_ps;
  };
  const auto other = a.buffer(bytes);
  const std::uint64_t local = duration(other.Get(), own.Get());
  // Both ways of PCIe are equal on this machine.
  CHECK(duration(own.Get(), shared.Get()) == duration(own.Get(), upload_buffer.Get()));
  CHECK(duration(shared.Get(), own.Get()) == duration(own.Get(), upload_buffer.Get()));
  CHECK(duration(shared.Get(), own.Get()) > 2 * local);
}
