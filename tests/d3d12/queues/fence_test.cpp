// SPDX-License-Identifier: Apache-2.0
// Fences and events: rules of D3D12's multi-engine documentation.
#include "api/d3d12/host_thread.hpp"
#include "tests/d3d12/app.hpp"

#include <chrono>
#include <functional>
#include <list>
#include <thread>

using namespace fenceline::testing;

TEST_CASE("events: set, reset by themselves or by hand, and time out", "[d3d12]") {
  const App app;
  const Event by_itself;
  CHECK_FALSE(by_itself.is_set());
  CHECK(SetEvent(by_itself.handle) == TRUE);
  CHECK(SetEvent(by_itself.handle) == TRUE);  // it is set already
  CHECK(by_itself.is_set());
  CHECK_FALSE(by_itself.is_set());
  const Event manual(true);
  SetEvent(manual.handle);
  CHECK(manual.is_set());
  CHECK(manual.is_set());
  CHECK(ResetEvent(manual.handle) == TRUE);
  CHECK_FALSE(manual.is_set());
  CHECK(WaitForSingleObject(manual.handle, 50) == WAIT_TIMEOUT);
  CHECK(SetEvent(nullptr) == FALSE);
  CHECK(WaitForSingleObject(nullptr, 0) == WAIT_FAILED);
}

TEST_CASE("events: waits for several end with the first that is set, or with all", "[d3d12]") {
  const App app;
  const Event a;
  const Event b;
  const HANDLE both[] = {a.handle, b.handle};
  SetEvent(b.handle);
  CHECK(WaitForMultipleObjects(2, both, TRUE, 0) == WAIT_TIMEOUT);  // and b stays set
  CHECK(WaitForMultipleObjects(2, both, FALSE, INFINITE) == WAIT_OBJECT_0 + 1);
  SetEvent(a.handle);
  SetEvent(b.handle);
  CHECK(WaitForMultipleObjects(2, both, TRUE, INFINITE) == WAIT_OBJECT_0);
  CHECK_FALSE(a.is_set());
  CHECK_FALSE(b.is_set());
  CHECK(WaitForMultipleObjects(0, both, TRUE, 0) == WAIT_FAILED);
}

TEST_CASE("fences: the CPU moves them anywhere at once, and its events are set before it goes on", "[d3d12]") {
  App app;
  const auto fence = app.fence(3);
  CHECK(fence->GetCompletedValue() == 3);
  const Event event;
  REQUIRE(fence->SetEventOnCompletion(5, event.handle) == S_OK);
  CHECK_FALSE(event.is_set());
  CHECK(fence->Signal(UINT64{1} << 60) == S_OK);
  CHECK(event.is_set());
  CHECK(fence->Signal(0) == S_OK);
  CHECK(fence->GetCompletedValue() == 0);
  REQUIRE(fence->SetEventOnCompletion(0, event.handle) == S_OK);  // it is there
  CHECK(event.is_set());
}

TEST_CASE("fences: a queue signals when its work is done", "[d3d12]") {
  App app;
  Recorder copy(app, D3D12_COMMAND_LIST_TYPE_COPY);
  const auto from = app.buffer(1 << 20, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.buffer(1 << 20);
  copy.list->CopyBufferRegion(to.Get(), 0, from.Get(), 0, 1 << 20);
  copy.submit();
  CHECK(copy.fence->GetCompletedValue() == 0);
  const Event event;
  REQUIRE(copy.fence->SetEventOnCompletion(1, event.handle) == S_OK);
  CHECK(WaitForSingleObject(event.handle, INFINITE) == WAIT_OBJECT_0);
  CHECK(copy.fence->GetCompletedValue() == 1);
}

TEST_CASE("fences: polling makes progress, and a queue that waits does not", "[d3d12]") {
  App app;
  Recorder copy(app, D3D12_COMMAND_LIST_TYPE_COPY);
  copy.submit();
  int polls = 0;
  while (copy.fence->GetCompletedValue() < 1 && polls < 1000000) ++polls;
  CHECK(copy.fence->GetCompletedValue() == 1);
  const auto gate = app.fence();
  REQUIRE(copy.queue->Wait(gate.Get(), 1) == S_OK);
  REQUIRE(copy.queue->Signal(copy.fence.Get(), 2) == S_OK);
  for (int i = 0; i < 1000; ++i) CHECK(copy.fence->GetCompletedValue() == 1);
  REQUIRE(gate->Signal(1) == S_OK);
  CHECK(copy.fence->SetEventOnCompletion(2, nullptr) == S_OK);
}

TEST_CASE("fences: a wait counts from when it was queued, even if the fence was rewound since", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto gate = app.fence();
  const auto ticket = app.fence();
  const auto end = app.fence();
  REQUIRE(queue->Wait(gate.Get(), 1) == S_OK);
  REQUIRE(queue->Wait(ticket.Get(), 5) == S_OK);
  REQUIRE(queue->Signal(end.Get(), 1) == S_OK);
  REQUIRE(ticket->Signal(5) == S_OK);
  REQUIRE(ticket->Signal(0) == S_OK);
  CHECK(end->GetCompletedValue() == 0);
  REQUIRE(gate->Signal(1) == S_OK);
  CHECK(end->SetEventOnCompletion(1, nullptr) == S_OK);
}

TEST_CASE("fences: threads wait for a value again after the fence was rewound", "[d3d12]") {
  App app;
  Recorder copy(app, D3D12_COMMAND_LIST_TYPE_COPY);
  const auto from = app.buffer(1 << 20, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.buffer(1 << 20);
  copy.list->CopyBufferRegion(to.Get(), 0, from.Get(), 0, 1 << 20);
  REQUIRE(copy.list->Close() == S_OK);
  ID3D12CommandList* const lists[] = {copy.list.Get()};
  const Event event;
  for (int i = 0; i < 6; ++i) {
    copy.queue->ExecuteCommandLists(1, lists);
    REQUIRE(copy.queue->Signal(copy.fence.Get(), 1) == S_OK);
    REQUIRE(copy.fence->SetEventOnCompletion(1, i % 2 == 0 ? nullptr : event.handle) == S_OK);
    if (i % 2 == 1) CHECK(WaitForSingleObject(event.handle, INFINITE) == WAIT_OBJECT_0);
    CHECK(copy.fence->GetCompletedValue() == 1);
    REQUIRE(copy.fence->Signal(0) == S_OK);
  }
}

TEST_CASE("fences: one is rewound and awaited by others while a thread is on its way out of its wait", "[d3d12]") {
  fenceline::HostThread here;
  here.attach();
  setenv("FENCELINE_MACHINE", "h200", 1);  // where a wait ends 3.2 us after the signal
  ComPtr<ID3D12Device> device;
  REQUIRE(D3D12CreateDevice(nullptr, D3D_FEATURE_LEVEL_11_0, IID_PPV_ARGS(&device)) == S_OK);
  App app(device);
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto gate = app.fence();
  const auto fence = app.fence();
  const auto end = app.fence();
  const Event event;
  for (const UINT64 value : {1, 2}) {
    REQUIRE(queue->Wait(gate.Get(), value) == S_OK);
    REQUIRE(queue->Signal(fence.Get(), 1) == S_OK);
  }
  struct Other {
    fenceline::HostThread self;
    std::thread thread;
  };
  std::list<Other> others;
  const auto later = [&](int ns, std::function<void()> act) {
    Other& other = others.emplace_back();
    other.thread = std::thread([&other, ns, act = std::move(act)] {
      other.self.attach();
      fenceline::HostThread::compute(std::chrono::nanoseconds(ns));
      act();
      other.self.detach();
    });
  };
  UINT64 seen = 0;
  later(20'000, [&] {
    gate->Signal(1);
    fence->Signal(0);
  });
  later(21'550, [&] { fence->SetEventOnCompletion(1, event.handle); });
  later(21'700, [&] { gate->Signal(2); });
  later(25'300, [&] { seen = fence->GetCompletedValue(); });
  REQUIRE(fence->SetEventOnCompletion(1, nullptr) == S_OK);
  REQUIRE(queue->Signal(end.Get(), 1) == S_OK);
  for (Other& other : others) fenceline::HostThread::join(other.thread);
  CHECK(seen == 1);
  CHECK(WaitForSingleObject(event.handle, INFINITE) == WAIT_OBJECT_0);
}

TEST_CASE("fences: a CPU signal does not cancel a pending GPU signal", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  const auto gate = app.fence();
  const auto fence = app.fence(3);
  queue->Wait(gate.Get(), 1);
  queue->Signal(fence.Get(), 10);
  fence->Signal(0);
  CHECK(fence->GetCompletedValue() == 0);
  gate->Signal(1);
  CHECK(fence->SetEventOnCompletion(10, nullptr) == S_OK);
  CHECK(fence->GetCompletedValue() == 10);
}

TEST_CASE("fences: the last release ends all waits", "[d3d12]") {
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto end = app.fence();
  auto gate = app.fence();
  const Event event;
  REQUIRE(gate->SetEventOnCompletion(8, event.handle) == S_OK);
  queue->Wait(gate.Get(), 7);
  queue->Signal(end.Get(), 1);
  CHECK(references(gate.Get()) == 1);
  gate.Reset();
  CHECK(event.is_set());
  CHECK(end->SetEventOnCompletion(1, nullptr) == S_OK);
}

TEST_CASE("fences: one event for any or all of several fences", "[d3d12]") {
  App app;
  ComPtr<ID3D12Device1> device;
  REQUIRE(app.device.As(&device) == S_OK);
  const auto a = app.fence();
  const auto b = app.fence();
  ID3D12Fence* const both[] = {a.Get(), b.Get()};
  const UINT64 values[] = {1, 2};
  const Event any;
  const Event all;
  const auto on = [&](D3D12_MULTIPLE_FENCE_WAIT_FLAGS flags, HANDLE event) {
    return device->SetEventOnMultipleFenceCompletion(both, values, 2, flags, event);
  };
  REQUIRE(on(D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY, any.handle) == S_OK);
  REQUIRE(on(D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, all.handle) == S_OK);
  b->Signal(2);
  CHECK(any.is_set());
  CHECK_FALSE(all.is_set());
  a->Signal(1);
  CHECK_FALSE(any.is_set());  // once
  CHECK(all.is_set());
  CHECK(on(D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, nullptr) == S_OK);
  CHECK(on(static_cast<D3D12_MULTIPLE_FENCE_WAIT_FLAGS>(2), nullptr) == E_INVALIDARG);
  CHECK(device->SetEventOnMultipleFenceCompletion(both, values, 0, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, nullptr) ==
        E_INVALIDARG);
}

TEST_CASE("fences: a thread that nothing can wake is told so", "[d3d12]") {
  App app;
  const auto fence = app.fence();
  CHECK(fence->SetEventOnCompletion(1, nullptr) == E_FAIL);
  const Event event;
  CHECK(WaitForSingleObject(event.handle, INFINITE) == WAIT_FAILED);
}
