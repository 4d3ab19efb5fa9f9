// SPDX-License-Identifier: Apache-2.0
// Adapters without memory of their own (UMA), and reservations of more than there is. Written from docs/residency.md
// (rules 17 and 28a) and Microsoft's pages on memory pools, GetCustomHeapProperties and QueryVideoMemoryInfo.
#include "tests/d3d12/residency/residency_app.hpp"

using namespace fenceline::testing;

namespace {

const std::string unified = std::string(slow_pcie) + "/video_memory/dedicated_mib=8\n/video_memory/unified=true";

}  // namespace

TEST_CASE("unified memory: there is one segment group and one memory pool", "[d3d12][residency]") {
  if (!runs_with(unified)) return;
  App app;
  const VideoMemoryOf memory(app);
  D3D12_FEATURE_DATA_ARCHITECTURE architecture{};
  REQUIRE(app.device->CheckFeatureSupport(D3D12_FEATURE_ARCHITECTURE, &architecture, sizeof architecture) == S_OK);
  CHECK(architecture.UMA == TRUE);
  CHECK(architecture.CacheCoherentUMA == TRUE);

  for (const D3D12_HEAP_TYPE type : {D3D12_HEAP_TYPE_DEFAULT, D3D12_HEAP_TYPE_UPLOAD, D3D12_HEAP_TYPE_READBACK}) {
    CHECK(app.device->GetCustomHeapProperties(0, type).MemoryPoolPreference == D3D12_MEMORY_POOL_L0);
  }
  CHECK(app.device->GetCustomHeapProperties(0, D3D12_HEAP_TYPE_UPLOAD).CPUPageProperty ==
        D3D12_CPU_PAGE_PROPERTY_WRITE_BACK);
  D3D12_HEAP_DESC desc{};
  desc.SizeInBytes = page_bytes;
  desc.Properties = {D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE, D3D12_MEMORY_POOL_L1, 1, 1};
  ComPtr<ID3D12Heap> heap;
  CHECK(app.device->CreateHeap(&desc, IID_PPV_ARGS(&heap)) == E_INVALIDARG);
  desc.Properties.MemoryPoolPreference = D3D12_MEMORY_POOL_L0;
  CHECK(app.device->CreateHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);

  const UINT64 before = memory.local().CurrentUsage;
  const auto upload = app.buffer(mib, D3D12_HEAP_TYPE_UPLOAD);
  CHECK(memory.local().CurrentUsage == before + mib);
  const DXGI_QUERY_VIDEO_MEMORY_INFO none = memory.non_local();
  CHECK(none.Budget == 0);
  CHECK(none.CurrentUsage == 0);
  CHECK(none.AvailableForReservation == 0);
  CHECK(none.CurrentReservation == 0);
  CHECK(memory.local().Budget == 8 * mib);
  CHECK(memory.adapter->SetVideoMemoryReservation(0, DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL, 1) == E_INVALIDARG);
}

TEST_CASE("unified memory: what the CPU has written passes no PCIe", "[d3d12][residency]") {
  if (!runs_with(unified)) return;
  App app;
  Stopwatch watch(app);
  const auto upload = app.buffer(mib, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.buffer(mib);
  CHECK(watch.copy_us(to.Get(), upload.Get()) < mib_passes_us / 10);
}

TEST_CASE("reservations: more than half of a group is refused or cut to that half", "[d3d12][residency]") {
  if (!runs_with_each(
          {"/video_memory/dedicated_mib=8", "/video_memory/dedicated_mib=8\n/video_memory/over_reservation=clamp"})) {
    return;
  }
  const bool clamps = std::string(std::getenv("FENCELINE_SET")).find("clamp") != std::string::npos;
  App app;
  const VideoMemoryOf memory(app);
  const UINT64 budget = memory.local().Budget;
  const auto reserve = [&](UINT64 bytes) {
    return memory.adapter->SetVideoMemoryReservation(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, bytes);
  };
  CHECK(reserve(4 * mib) == S_OK);
  CHECK(memory.local().CurrentReservation == 4 * mib);
  CHECK(reserve(mib) == S_OK);
  CHECK(reserve(4 * mib + 1) == (clamps ? S_OK : E_INVALIDARG));
  CHECK(memory.local().CurrentReservation == (clamps ? 4 * mib : mib));
  CHECK(memory.local().Budget == budget);
}
