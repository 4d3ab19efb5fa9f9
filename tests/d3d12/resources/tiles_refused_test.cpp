// SPDX-License-Identifier: Apache-2.0
// What reserved resources refuse: copies of tiles, and mappings.
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/lists/copy_location.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"
#include "tests/d3d12/resources/reserved_app.hpp"

using namespace fenceline::testing;

namespace {

constexpr auto to_buffer = D3D12_TILE_COPY_FLAG_SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER;
constexpr auto none = D3D12_TILE_MAPPING_FLAG_NONE;

}  // namespace

TEST_CASE("tiles: CopyTiles refuses what it cannot do, and Close says so", "[d3d12]") {
  ReservedApp app;
  const auto texture = app.reserved(tiled(texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 512, 512, 1, 10)));
  const auto plain = app.texture(DXGI_FORMAT_R8G8B8A8_UNORM, 512, 512);
  const auto buffer = app.buffer(4 * tile_size);
  const D3D12_TILED_RESOURCE_COORDINATE start{0, 0, 0, 0};
  const auto says = [&](ID3D12Resource* of, const D3D12_TILED_RESOURCE_COORDINATE* at,
                        const D3D12_TILE_REGION_SIZE& size, ID3D12Resource* linear, UINT64 offset, int flags) {
    const Recorder direct(app, D3D12_COMMAND_LIST_TYPE_COPY);
    direct.list->CopyTiles(of, at, &size, linear, offset, static_cast<D3D12_TILE_COPY_FLAGS>(flags));
    return direct.list->Close();
  };
  const D3D12_TILE_REGION_SIZE four{4, FALSE, 0, 0, 0};
  for (const int flags : {0, 1, 2, 3, 4, 5}) CHECK(says(texture.Get(), &start, four, buffer.Get(), 0, flags) == S_OK);
  for (const int flags : {6, 7, 8, -1}) {
    CHECK(says(texture.Get(), &start, four, buffer.Get(), 0, flags) == E_INVALIDARG);
  }
  CHECK(says(texture.Get(), &start, {0, FALSE, 0, 0, 0}, buffer.Get(), 0, 0) == S_OK);
  CHECK(says(nullptr, &start, four, buffer.Get(), 0, 0) == E_INVALIDARG);
  CHECK(says(texture.Get(), nullptr, four, buffer.Get(), 0, 0) == E_INVALIDARG);
  CHECK(says(texture.Get(), &start, four, nullptr, 0, 0) == E_INVALIDARG);
  CHECK(says(texture.Get(), &start, four, plain.Get(), 0, 0) == E_INVALIDARG);
  CHECK(says(plain.Get(), &start, four, buffer.Get(), 0, 0) == E_INVALIDARG);
  CHECK(says(texture.Get(), &start, four, buffer.Get(), 1, 0) == E_INVALIDARG);
  CHECK(says(texture.Get(), &start, four, buffer.Get(), ~UINT64{0}, 0) == E_INVALIDARG);
  CHECK(says(texture.Get(), &start, {5, FALSE, 0, 0, 0}, buffer.Get(), 0, 0) == E_INVALIDARG);
  CHECK(says(texture.Get(), &start, {~0U, FALSE, 0, 0, 0}, buffer.Get(), 0, 0) == E_INVALIDARG);
  CHECK(says(texture.Get(), &start, {4, TRUE, 2, 2, 1}, buffer.Get(), 0, 0) == S_OK);
  CHECK(says(texture.Get(), &start, {10, TRUE, 5, 2, 1}, buffer.Get(), 0, 0) == E_INVALIDARG);
}

TEST_CASE("tiles: wrong mappings do nothing but a message", "[d3d12]") {
  const DebugLayerOn layer;
  ReservedApp app;
  ComPtr<ID3D12InfoQueue> messages;
  REQUIRE(app.device.As(&messages) == S_OK);
  Recorder copy(app, D3D12_COMMAND_LIST_TYPE_COPY);
  ID3D12CommandQueue* const queue = copy.queue.Get();
  const auto said = [&] { return take_ids(*messages.Get()); };
  const Ids wrong_update{D3D12_MESSAGE_ID_UPDATETILEMAPPINGS_INVALID_PARAMETER};
  const Ids wrong_copy{D3D12_MESSAGE_ID_COPYTILEMAPPINGS_INVALID_PARAMETER};
  const auto heap = app.tile_heap(2);
  const auto buffer = app.reserved(buffer_desc(3 * tile_size));
  const auto plain = app.buffer(3 * tile_size);
  messages->ClearStoredMessages();
  const UINT first = 0;
  const auto update = [&](ID3D12Resource* resource, ID3D12Heap* of, int flags) {
    queue->UpdateTileMappings(resource, 1, nullptr, nullptr, of, 1, nullptr, &first, nullptr,
                              static_cast<D3D12_TILE_MAPPING_FLAGS>(flags));
    return said();
  };
  CHECK(update(nullptr, heap.Get(), 0) == wrong_update);
  CHECK(update(plain.Get(), heap.Get(), 0) == wrong_update);
  CHECK(update(buffer.Get(), heap.Get(), 0) == wrong_update);  // three tiles into two
  CHECK(update(buffer.Get(), nullptr, 0) == wrong_update);
  const auto large = app.tile_heap(3);
  CHECK(update(buffer.Get(), large.Get(), 2) == wrong_update);
  CHECK(update(buffer.Get(), large.Get(), 0).empty());
  CHECK(update(buffer.Get(), large.Get(), D3D12_TILE_MAPPING_FLAG_NO_HAZARD).empty());
  const auto textures = app.tile_heap(3, D3D12_HEAP_FLAG_ALLOW_ONLY_NON_RT_DS_TEXTURES);
  CHECK(update(buffer.Get(), textures.Get(), 0) ==
        Ids{D3D12_MESSAGE_ID_UPDATETILEMAPPINGS_POSSIBLY_MISMATCHING_PROPERTIES});
  const D3D12_TILED_RESOURCE_COORDINATE start{1, 0, 0, 0};
  const D3D12_TILE_REGION_SIZE two{2, FALSE, 0, 0, 0};
  const D3D12_TILE_REGION_SIZE three{3, FALSE, 0, 0, 0};
  const D3D12_TILED_RESOURCE_COORDINATE zero{0, 0, 0, 0};
  const auto copies = [&](ID3D12Resource* to, const D3D12_TILED_RESOURCE_COORDINATE* at, ID3D12Resource* from,
                          const D3D12_TILED_RESOURCE_COORDINATE* from_at, const D3D12_TILE_REGION_SIZE* size) {
    queue->CopyTileMappings(to, at, from, from_at, size, none);
    return said();
  };
  CHECK(copies(buffer.Get(), &start, buffer.Get(), &zero, &two).empty());
  CHECK(copies(buffer.Get(), &start, buffer.Get(), &zero, &three) == wrong_copy);
  CHECK(copies(buffer.Get(), &zero, buffer.Get(), &start, &three) == wrong_copy);
  CHECK(copies(plain.Get(), &zero, buffer.Get(), &start, &two) == wrong_copy);
  CHECK(copies(buffer.Get(), &zero, nullptr, &start, &two) == wrong_copy);
  CHECK(copies(buffer.Get(), nullptr, buffer.Get(), &start, &two) == wrong_copy);
  CHECK(copies(buffer.Get(), &zero, buffer.Get(), &start, nullptr) == wrong_copy);
  copy.run();
  CHECK(said().empty());
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
  CHECK(buffer->GetHeapProperties(nullptr, nullptr) == E_INVALIDARG);
  CHECK(said() == Ids{D3D12_MESSAGE_ID_GETHEAPPROPERTIES_INVALIDRESOURCE});
}
