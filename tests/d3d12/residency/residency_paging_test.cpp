// SPDX-License-Identifier: Apache-2.0
// When what is made resident is there, what is left of what was evicted, and what becomes of work that uses it all the
// same. Written from docs/residency.md, docs/recovery.md and Microsoft's pages, without knowledge of the
// implementation.
#include "tests/d3d12/residency/residency_app.hpp"

#include <numeric>

using namespace fenceline::testing;

namespace {

const std::string paging_memory = std::string(slow_pcie) +
                                  "/video_memory/dedicated_mib=8\n/video_memory/shared_mib=16\n"
                                  "/video_memory/over_commit=page";
const std::string recovering = paging_memory + "\n/tdr/level=recover";

/// More than a copy of a MiB inside video memory takes, on tiny some 20 us, and far less than one over this PCIe.
constexpr double paging_margin_us = 100;

std::vector<std::uint32_t> paging_numbers(std::uint32_t first) {
  std::vector<std::uint32_t> made(mib / 4);
  std::iota(made.begin(), made.end(), first);
  return made;
}

}  // namespace

TEST_CASE("residency: MakeResident returns when all is there", "[d3d12][residency]") {
  if (!runs_with(paging_memory)) return;
  App app;
  const VideoMemoryOf memory(app);
  Stopwatch watch(app);
  const auto to = app.buffer(mib);
  const auto one = memory.buffer_not_resident(mib);
  const auto other = memory.buffer_not_resident(2 * mib);
  double begin = watch.now_us();
  REQUIRE(memory.make_resident({one.Get()}) == S_OK);
  // A transfer and an update of the page table, one after the other; nobody has to go.
  CHECK(watch.now_us() - begin == Approx(mib_moves_us).margin(2));
  CHECK(watch.copy_us(to.Get(), one.Get()) < paging_margin_us);
  CHECK(watch.now_us() - begin == Approx(mib_moves_us).margin(paging_margin_us));
  begin = watch.now_us();
  REQUIRE(memory.make_resident({one.Get(), other.Get()}) == S_OK);  // the first is there
  CHECK(watch.now_us() - begin == Approx(2 * mib_moves_us).margin(2));
  begin = watch.now_us();
  REQUIRE(memory.make_resident({one.Get(), other.Get()}) == S_OK);  // both are
  CHECK(watch.now_us() - begin == Approx(0).margin(2));
}

TEST_CASE("residency: evicted and kept until somebody wants the room", "[d3d12][residency]") {
  if (!runs_with(paging_memory)) return;
  App app;
  VideoMemoryOf memory(app);
  Stopwatch watch(app);
  const auto kept = app.buffer(mib);
  const auto address = kept->GetGPUVirtualAddress();
  watch.upload(kept.Get(), paging_numbers(11));
  memory.fill_but(0);
  double begin = watch.now_us();
  REQUIRE(memory.evict({kept.Get()}) == S_OK);
  CHECK(watch.now_us() - begin == Approx(0).margin(2));  // lazy: nothing moves
  REQUIRE(memory.make_resident({kept.Get()}) == S_OK);
  CHECK(watch.now_us() - begin == Approx(0).margin(2));  // nothing has moved
  CHECK(watch.download(kept.Get(), mib / 4) == paging_numbers(11));

  // Somebody does: kept goes out, the other one comes in.
  REQUIRE(memory.evict({kept.Get()}) == S_OK);
  const auto wants = memory.buffer_not_resident(mib);
  begin = watch.now_us();
  REQUIRE(memory.make_resident({wants.Get()}) == S_OK);
  CHECK(watch.now_us() - begin == Approx(2 * mib_moves_us).margin(2));
  watch.upload(wants.Get(), paging_numbers(5000));
  // And back, with what was in both.
  REQUIRE(memory.evict({wants.Get()}) == S_OK);
  begin = watch.now_us();
  REQUIRE(memory.make_resident({kept.Get()}) == S_OK);
  CHECK(watch.now_us() - begin == Approx(2 * mib_moves_us).margin(2));
  CHECK(watch.download(kept.Get(), mib / 4) == paging_numbers(11));
  CHECK(kept->GetGPUVirtualAddress() == address);
  REQUIRE(memory.evict({kept.Get()}) == S_OK);
  REQUIRE(memory.make_resident({wants.Get()}) == S_OK);
  CHECK(watch.download(wants.Get(), mib / 4) == paging_numbers(5000));
}

TEST_CASE("residency: EnqueueMakeResident returns at once and its fence tells when all is there",
          "[d3d12][residency]") {
  if (!runs_with(paging_memory)) return;
  App app;
  const VideoMemoryOf memory(app);
  Stopwatch watch(app);
  const auto to = app.buffer(mib);
  const auto one = memory.buffer_not_resident(mib);
  const auto fence = app.fence();
  const double begin = watch.now_us();
  REQUIRE(memory.enqueue({one.Get()}, fence.Get(), 1) == S_OK);
  CHECK(watch.now_us() - begin == Approx(0).margin(2));
  CHECK(fence->GetCompletedValue() == 0);
  SECTION("the CPU waits") {
    REQUIRE(fence->SetEventOnCompletion(1, nullptr) == S_OK);
    CHECK(watch.now_us() - begin == Approx(mib_moves_us).margin(2));
    CHECK(watch.copy_us(to.Get(), one.Get()) < paging_margin_us);
  }
  SECTION("the queue waits") {
    REQUIRE(watch.copies.queue->Wait(fence.Get(), 1) == S_OK);
    CHECK(watch.copy_us(to.Get(), one.Get()) < paging_margin_us);
    CHECK(watch.now_us() - begin == Approx(mib_moves_us).margin(paging_margin_us));
  }
  SECTION("nobody does and the device is held") {
    CHECK(watch.copy_us(to.Get(), one.Get()) < paging_margin_us);
    CHECK(watch.now_us() - begin == Approx(mib_moves_us).margin(paging_margin_us));
  }
  CHECK(fence->GetCompletedValue() == 1);
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
}

TEST_CASE("residency: what is enqueued is signalled in the order of the calls", "[d3d12][residency]") {
  if (!runs_with(paging_memory)) return;
  App app;
  const VideoMemoryOf memory(app);
  const Stopwatch watch(app);
  const auto there = app.buffer(mib);
  const auto large = memory.buffer_not_resident(2 * mib);
  const auto small = memory.buffer_not_resident(page_bytes);
  const auto first = app.fence();
  const auto second = app.fence();
  const auto third = app.fence();
  const double begin = watch.now_us();
  REQUIRE(memory.enqueue({large.Get()}, first.Get(), 1) == S_OK);
  REQUIRE(memory.enqueue({there.Get()}, second.Get(), 1) == S_OK);  // nothing to move, and its turn comes second
  REQUIRE(memory.enqueue({small.Get()}, third.Get(), 1) == S_OK);
  CHECK(second->GetCompletedValue() == 0);
  REQUIRE(first->SetEventOnCompletion(1, nullptr) == S_OK);
  CHECK(watch.now_us() - begin == Approx(2 * mib_moves_us).margin(2));
  CHECK(third->GetCompletedValue() == 0);
  REQUIRE(second->SetEventOnCompletion(1, nullptr) == S_OK);
  CHECK(watch.now_us() - begin == Approx(2 * mib_moves_us).margin(2));
  REQUIRE(third->SetEventOnCompletion(1, nullptr) == S_OK);
  // A page passes in 512 us, its entry of 8 bytes in 0.0625.
  CHECK(watch.now_us() - begin == Approx(2 * mib_moves_us + 512.0625).margin(3));
}

TEST_CASE("residency: one fence serves all calls", "[d3d12][residency]") {
  if (!runs_with(paging_memory)) return;
  App app;
  const VideoMemoryOf memory(app);
  const auto fence = app.fence();
  std::vector<ComPtr<ID3D12Resource>> all;
  for (UINT64 i = 1; i <= 4; ++i) {
    all.push_back(memory.buffer_not_resident(i % 2 == 0 ? page_bytes : mib));
    REQUIRE(memory.enqueue({all.back().Get()}, fence.Get(), i) == S_OK);
  }
  CHECK(fence->GetCompletedValue() == 0);
  for (UINT64 i = 1; i <= 4; ++i) {
    REQUIRE(fence->SetEventOnCompletion(i, nullptr) == S_OK);
    CHECK(fence->GetCompletedValue() == i);  // each of them moves something, and later than the one before
  }
}

namespace {

/// A list of one copy, submitted; the thread goes on when its fence has come to its value or to the highest.
void execute_copy(Recorder& copies, ID3D12Resource* to, ID3D12Resource* from) {
  copies.list->CopyBufferRegion(to, 0, from, 0, page_bytes);
  REQUIRE(copies.list->Close() == S_OK);
  ID3D12CommandList* const lists[] = {copies.list.Get()};
  copies.queue->ExecuteCommandLists(1, lists);
  copies.queue->Signal(copies.fence.Get(), ++copies.value);
  copies.wait();
}

void check_hung(App& app, const Recorder& copies) {
  CHECK(app.device->GetDeviceRemovedReason() == DXGI_ERROR_DEVICE_HUNG);
  CHECK(copies.fence->GetCompletedValue() == UINT64_MAX);
  ComPtr<ID3D12Fence> late;
  CHECK(app.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&late)) == DXGI_ERROR_DEVICE_REMOVED);
}

}  // namespace

TEST_CASE("residency: work that uses what is evicted hangs the device", "[d3d12][residency]") {
  if (!runs_with(recovering)) return;
  App app;
  const VideoMemoryOf memory(app);
  Recorder copies(app, GENERATE(direct_type, compute_type, copy_type));
  const auto there = app.buffer(mib);
  SECTION("a source") {
    const auto gone = app.buffer(mib);
    REQUIRE(memory.evict({gone.Get()}) == S_OK);
    execute_copy(copies, there.Get(), gone.Get());
    check_hung(app, copies);
  }
  SECTION("a destination") {
    const auto gone = app.buffer(mib);
    REQUIRE(memory.evict({gone.Get()}) == S_OK);
    execute_copy(copies, gone.Get(), there.Get());
    check_hung(app, copies);
  }
  SECTION("never made resident") {
    const auto never = memory.buffer_not_resident(mib);
    execute_copy(copies, there.Get(), never.Get());
    check_hung(app, copies);
  }
  SECTION("placed in an evicted heap") {
    const auto home = memory.heap(mib);
    const auto inside = memory.placed(home.Get(), mib);
    REQUIRE(memory.evict({home.Get()}) == S_OK);
    execute_copy(copies, there.Get(), inside.Get());
    check_hung(app, copies);
  }
  SECTION("evicted as often as made resident, and once more") {
    const auto gone = app.buffer(mib);
    REQUIRE(memory.make_resident({gone.Get()}) == S_OK);
    REQUIRE(memory.evict({gone.Get()}) == S_OK);
    execute_copy(copies, there.Get(), gone.Get());  // its count is 1
    REQUIRE(app.device->GetDeviceRemovedReason() == S_OK);
    copies.reset();
    REQUIRE(memory.evict({gone.Get()}) == S_OK);
    execute_copy(copies, there.Get(), gone.Get());
    check_hung(app, copies);
  }
}

TEST_CASE("residency: what is evicted and not used harms nobody", "[d3d12][residency]") {
  if (!runs_with(recovering)) return;
  App app;
  const VideoMemoryOf memory(app);
  Recorder copies(app, copy_type);
  const auto there = app.buffer(mib);
  const auto other = app.buffer(mib);
  const auto gone = app.buffer(mib);
  const auto home = memory.heap(mib);
  const auto inside = memory.placed(home.Get(), mib);
  REQUIRE(memory.evict({gone.Get(), home.Get()}) == S_OK);
  execute_copy(copies, there.Get(), other.Get());
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
  CHECK(copies.fence->GetCompletedValue() == 1);
  copies.reset();
  REQUIRE(memory.make_resident({gone.Get(), home.Get()}) == S_OK);
  copies.list->CopyBufferRegion(there.Get(), 0, inside.Get(), 0, page_bytes);
  execute_copy(copies, there.Get(), gone.Get());
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
  CHECK(copies.fence->GetCompletedValue() == 2);
}

TEST_CASE("residency: the count when the GPU gets there decides", "[d3d12][residency]") {
  if (!runs_with(recovering)) return;
  App app;
  const VideoMemoryOf memory(app);
  Recorder copies(app, copy_type);
  const auto gate = app.fence();
  const auto there = app.buffer(mib);
  const auto one = app.buffer(mib);
  const bool back = GENERATE(true, false);
  REQUIRE(memory.evict({one.Get()}) == S_OK);
  REQUIRE(copies.queue->Wait(gate.Get(), 1) == S_OK);
  copies.list->CopyBufferRegion(there.Get(), 0, one.Get(), 0, page_bytes);
  copies.submit();  // recorded and submitted while it is evicted
  Sleep(1);
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);  // it waits: nothing has used it
  if (back) REQUIRE(memory.make_resident({one.Get()}) == S_OK);
  REQUIRE(gate->Signal(1) == S_OK);
  copies.wait();
  if (back) {
    CHECK(app.device->GetDeviceRemovedReason() == S_OK);
    CHECK(copies.fence->GetCompletedValue() == 1);
  } else {
    check_hung(app, copies);
  }
}

TEST_CASE("residency: before a fault the list has done what stands before it", "[d3d12][residency]") {
  if (!runs_with(recovering)) return;
  ComPtr<ID3D12DeviceRemovedExtendedDataSettings> settings;
  REQUIRE(D3D12GetDebugInterface(IID_PPV_ARGS(&settings)) == S_OK);
  settings->SetPageFaultEnablement(D3D12_DRED_ENABLEMENT_FORCED_ON);
  App app;
  const VideoMemoryOf memory(app);
  Recorder copies(app, copy_type);
  const auto up = app.buffer(mib, D3D12_HEAP_TYPE_UPLOAD);
  const auto down = app.buffer(mib, D3D12_HEAP_TYPE_READBACK);
  const auto gone = app.buffer(mib);
  write(up.Get(), paging_numbers(3));
  void* seen = nullptr;
  REQUIRE(down->Map(0, nullptr, &seen) == S_OK);
  REQUIRE(memory.evict({gone.Get()}) == S_OK);
  copies.list->CopyBufferRegion(down.Get(), 0, up.Get(), 0, mib);
  execute_copy(copies, down.Get(), gone.Get());
  check_hung(app, copies);
  const auto* const words = static_cast<const std::uint32_t*>(seen);
  CHECK(std::vector<std::uint32_t>(words, words + mib / 4) == paging_numbers(3));
  // The fault's address is the evicted buffer's.
  ComPtr<ID3D12DeviceRemovedExtendedData> data;
  REQUIRE(app.device.As(&data) == S_OK);
  D3D12_DRED_PAGE_FAULT_OUTPUT fault{};
  REQUIRE(data->GetPageFaultAllocationOutput(&fault) == S_OK);
  CHECK(fault.PageFaultVA >= gone->GetGPUVirtualAddress());
  CHECK(fault.PageFaultVA < gone->GetGPUVirtualAddress() + mib);
  settings->SetPageFaultEnablement(D3D12_DRED_ENABLEMENT_FORCED_OFF);
}

TEST_CASE("residency: an Evict while the GPU uses it is told of and the work ends", "[d3d12][residency]") {
  if (!runs_with(recovering)) return;
  DebuggedApp app;
  const VideoMemoryOf memory(app);
  Recorder copies(app, copy_type);
  const auto up = app.buffer(mib, D3D12_HEAP_TYPE_UPLOAD);
  const auto used = app.buffer(mib);
  copies.list->CopyBufferRegion(used.Get(), 0, up.Get(), 0, mib);  // 8192 us
  copies.submit();
  Sleep(1);  // it is under way
  app.said();
  REQUIRE(memory.evict({used.Get()}) == S_OK);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_OBJECT_EVICTED_WHILE_STILL_IN_USE});
  copies.wait();
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);  // the command had begun while it had its count
  CHECK(copies.fence->GetCompletedValue() == 1);
}
