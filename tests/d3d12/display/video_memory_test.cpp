// SPDX-License-Identifier: Apache-2.0
// What DXGI and DXCore tell of an adapter's memory: its size from the machine, what the process uses, what it reserves.
#include "api/d3d12/bytes/video_memory.hpp"

#include "tests/d3d12/display/game.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"
#include "tests/support/units.hpp"

#include <dxcore.h>

#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr auto local = DXGI_MEMORY_SEGMENT_GROUP_LOCAL;
constexpr auto non_local = DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL;

ComPtr<IDXGIAdapter3> adapter_of(ID3D12Device* device) {
  ComPtr<IDXGIAdapter3> adapter;
  REQUIRE(dxgi_factory()->EnumAdapterByLuid(device->GetAdapterLuid(), IID_PPV_ARGS(&adapter)) == S_OK);
  return adapter;
}

DXGI_QUERY_VIDEO_MEMORY_INFO info(IDXGIAdapter3* adapter, DXGI_MEMORY_SEGMENT_GROUP group) {
  DXGI_QUERY_VIDEO_MEMORY_INFO info{};
  REQUIRE(adapter->QueryVideoMemoryInfo(0, group, &info) == S_OK);
  return info;
}

}  // namespace

TEST_CASE("video memory: the budget is the machine's memory", "[d3d12][video_memory]") {
  const App app;
  const auto adapter = adapter_of(app.device.Get());
  DXGI_ADAPTER_DESC desc{};
  REQUIRE(adapter->GetDesc(&desc) == S_OK);
  const MachineConfig tiny = builtin_machine("tiny");
  CHECK(info(adapter.Get(), local).Budget == tiny.video_memory.dedicated_mib * mib);
  CHECK(info(adapter.Get(), non_local).Budget == tiny.video_memory.shared_mib * mib);
  CHECK(desc.DedicatedVideoMemory == tiny.video_memory.dedicated_mib * mib);
  CHECK(desc.SharedSystemMemory == tiny.video_memory.shared_mib * mib);
  CHECK(tiny.video_memory.dedicated_mib != tiny.video_memory.shared_mib);
  // Other machines, other numbers; the same for DXCore's budget.
  for (const std::string& name : builtin_machine_names()) {
    const MachineConfig machine = builtin_machine(name);
    const d3d12::VideoMemory memory(machine.video_memory);
    CHECK(memory.info(d3d12::VideoMemory::Group::local).budget == machine.video_memory.dedicated_mib * mib);
    CHECK(memory.info(d3d12::VideoMemory::Group::non_local).budget == machine.video_memory.shared_mib * mib);
  }
}

TEST_CASE("video memory: what lives is used, in its heap's group", "[d3d12][video_memory]") {
  App app;
  const auto adapter = adapter_of(app.device.Get());
  const UINT64 before = info(adapter.Get(), local).CurrentUsage;
  const UINT64 before_non_local = info(adapter.Get(), non_local).CurrentUsage;
  const auto used = [&] { return info(adapter.Get(), local).CurrentUsage - before; };
  const auto used_non_local = [&] { return info(adapter.Get(), non_local).CurrentUsage - before_non_local; };

  auto buffer = app.buffer(3 * mib);
  CHECK(used() == 3 * mib);
  auto upload = app.buffer(2 * mib, D3D12_HEAP_TYPE_UPLOAD);
  auto readback = app.buffer(mib, D3D12_HEAP_TYPE_READBACK);
  CHECK(used() == 3 * mib);
  CHECK(used_non_local() == 3 * mib);
  upload.Reset();
  CHECK(used_non_local() == mib);

  // A heap is used whole, whatever is placed in it; it stays until the last of that is gone.
  const D3D12_HEAP_DESC desc{8 * mib, {D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0}, 0, D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS};
  ComPtr<ID3D12Heap> heap;
  REQUIRE(app.device->CreateHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
  const D3D12_RESOURCE_DESC placed_desc = buffer_desc(mib);
  ComPtr<ID3D12Resource> placed;
  REQUIRE(app.device->CreatePlacedResource(heap.Get(), 0, &placed_desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                           IID_PPV_ARGS(&placed)) == S_OK);
  CHECK(used() == 11 * mib);
  heap.Reset();
  CHECK(used() == 11 * mib);
  placed.Reset();
  CHECK(used() == 3 * mib);

  // A reserved resource has no memory of its own.
  ComPtr<ID3D12Resource> reserved;
  REQUIRE(app.device->CreateReservedResource(&placed_desc, D3D12_RESOURCE_STATE_COMMON, nullptr,
                                             IID_PPV_ARGS(&reserved)) == S_OK);
  CHECK(used() == 3 * mib);
  const D3D12_RESOURCE_DESC texture = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 512, 512);
  {
    const auto made = app.resource(texture, D3D12_HEAP_TYPE_DEFAULT);
    CHECK(used() == 3 * mib + app.device->GetResourceAllocationInfo(0, 1, &texture).SizeInBytes);
  }
  buffer.Reset();
  readback.Reset();
  CHECK(used() == 0);
  CHECK(used_non_local() == 0);
}

TEST_CASE("video memory: a process reserves up to what is available", "[d3d12][video_memory]") {
  const App app;
  const auto adapter = adapter_of(app.device.Get());
  const auto again = adapter_of(app.device.Get());
  const auto before = info(adapter.Get(), local);
  CHECK(before.AvailableForReservation == before.Budget / 2);
  CHECK(before.CurrentReservation == 0);
  REQUIRE(adapter->SetVideoMemoryReservation(0, local, 100 * mib) == S_OK);
  CHECK(info(again.Get(), local).CurrentReservation == 100 * mib);  // of the process, not of the object
  CHECK(info(again.Get(), non_local).CurrentReservation == 0);
  CHECK(adapter->SetVideoMemoryReservation(0, local, before.AvailableForReservation + 1) == E_INVALIDARG);
  CHECK(info(again.Get(), local).CurrentReservation == 100 * mib);
  REQUIRE(adapter->SetVideoMemoryReservation(0, local, before.AvailableForReservation) == S_OK);
  REQUIRE(adapter->SetVideoMemoryReservation(0, local, 0) == S_OK);
  CHECK(info(adapter.Get(), local).CurrentReservation == 0);
}

TEST_CASE("video memory: questions of nodes, groups and places that are not there are refused",
          "[d3d12][video_memory]") {
  const App app;
  const auto adapter = adapter_of(app.device.Get());
  DXGI_QUERY_VIDEO_MEMORY_INFO info{1, 2, 3, 4};
  CHECK(adapter->QueryVideoMemoryInfo(1, local, &info) == E_INVALIDARG);
  CHECK(info.Budget == 0);
  CHECK(adapter->QueryVideoMemoryInfo(0, static_cast<DXGI_MEMORY_SEGMENT_GROUP>(2), &info) == E_INVALIDARG);
  CHECK(adapter->QueryVideoMemoryInfo(0, local, nullptr) == E_INVALIDARG);
  CHECK(adapter->SetVideoMemoryReservation(1, local, 0) == E_INVALIDARG);
  HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  DWORD cookie = 0;
  DWORD other = 0;
  CHECK(adapter->RegisterVideoMemoryBudgetChangeNotificationEvent(event, &cookie) == S_OK);
  CHECK(adapter->RegisterVideoMemoryBudgetChangeNotificationEvent(event, &other) == S_OK);
  CHECK(cookie != 0);
  CHECK(cookie != other);
  CHECK(WaitForSingleObject(event, 0) == WAIT_TIMEOUT);
  adapter->UnregisterVideoMemoryBudgetChangeNotification(cookie);
  CHECK(adapter->RegisterVideoMemoryBudgetChangeNotificationEvent(event, nullptr) == E_INVALIDARG);
  CHECK(adapter->RegisterVideoMemoryBudgetChangeNotificationEvent(nullptr, &cookie) == E_INVALIDARG);
  CloseHandle(event);
}

TEST_CASE("video memory: DXCore tells and takes the same", "[d3d12][video_memory]") {
  App app;
  const auto dxgi = adapter_of(app.device.Get());
  ComPtr<IDXCoreAdapterFactory> factory;
  REQUIRE(DXCoreCreateAdapterFactory(IID_PPV_ARGS(&factory)) == S_OK);
  ComPtr<IDXCoreAdapter> adapter;
  REQUIRE(factory->GetAdapterByLuid(app.device->GetAdapterLuid(), IID_PPV_ARGS(&adapter)) == S_OK);
  constexpr auto state = DXCoreAdapterState::AdapterMemoryBudget;
  CHECK(adapter->IsQueryStateSupported(state));
  CHECK(adapter->IsSetStateSupported(state));
  CHECK_FALSE(adapter->IsSetStateSupported(DXCoreAdapterState::IsDriverUpdateInProgress));
  const auto buffer = app.buffer(5 * mib);
  const std::uint64_t reservation = 7 * mib;
  for (const auto group : {DXCoreSegmentGroup::Local, DXCoreSegmentGroup::NonLocal}) {
    const DXCoreAdapterMemoryBudgetNodeSegmentGroup details{0, group};
    REQUIRE(adapter->SetState(state, sizeof details, &details, sizeof reservation, &reservation) == S_OK);
    DXCoreAdapterMemoryBudget budget{};
    REQUIRE(adapter->QueryState(state, sizeof details, &details, sizeof budget, &budget) == S_OK);
    const auto same = info(dxgi.Get(), group == DXCoreSegmentGroup::Local ? local : non_local);
    CHECK(budget.budget == same.Budget);
    CHECK(budget.currentUsage == same.CurrentUsage);
    CHECK(budget.availableForReservation == same.AvailableForReservation);
    CHECK(budget.currentReservation == reservation);
    CHECK(same.CurrentReservation == reservation);
    const std::uint64_t none = 0;
    REQUIRE(adapter->SetState(state, sizeof details, &details, sizeof none, &none) == S_OK);
  }
  const DXCoreAdapterMemoryBudgetNodeSegmentGroup wrong{1, DXCoreSegmentGroup::Local};
  DXCoreAdapterMemoryBudget budget{};
  CHECK(adapter->QueryState(state, sizeof wrong, &wrong, sizeof budget, &budget) == E_INVALIDARG);
  CHECK(adapter->QueryState(state, 0, nullptr, sizeof budget, &budget) == E_INVALIDARG);
  CHECK(adapter->SetState(state, sizeof wrong, &wrong, sizeof reservation, &reservation) == E_INVALIDARG);
}
