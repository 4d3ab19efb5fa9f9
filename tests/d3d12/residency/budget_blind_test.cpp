// SPDX-License-Identifier: Apache-2.0
// Budgets of a program that says that others are there: rules 17 and 28 of docs/residency.md. Written from the rules
// and Microsoft's pages, without knowledge of the implementation.
#include "api/d3d12/host_thread.hpp"
#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/residency/budget_app.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace fenceline::testing;

TEST_CASE("residency budget: alone a program has all whether it has the focus or not", "[d3d12][residency][blind]") {
  if (!runs_with(budget_memory)) return;
  const BudgetApp app;
  CHECK(app.budget() == 10 * mib);
  CHECK(app.others(0) == S_OK);
  CHECK(app.budget() == 10 * mib);
  CHECK(app.focus(false) == S_OK);
  CHECK(app.budget() == 10 * mib);
  CHECK(app.focus(true) == S_OK);
  CHECK(app.budget() == 10 * mib);
}

TEST_CASE("residency budget: with the focus its part and without it a share of the rest", "[d3d12][residency][blind]") {
  if (!runs_with(budget_memory)) return;
  const BudgetApp app;
  for (const UINT others : {1U, 2U, 8U, 1000U}) {
    CAPTURE(others);
    REQUIRE(app.others(others) == S_OK);  // from the beginning it has the focus
    CHECK(app.budget() == 8 * mib);       // 10 x 80 / 100, however many share the rest
    CHECK(app.dxcore_budget() == 8 * mib);
  }
  REQUIRE(app.focus(false) == S_OK);
  // One of n has 8 MiB. 2 MiB are shared by the program and n - 1 others: n of them.
  for (const UINT others : {1U, 2U, 4U, 16U, 512U}) {
    CAPTURE(others);
    REQUIRE(app.others(others) == S_OK);
    CHECK(app.budget() == 2 * mib / others);
    CHECK(app.dxcore_budget() == 2 * mib / others);
  }
  CHECK(app.memory.non_local().Budget == 64 * mib);
}

TEST_CASE("residency budget: a thousand others are the most", "[d3d12][residency][blind]") {
  // 20 percent of 625 MiB are 125 MiB = 131072000 bytes: 131072 for each of 1000.
  if (!runs_with("/video_memory/dedicated_mib=625")) return;
  const BudgetApp app;
  REQUIRE(app.others(1000) == S_OK);
  CHECK(app.budget() == 500 * mib);
  REQUIRE(app.focus(false) == S_OK);
  CHECK(app.budget() == 131072);
  const Event changed;
  app.registered(changed);
  for (const UINT too_many : {1001U, 1U << 31, ~0U}) {
    CAPTURE(too_many);
    CHECK(app.others(too_many) == E_INVALIDARG);
    CHECK(app.budget() == 131072);  // and nothing is changed
  }
  CHECK_FALSE(changed.is_set());
  REQUIRE(app.others(1) == S_OK);
  CHECK(app.budget() == 125 * mib);
  CHECK(changed.is_set());
}

TEST_CASE("residency budget: where the focus is worth nothing", "[d3d12][residency][blind]") {
  if (!runs_with(budget_memory + "\n/video_memory/focus_budget_percent=0")) return;
  const BudgetApp app;
  REQUIRE(app.others(2) == S_OK);
  CHECK(app.budget() == 0);
  REQUIRE(app.focus(false) == S_OK);
  CHECK(app.budget() == 5 * mib);  // (10 - 0) / 2
}

TEST_CASE("residency budget: where the focus is worth half one other is a tie", "[d3d12][residency][blind]") {
  if (!runs_with(budget_memory + "\n/video_memory/focus_budget_percent=50")) return;
  const BudgetApp app;
  const Event changed;
  app.registered(changed);
  REQUIRE(app.others(1) == S_OK);
  CHECK(app.budget() == 5 * mib);
  CHECK(changed.is_set());
  // Beside one other it is the same with the focus and without: (10 - 5) / 1. Nobody is notified.
  REQUIRE(app.focus(false) == S_OK);
  CHECK(app.budget() == 5 * mib);
  CHECK_FALSE(changed.is_set());
  REQUIRE(app.others(5) == S_OK);
  CHECK(app.budget() == mib);  // 5 / 5
  CHECK(changed.is_set());
}

TEST_CASE("residency budget: where the focus is worth all", "[d3d12][residency][blind]") {
  if (!runs_with(budget_memory + "\n/video_memory/focus_budget_percent=100")) return;
  const BudgetApp app;
  const Event changed;
  app.registered(changed);
  REQUIRE(app.others(3) == S_OK);
  CHECK(app.budget() == 10 * mib);  // as alone
  CHECK_FALSE(changed.is_set());
  REQUIRE(app.focus(false) == S_OK);
  CHECK(app.budget() == 0);  // (10 - 10) / 3
  CHECK(changed.is_set());
  REQUIRE(app.others(9) == S_OK);
  CHECK(app.budget() == 0);
  CHECK_FALSE(changed.is_set());
}

TEST_CASE("residency budget: DENY_OVERBUDGET goes by the budget of the moment", "[d3d12][residency][blind]") {
  if (!runs_with_each({budget_memory, budget_memory + "\n/video_memory/over_commit=page"})) return;
  BudgetApp app;
  const VideoMemoryOf& memory = app.memory;
  constexpr auto deny = D3D12_RESIDENCY_FLAG_DENY_OVERBUDGET;
  const auto fence = app.app.fence();
  const auto base = memory.heap(mib);
  const UINT64 usage = memory.usage();
  REQUIRE(usage < 2 * mib);
  const auto to_eight = memory.not_resident(8 * mib - usage);
  const auto to_two = memory.not_resident(2 * mib - usage);
  const auto page = memory.not_resident(page_bytes);
  const auto other_page = memory.not_resident(page_bytes);
  // Focus: 8 MiB, exactly on it passes and a page more does not.
  REQUIRE(app.others(3) == S_OK);
  CHECK(memory.enqueue({to_eight.Get(), page.Get()}, fence.Get(), 1, deny) == E_OUTOFMEMORY);
  CHECK(memory.usage() == usage);
  REQUIRE(memory.enqueue({to_eight.Get()}, fence.Get(), 1, deny) == S_OK);
  REQUIRE(fence->SetEventOnCompletion(1, nullptr) == S_OK);
  CHECK(memory.usage() == 8 * mib);
  CHECK(memory.enqueue({page.Get()}, fence.Get(), 2, deny) == E_OUTOFMEMORY);
  // Alone: 10 MiB.
  REQUIRE(app.others(0) == S_OK);
  REQUIRE(memory.enqueue({page.Get()}, fence.Get(), 2, deny) == S_OK);
  REQUIRE(fence->SetEventOnCompletion(2, nullptr) == S_OK);
  CHECK(memory.usage() == 8 * mib + page_bytes);
  // One other has the focus: 2 MiB, of which more is used already. What is used stays; more is denied.
  REQUIRE(app.others(1) == S_OK);
  REQUIRE(app.focus(false) == S_OK);
  CHECK(app.budget() == 2 * mib);
  CHECK(memory.usage() == 8 * mib + page_bytes);
  CHECK(memory.enqueue({other_page.Get()}, fence.Get(), 3, deny) == E_OUTOFMEMORY);
  // Without the flag, and for MakeResident, the budget does not count.
  REQUIRE(memory.enqueue({other_page.Get()}, fence.Get(), 3) == S_OK);
  REQUIRE(fence->SetEventOnCompletion(3, nullptr) == S_OK);
  CHECK(memory.usage() == 8 * mib + 2 * page_bytes);
  REQUIRE(memory.evict({other_page.Get()}) == S_OK);
  REQUIRE(memory.make_resident({other_page.Get()}) == S_OK);
  // With room under the 2 MiB it passes, exactly on them again.
  REQUIRE(memory.evict({to_eight.Get(), page.Get(), other_page.Get()}) == S_OK);
  CHECK(memory.usage() == usage);
  CHECK(memory.enqueue({to_two.Get(), page.Get()}, fence.Get(), 4, deny) == E_OUTOFMEMORY);
  REQUIRE(memory.enqueue({to_two.Get()}, fence.Get(), 4, deny) == S_OK);
  REQUIRE(fence->SetEventOnCompletion(4, nullptr) == S_OK);
  CHECK(memory.usage() == 2 * mib);
  CHECK(app.app.device->GetDeviceRemovedReason() == S_OK);
}

TEST_CASE("residency budget: others change neither usage nor what is in video memory", "[d3d12][residency][blind]") {
  if (!runs_with_each({budget_memory, budget_memory + "\n/video_memory/over_commit=page"})) return;
  BudgetApp app;
  Stopwatch watch(app.app);
  const auto from = app.app.buffer(mib);
  const auto to = app.app.buffer(mib);
  app.memory.fill_but(0);
  const Event changed;
  app.registered(changed);
  const double begin = watch.now_us();
  REQUIRE(app.others(4) == S_OK);
  REQUIRE(app.focus(false) == S_OK);
  CHECK(watch.now_us() - begin == Approx(0).margin(2));
  CHECK(changed.is_set());
  CHECK(app.budget() == mib / 2);
  CHECK(app.memory.usage() == 10 * mib);
  // One process is simulated: nobody wants the room, nothing moves.
  CHECK(watch.copy_us(to.Get(), from.Get()) < 100);
  CHECK(watch.now_us() - begin < 200);
  // Usage falls with the Evict that takes the last count; neither that nor a reservation changes a budget.
  REQUIRE(app.memory.make_resident({from.Get()}) == S_OK);
  REQUIRE(app.memory.evict({from.Get()}) == S_OK);
  CHECK(app.memory.usage() == 10 * mib);
  REQUIRE(app.memory.evict({from.Get()}) == S_OK);
  CHECK(app.memory.usage() == 9 * mib);
  REQUIRE(app.memory.adapter->SetVideoMemoryReservation(0, DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL, mib) == S_OK);
  CHECK(app.budget() == mib / 2);
  CHECK_FALSE(changed.is_set());
}

TEST_CASE("residency budget: devices of one adapter share it and other adapters have their own",
          "[d3d12][residency][blind]") {
  if (!runs_with(budget_memory)) return;
  const BudgetApp app;
  ComPtr<ID3D12Device> same_adapter;
  REQUIRE(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&same_adapter)) == S_OK);
  App elsewhere(tiny_with([](fenceline::MachineConfig& tiny) { tiny.video_memory.dedicated_mib = 10; }));
  const auto elsewhere_queue = elsewhere.queue(direct_type);
  const auto fence = elsewhere.fence();
  ComPtr<ID3D12Device3> elsewhere_device;
  REQUIRE(elsewhere.device.As(&elsewhere_device) == S_OK);
  UINT64 signalled = 0;
  /// Whether 9 MiB pass there: more than 8, and less than 10.
  const auto nine_pass = [&] {
    const D3D12_HEAP_DESC desc{9 * mib,
                               {D3D12_HEAP_TYPE_DEFAULT, {}, {}, 0, 0},
                               0,
                               D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS | D3D12_HEAP_FLAG_CREATE_NOT_RESIDENT};
    ComPtr<ID3D12Heap> heap;
    REQUIRE(elsewhere.device->CreateHeap(&desc, IID_PPV_ARGS(&heap)) == S_OK);
    ID3D12Pageable* const one = heap.Get();
    const HRESULT answer =
        elsewhere_device->EnqueueMakeResident(D3D12_RESIDENCY_FLAG_DENY_OVERBUDGET, 1, &one, fence.Get(), ++signalled);
    if (answer == S_OK) REQUIRE(fence->SetEventOnCompletion(signalled, nullptr) == S_OK);
    return answer == S_OK;
  };
  CHECK(nine_pass());
  REQUIRE(fenceline::d3d12::set_background_processes(same_adapter.Get(), 2) == S_OK);
  CHECK(app.budget() == 8 * mib);
  REQUIRE(fenceline::d3d12::set_application_focus(same_adapter.Get(), FALSE) == S_OK);
  CHECK(app.budget() == mib);  // 2 / 2
  CHECK(nine_pass());          // alone there
  REQUIRE(fenceline::d3d12::set_background_processes(elsewhere.device.Get(), 1) == S_OK);
  CHECK(app.budget() == mib);
  CHECK_FALSE(nine_pass());  // 8 there with the focus
  REQUIRE(fenceline::d3d12::set_background_processes(same_adapter.Get(), 0) == S_OK);
  CHECK(app.budget() == 10 * mib);
  CHECK_FALSE(nine_pass());
  REQUIRE(fenceline::d3d12::set_background_processes(elsewhere.device.Get(), 0) == S_OK);
  CHECK(nine_pass());
}

TEST_CASE("residency budget: a change comes at the caller's clock", "[d3d12][residency][blind]") {
  if (!runs_with(budget_memory)) return;
  fenceline::HostThread here;
  here.attach();
  const BudgetApp app;
  const Event changed;
  app.registered(changed);
  UINT64 frequency = 0;
  REQUIRE(app.queue->GetTimestampFrequency(&frequency) == S_OK);
  const auto gpu_clock = [&] {
    UINT64 gpu = 0;
    UINT64 cpu = 0;
    app.queue->GetClockCalibration(&gpu, &cpu);
    return gpu;
  };
  const UINT64 begin = gpu_clock();
  UINT64 woken = 0;
  DWORD result = WAIT_FAILED;
  fenceline::HostThread there;
  std::thread worker([&] {
    there.attach();
    result = WaitForSingleObject(changed.handle, INFINITE);
    woken = gpu_clock();
    there.detach();
  });
  fenceline::HostThread::compute(std::chrono::milliseconds(3));
  app.focus(false);  // alone: no change, nobody wakes
  fenceline::HostThread::compute(std::chrono::milliseconds(4));
  app.others(1);  // 10 to 2 MiB at 3 + 4 ms; calls and wakes cost none on tiny
  fenceline::HostThread::join(worker);
  CHECK(result == WAIT_OBJECT_0);
  CHECK(static_cast<double>(woken - begin) * 1e6 / static_cast<double>(frequency) == Approx(7000).margin(2));
  CHECK(app.budget() == 2 * mib);
}
