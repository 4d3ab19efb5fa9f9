// SPDX-License-Identifier: Apache-2.0
// What brings accesses of two queues in order: for the debug layer these are no hazards.
#include "tests/d3d12/hazards/hazard_program.hpp"
#include "tests/d3d12/queues/timeline.hpp"

#include <poll.h>

using namespace fenceline::testing;

namespace {

/// Ways by which what `second` does comes after what `first` has done.
struct Order {
  const char* name;
  std::function<void(HazardProgram&)> make;
};

const Order orders[] = {
    {"a queue's wait",
     [](HazardProgram& app) {
       app.one.signal();
       app.two.wait(app.one);
     }},
    {"a queue's wait that was submitted first",
     [](HazardProgram& app) {
       REQUIRE(app.two.queue->Wait(app.one.fence.Get(), app.one.value + 1) == S_OK);
       app.one.signal();
     }},
    {"a wait for more than it needs",
     [](HazardProgram& app) {
       app.one.signal();
       app.one.signal();
       app.two.wait(app.one);
     }},
    {"a chain over two more queues",
     [](HazardProgram& app) {
       app.one.signal();
       app.direct.wait(app.one);
       app.direct.signal();
       app.compute.wait(app.direct);
       app.compute.signal();
       app.two.wait(app.compute);
     }},
    {"the CPU that blocks", [](HazardProgram& app) { app.one.finish(); }},
    {"an event",
     [](HazardProgram& app) {
       HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
       REQUIRE(app.one.fence->SetEventOnCompletion(app.one.signal(), event) == S_OK);
       REQUIRE(WaitForSingleObject(event, INFINITE) == WAIT_OBJECT_0);
       CloseHandle(event);
     }},
    {"an event whose descriptor is polled",
     [](HazardProgram& app) {
       HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
       REQUIRE(app.one.fence->SetEventOnCompletion(app.one.signal(), event) == S_OK);
       pollfd poll_of{static_cast<int>(reinterpret_cast<std::intptr_t>(event)), POLLIN, 0};
       while (poll(&poll_of, 1, 0) == 0) {
         Sleep(1);
         app.direct.fence->GetCompletedValue();
       }
       CloseHandle(event);
     }},
    {"polling",
     [](HazardProgram& app) {
       const UINT64 value = app.one.signal();
       while (app.one.fence->GetCompletedValue() < value) {
       }
     }},
    {"an event of several fences",
     [](HazardProgram& app) {
       app.one.signal();
       app.direct.signal();
       ID3D12Fence* const fences[] = {app.direct.fence.Get(), app.one.fence.Get()};
       const UINT64 values[] = {app.direct.value, app.one.value};
       ComPtr<ID3D12Device1> device;
       REQUIRE(app.device.As(&device) == S_OK);
       REQUIRE(device->SetEventOnMultipleFenceCompletion(fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL,
                                                         nullptr) == S_OK);
     }},
    {"an event of one of several fences",
     [](HazardProgram& app) {
       app.one.signal();
       ID3D12Fence* const fences[] = {app.direct.fence.Get(), app.one.fence.Get()};
       const UINT64 values[] = {app.direct.value + 100, app.one.value};
       ComPtr<ID3D12Device1> device;
       REQUIRE(app.device.As(&device) == S_OK);
       REQUIRE(device->SetEventOnMultipleFenceCompletion(fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY,
                                                         nullptr) == S_OK);
     }},
    {"the CPU, which signals a fence for which the queue waits already",
     [](HazardProgram& app) {
       const auto go = app.kept_fence();
       app.two.queue->Wait(go.Get(), 1);
       app.one.finish();
       REQUIRE(go->Signal(1) == S_OK);
       Sleep(1);
     }},
    {"a fence that the CPU has set back, and that is reached again",
     [](HazardProgram& app) {
       const auto fence = app.kept_fence(7);
       REQUIRE(fence->Signal(0) == S_OK);
       app.one.queue->Signal(fence.Get(), 5);
       app.two.queue->Wait(fence.Get(), 5);
       Sleep(1);
     }},
    {"a wait that counts though the fence was set back before the queue came to it",
     [](HazardProgram& app) {
       const auto fence = app.kept_fence();
       const auto gate = app.kept_fence();
       app.one.queue->Signal(fence.Get(), 5);
       app.two.queue->Wait(gate.Get(), 1);
       app.two.queue->Wait(fence.Get(), 5);
       Sleep(1);
       REQUIRE(fence->Signal(0) == S_OK);
       REQUIRE(gate->Signal(1) == S_OK);
       Sleep(1);
     }},
    {"the end of a fence, by its last reference",
     [](HazardProgram& app) {
       const auto value = app.one.signal();
       app.two.wait(app.one);
       while (app.one.fence->GetCompletedValue() < value) {
       }
       app.one.fence = app.fence();
       app.one.value = 0;
     }},
};

}  // namespace

TEST_CASE("hazards: whatever brings two queues in order is enough", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", hazard_bytes);
  const auto back = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_READBACK);
  for (const Order& order : orders) {
    INFO(order.name);
    app.one.execute("write", app.copy(shared, from, hazard_bytes));
    order.make(app);
    app.two.execute("read", app.copy(back, shared, hazard_bytes));
    CHECK(app.hazards().empty());
  }
  app.one.execute("write", app.copy(shared, from, hazard_bytes));
  app.two.execute("read", app.copy(back, shared, hazard_bytes));
  CHECK(app.hazards().size() == 1);  // none of them hides the next
}

TEST_CASE("hazards: what a fence says is not more than its signaller knew", "[d3d12][hazards]") {
  HazardProgram app;
  const auto from = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_UPLOAD);
  const auto shared = app.named_buffer("shared", hazard_bytes);
  const auto back = app.buffer(hazard_bytes, D3D12_HEAP_TYPE_READBACK);
  SECTION("a signal before the write") {
    app.one.signal();
    app.one.execute("write", app.copy(shared, from, hazard_bytes));
    app.two.wait(app.one);
  }
  SECTION("a wait of another queue") {
    app.one.execute("write", app.copy(shared, from, hazard_bytes));
    app.one.signal();
    app.direct.wait(app.one);
  }
  SECTION("a signal of the CPU, which has not looked") {
    const auto fence = app.fence();
    app.one.execute("write", app.copy(shared, from, hazard_bytes));
    app.one.signal();
    app.two.queue->Wait(fence.Get(), 1);
    Sleep(10);
    REQUIRE(fence->Signal(1) == S_OK);
  }
  SECTION("a look at it too early") {
    app.one.execute("write", app.copy(shared, from, hazard_bytes));
    const UINT64 value = app.one.signal();
    CHECK(app.one.fence->GetCompletedValue() < value);
  }
  SECTION("an initial value") {
    const auto fence = app.fence(5);
    app.one.execute("write", app.copy(shared, from, hazard_bytes));
    app.one.queue->Signal(fence.Get(), 6);
    Sleep(10);
    app.two.queue->Wait(fence.Get(), 4);
  }
  app.two.execute("read", app.copy(back, shared, hazard_bytes));
  CHECK(app.hazards().size() == 1);
}
