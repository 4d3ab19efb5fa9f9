// SPDX-License-Identifier: Apache-2.0
// Programs that want more than there is: budgets, what is refused, what becomes slower, what is moved and what faults.
// Written from docs/residency.md and Microsoft's pages, without knowledge of the implementation. These tests run on
// tiny with little memory, in processes of their own (`runs_with`).
#include "tests/d3d12/residency/residency_app.hpp"

#include <numeric>

using namespace fenceline::testing;

namespace {

const std::string small_memory = std::string(slow_pcie) + "/video_memory/dedicated_mib=8\n/video_memory/shared_mib=16";
const std::string small_memory_that_pages = small_memory + "\n/video_memory/over_commit=page";

/// A MiB passes video memory at 100 GB/s in less than 22 us, there and back: this is far from both that and PCIe.
constexpr double in_video_memory_us = 100;

std::vector<std::uint32_t> residency_numbers(std::uint32_t first) {
  std::vector<std::uint32_t> made(mib / 4);
  std::iota(made.begin(), made.end(), first);
  return made;
}

}  // namespace

TEST_CASE("residency: alone a process has all memory as its budget whatever it reserves", "[d3d12][residency]") {
  if (!runs_with(small_memory)) return;
  App app;
  const VideoMemoryOf memory(app);
  CHECK(memory.local().Budget == 8 * mib);
  CHECK(memory.non_local().Budget == 16 * mib);
  CHECK(memory.local().AvailableForReservation == 4 * mib);  // half of it
  CHECK(memory.local().CurrentReservation == 0);
  const auto reserve = [&](UINT64 bytes) {
    return memory.adapter->SetVideoMemoryReservation(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, bytes);
  };
  CHECK(reserve(4 * mib + 1) == E_INVALIDARG);
  CHECK(memory.local().CurrentReservation == 0);
  CHECK(reserve(4 * mib) == S_OK);
  CHECK(memory.local().CurrentReservation == 4 * mib);
  CHECK(memory.non_local().CurrentReservation == 0);
  CHECK(memory.local().Budget == 8 * mib);
  // With a queue the process counts among those that share; it is still alone.
  const auto queue = app.queue(direct_type);
  CHECK(memory.local().Budget == 8 * mib);
  CHECK(reserve(0) == S_OK);
  CHECK(memory.local().CurrentReservation == 0);
}

TEST_CASE("residency: a budget that does not change notifies nobody", "[d3d12][residency]") {
  if (!runs_with(small_memory)) return;
  App app;
  const VideoMemoryOf memory(app);
  const Event changed;
  DWORD cookie = 0;
  REQUIRE(memory.adapter->RegisterVideoMemoryBudgetChangeNotificationEvent(changed.handle, &cookie) == S_OK);
  CHECK_FALSE(changed.is_set());  // none at the registration
  const UINT64 budget = memory.local().Budget;
  const auto one = memory.heap(5 * mib);
  const auto over = memory.heap(5 * mib);
  CHECK(memory.usage() > budget);
  REQUIRE(memory.evict({one.Get()}) == S_OK);
  REQUIRE(memory.make_resident({one.Get()}) == S_OK);
  REQUIRE(memory.adapter->SetVideoMemoryReservation(0, DXGI_MEMORY_SEGMENT_GROUP_LOCAL, mib) == S_OK);
  const auto queue = app.queue(direct_type);
  Sleep(1);
  CHECK(memory.local().Budget == budget);
  CHECK_FALSE(changed.is_set());
  memory.adapter->UnregisterVideoMemoryBudgetChangeNotification(cookie);
  memory.adapter->UnregisterVideoMemoryBudgetChangeNotification(cookie);  // nothing any more
  CHECK_FALSE(changed.is_set());
}

TEST_CASE("residency: DENY_OVERBUDGET lets pass what is exactly on the budget and no page more", "[d3d12][residency]") {
  if (!runs_with_each({small_memory, small_memory_that_pages})) return;
  App app;
  const VideoMemoryOf memory(app);
  constexpr auto deny = D3D12_RESIDENCY_FLAG_DENY_OVERBUDGET;
  const auto half = memory.heap(4 * mib);
  const UINT64 before = memory.usage();
  const auto rest = memory.not_resident(memory.room());
  const auto page = memory.not_resident(page_bytes);
  const auto fence = app.fence();
  // Together they are a page too much: neither is on the list afterwards, nothing is signalled.
  CHECK(memory.enqueue({rest.Get(), page.Get()}, fence.Get(), 1, deny) == E_OUTOFMEMORY);
  CHECK(memory.enqueue({page.Get(), rest.Get()}, fence.Get(), 1, deny) == E_OUTOFMEMORY);
  CHECK(memory.usage() == before);
  Sleep(100);
  CHECK(fence->GetCompletedValue() == 0);
  REQUIRE(memory.enqueue({rest.Get()}, fence.Get(), 2, deny) == S_OK);
  REQUIRE(fence->SetEventOnCompletion(2, nullptr) == S_OK);
  CHECK(memory.usage() == memory.local().Budget);
  CHECK(memory.enqueue({page.Get()}, fence.Get(), 3, deny) == E_OUTOFMEMORY);
  CHECK(memory.enqueue({rest.Get()}, fence.Get(), 3, deny) == S_OK);  // it is there: no byte more
  // Without the flag, and for MakeResident, the budget does not count.
  REQUIRE(memory.enqueue({page.Get()}, fence.Get(), 4) == S_OK);
  REQUIRE(fence->SetEventOnCompletion(4, nullptr) == S_OK);
  CHECK(memory.usage() == memory.local().Budget + page_bytes);
  const auto other = memory.not_resident(page_bytes);
  REQUIRE(memory.make_resident({other.Get()}) == S_OK);
  CHECK(memory.usage() == memory.local().Budget + 2 * page_bytes);
  // Once there is room it passes.
  REQUIRE(memory.evict({half.Get(), page.Get()}) == S_OK);
  CHECK(memory.enqueue({page.Get()}, fence.Get(), 5, deny) == S_OK);
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
}

TEST_CASE("residency: more than all memory is E_OUTOFMEMORY and changes nothing", "[d3d12][residency]") {
  const std::string four_and_four =
      std::string(slow_pcie) + "/video_memory/dedicated_mib=4\n/video_memory/shared_mib=4";
  if (!runs_with_each({four_and_four, four_and_four + "\n/video_memory/over_commit=page"})) return;
  DebuggedApp app;
  const VideoMemoryOf memory(app);
  const UINT64 all = memory.local().Budget + memory.non_local().Budget;
  CHECK(all == 8 * mib);
  std::vector<ComPtr<ID3D12Heap>> heaps;
  // But for a MiB all memory is on the list: half of it lies in system memory, or is used there.
  while (memory.usage() + 2 * mib <= all) {
    heaps.push_back(memory.not_resident(mib));
    REQUIRE(memory.make_resident({heaps.back().Get()}) == S_OK);
  }
  const UINT64 before = memory.usage();
  REQUIRE(before < all);
  const auto rest = memory.not_resident(all - before);
  const auto page = memory.not_resident(page_bytes);
  const auto fence = app.fence();
  app.said();
  CHECK(memory.make_resident({rest.Get(), page.Get()}) == E_OUTOFMEMORY);
  CHECK(memory.make_resident({page.Get(), rest.Get()}) == E_OUTOFMEMORY);
  CHECK(memory.enqueue({rest.Get(), page.Get()}, fence.Get(), 1) == E_OUTOFMEMORY);
  CHECK(memory.usage() == before);
  // Neither has got a count: both Evicts are one too many.
  app.said();
  CHECK(memory.evict({rest.Get()}) == S_OK);
  CHECK(memory.evict({page.Get()}) == S_OK);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_EVICT_UNDERFLOW, D3D12_MESSAGE_ID_EVICT_UNDERFLOW});
  // What had one keeps it: 1 + 1 is undone with the call.
  CHECK(memory.make_resident({heaps[0].Get(), rest.Get(), page.Get()}) == E_OUTOFMEMORY);
  REQUIRE(memory.evict({heaps[0].Get()}) == S_OK);
  CHECK(memory.usage() == before - mib);
  REQUIRE(memory.make_resident({heaps[0].Get()}) == S_OK);
  // Exactly all passes; then not even a page. More of what is there is no byte more.
  REQUIRE(memory.make_resident({rest.Get()}) == S_OK);
  CHECK(memory.usage() == all);
  CHECK(memory.make_resident({page.Get()}) == E_OUTOFMEMORY);
  CHECK(memory.enqueue({page.Get()}, fence.Get(), 1) == E_OUTOFMEMORY);
  CHECK(memory.make_resident({rest.Get()}) == S_OK);
  Sleep(100);
  CHECK(fence->GetCompletedValue() == 0);
  // With room it passes: free and try again.
  REQUIRE(memory.evict({heaps[0].Get()}) == S_OK);
  CHECK(memory.make_resident({page.Get()}) == S_OK);
  CHECK(memory.usage() == all - mib + page_bytes);
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
}

TEST_CASE("residency: where all fits nothing takes time", "[d3d12][residency]") {
  if (!runs_with_each({small_memory, small_memory_that_pages})) return;
  App app;
  VideoMemoryOf memory(app);
  Stopwatch watch(app);
  const auto from = app.buffer(mib);
  const auto to = app.buffer(mib);
  memory.fill_but(0);
  CHECK(memory.usage() == memory.local().Budget);
  const double begin = watch.now_us();
  CHECK(watch.copy_us(to.Get(), from.Get()) < in_video_memory_us);
  // Counts that neither come from 0 nor get there move nothing, and one that does is undone before anybody wants room.
  REQUIRE(memory.make_resident({from.Get()}) == S_OK);
  REQUIRE(memory.evict({from.Get()}) == S_OK);
  REQUIRE(memory.evict({from.Get()}) == S_OK);
  REQUIRE(memory.make_resident({from.Get()}) == S_OK);
  CHECK(watch.copy_us(to.Get(), from.Get()) < in_video_memory_us);
  CHECK(watch.now_us() - begin < 2 * in_video_memory_us);
}

TEST_CASE("residency: a program that wants more than there is becomes slower and does not fail", "[d3d12][residency]") {
  if (!runs_with_each({small_memory, small_memory_that_pages})) return;
  App app;
  VideoMemoryOf memory(app);
  Stopwatch watch(app);
  const auto to = app.buffer(mib);
  const auto fits = app.buffer(mib);
  memory.fill_but(0);
  const auto over = app.buffer(mib);  // of equals the last is the one without room: it is used in place
  CHECK(memory.usage() == memory.local().Budget + mib);
  CHECK(watch.copy_us(to.Get(), fits.Get()) < in_video_memory_us);
  CHECK(watch.copy_us(to.Get(), over.Get()) == Approx(mib_passes_us).margin(10));
  CHECK(watch.copy_us(over.Get(), fits.Get()) == Approx(mib_passes_us).margin(10));
  CHECK(watch.copy_us(to.Get(), over.Get()) == Approx(mib_passes_us).margin(10));  // at equal priority nobody gives way
  // The bytes are those of any other buffer.
  watch.upload(fits.Get(), residency_numbers(7));
  watch.copy_us(over.Get(), fits.Get());
  CHECK(watch.download(over.Get(), mib / 4) == residency_numbers(7));
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);

  // With room it comes in before anything of the device runs, and is as fast as any other from then on.
  memory.filler.Reset();
  const double begin = watch.now_us();
  CHECK(watch.copy_us(to.Get(), over.Get()) < in_video_memory_us);
  CHECK(watch.now_us() - begin == Approx(mib_moves_us).margin(in_video_memory_us));
  CHECK(watch.copy_us(to.Get(), over.Get()) < in_video_memory_us);
  CHECK(watch.now_us() - begin == Approx(mib_moves_us).margin(2 * in_video_memory_us));
  CHECK(watch.download(over.Get(), mib / 4) == residency_numbers(7));
}

TEST_CASE("residency: an Evict makes room for what was used in place", "[d3d12][residency]") {
  if (!runs_with_each({small_memory, small_memory_that_pages})) return;
  App app;
  VideoMemoryOf memory(app);
  Stopwatch watch(app);
  const auto to = app.buffer(mib);
  const auto fits = app.buffer(mib);
  memory.fill_but(0);
  const auto over = app.buffer(mib);
  CHECK(watch.copy_us(to.Get(), over.Get()) == Approx(mib_passes_us).margin(10));
  REQUIRE(memory.evict({fits.Get()}) == S_OK);
  CHECK(memory.usage() == memory.local().Budget);
  // What is evicted and kept goes out for it, whatever the priorities: out and in, a MiB each.
  const double begin = watch.now_us();
  CHECK(watch.copy_us(to.Get(), over.Get()) < in_video_memory_us);
  CHECK(watch.now_us() - begin == Approx(2 * mib_moves_us).margin(in_video_memory_us));
}

TEST_CASE("residency: a higher priority gets the room of a lower one", "[d3d12][residency]") {
  if (!runs_with_each({small_memory, small_memory_that_pages})) return;
  App app;
  VideoMemoryOf memory(app);
  Stopwatch watch(app);
  const auto to = app.buffer(mib);
  const auto low = app.buffer(mib);
  REQUIRE(memory.prioritize(to.Get(), D3D12_RESIDENCY_PRIORITY_MAXIMUM) == S_OK);
  memory.fill_but(0);
  const auto over = app.buffer(mib);
  CHECK(watch.copy_us(to.Get(), low.Get()) < in_video_memory_us);
  CHECK(watch.copy_us(to.Get(), over.Get()) == Approx(mib_passes_us).margin(10));
  if (GENERATE(false, true)) {
    REQUIRE(memory.prioritize(over.Get(), D3D12_RESIDENCY_PRIORITY_HIGH) == S_OK);
  } else {
    REQUIRE(memory.prioritize(low.Get(), D3D12_RESIDENCY_PRIORITY_LOW) == S_OK);  // the same two, the same order
  }
  // Before the device runs again: low goes out, over comes in.
  const double begin = watch.now_us();
  CHECK(watch.copy_us(to.Get(), over.Get()) < in_video_memory_us);
  CHECK(watch.now_us() - begin == Approx(2 * mib_moves_us).margin(in_video_memory_us));
  CHECK(watch.copy_us(to.Get(), low.Get()) == Approx(mib_passes_us).margin(10));
  CHECK(memory.usage() == memory.local().Budget + mib);
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
}

TEST_CASE("residency: render targets and what shaders write begin with a higher priority", "[d3d12][residency]") {
  if (!runs_with(small_memory)) return;
  App app;
  VideoMemoryOf memory(app);
  Stopwatch watch(app);
  const auto to = app.buffer(mib);
  const auto plain = app.buffer(mib);  // NORMAL
  REQUIRE(memory.prioritize(to.Get(), D3D12_RESIDENCY_PRIORITY_MAXIMUM) == S_OK);
  memory.fill_but(0);
  // HIGH and one for each 10 MB, of which it has none.
  const auto written = app.buffer(mib, D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
  CHECK(watch.copy_us(to.Get(), written.Get()) < in_video_memory_us);
  CHECK(watch.copy_us(to.Get(), plain.Get()) == Approx(mib_passes_us).margin(10));
}
