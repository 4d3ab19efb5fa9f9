// SPDX-License-Identifier: Apache-2.0
// Resources, heaps and devices that go while the GPU uses them.
#include "tests/d3d12/hazards/hazard_program.hpp"

using namespace fenceline::testing;

TEST_CASE("hazards: the fences of a removed device order nothing, and nobody is told of it", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", hazard_bytes);
  const auto back = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_READBACK);
  app.one.execute("write", app.copy(shared, from, hazard_bytes));
  app.one.signal();
  app.compute.wait(app.one);
  app.compute.execute("read", app.copy(back, shared, hazard_bytes));
  ComPtr<ID3D12Device5> device;
  REQUIRE(app.device.As(&device) == S_OK);
  device->RemoveDevice();
  Sleep(10);
  device->SetEventOnMultipleFenceCompletion(app.one.fence.GetAddressOf(), &app.one.value, 1,
                                            D3D12_MULTIPLE_FENCE_WAIT_FLAG_NONE, nullptr);
  for (const auto& message : app.said()) CHECK(message.id != D3D12_MESSAGE_ID_OBJECT_ACCESSED_WHILE_STILL_IN_USE);
}

TEST_CASE("hazards: a resource that goes while the GPU uses it", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  auto gone = app.named_buffer("gone", hazard_bytes);
  const bool evicted = GENERATE(false, true);
  const auto end = [&] {
    if (!evicted) {
      gone.Reset();
      return;
    }
    ID3D12Pageable* const objects[] = {gone.Get()};
    REQUIRE(app.device->Evict(1, objects) == S_OK);
  };
  SECTION("too early") {
    app.one.execute("write", [&](ID3D12GraphicsCommandList* list) {
      list->CopyBufferRegion(gone.Get(), 0, from.Get(), 0, hazard_bytes);
    });
    end();
    const auto said = app.said();
    REQUIRE(said.size() == 1);
    CHECK(said[0].id == (evicted ? D3D12_MESSAGE_ID_OBJECT_EVICTED_WHILE_STILL_IN_USE
                                 : D3D12_MESSAGE_ID_OBJECT_DELETED_WHILE_STILL_IN_USE));
    CHECK(has(said[0].text, std::string(evicted ? "ID3D12Device::Evict" : "ID3D12Resource::Release") +
                                ": list \"write\" on queue0 (\"one\") uses buffer \"gone\""));
  }
  SECTION("after its end") {
    app.one.execute("write", [&](ID3D12GraphicsCommandList* list) {
      list->CopyBufferRegion(gone.Get(), 0, from.Get(), 0, hazard_bytes);
    });
    app.one.finish();
    end();
    CHECK(app.said().empty());
  }
  SECTION("of a removed device") {
    app.one.execute("write", [&](ID3D12GraphicsCommandList* list) {
      list->CopyBufferRegion(gone.Get(), 0, from.Get(), 0, hazard_bytes);
    });
    ComPtr<ID3D12Device5> device;
    REQUIRE(app.device.As(&device) == S_OK);
    device->RemoveDevice();
    app.said();
    end();
    CHECK(app.said().empty());
  }
  if (!evicted) gone.Reset();
}

TEST_CASE("hazards: a heap that is evicted while the GPU uses a resource in it", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const D3D12_HEAP_DESC desc{hazard_bytes, {D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0}, 0, D3D12_HEAP_FLAG_NONE};
  ComPtr<ID3D12Heap> heap;
  REQUIRE(app.device->CreateHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
  REQUIRE(heap->SetName(L"home") == S_OK);
  const D3D12_RESOURCE_DESC buffer = from->GetDesc();
  ComPtr<ID3D12Resource> placed;
  REQUIRE(app.device->CreatePlacedResource(heap.Get(), 0, &buffer, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                           IID_PPV_ARGS(&placed)) == S_OK);
  ID3D12Pageable* const objects[] = {heap.Get()};
  app.one.execute("write", app.copy(placed, from, hazard_bytes));
  REQUIRE(app.device->Evict(1, objects) == S_OK);
  const auto said = app.said();
  REQUIRE(said.size() == 1);
  CHECK(said[0].id == D3D12_MESSAGE_ID_OBJECT_EVICTED_WHILE_STILL_IN_USE);
  CHECK(has(said[0].text, "uses heap \"home\""));
  app.one.finish();
  REQUIRE(app.device->MakeResident(1, objects) == S_OK);
  REQUIRE(app.device->Evict(1, objects) == S_OK);
  CHECK(app.said().empty());
}
