// SPDX-License-Identifier: Apache-2.0
// What a device knows of fences and queues that the program has released: nothing.
#include "api/d3d12/event.hpp"
#include "tests/d3d12/app.hpp"
#include "tests/support/resident_memory.hpp"

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>

using namespace fenceline::testing;

namespace {

/// An application whose machine keeps no books of what it does.
struct UncheckedApp {
  UncheckedApp() {
    setenv("FENCELINE_CHECK_INVARIANTS", "0", 1);
    app.emplace();
    setenv("FENCELINE_CHECK_INVARIANTS", "1", 1);
  }
  App* operator->() { return &*app; }
  std::optional<App> app;
};

/// Bytes by which the process grows with each call.
std::uint64_t growth(int calls, const std::function<void()>& call) {
  for (int i = 0; i < calls / 4; ++i) call();  // the heap finds its size
  const std::uint64_t before = resident_bytes();
  for (int i = 0; i < calls; ++i) call();
  const std::uint64_t after = resident_bytes();
  if (sanitized || after < before) return 0;
  return (after - before) / static_cast<std::uint64_t>(calls);
}

}  // namespace

TEST_CASE("released: fences leave nothing in their device", "[d3d12]") {
  UncheckedApp app;
  CHECK(growth(40'000, [&] { app->fence(); }) <= 4);
}

TEST_CASE("released: nor do fences that the CPU and a queue have moved and waited for", "[d3d12]") {
  UncheckedApp app;
  const auto queue = app->queue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  const HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  const auto use_one = [&] {
    const auto fence = app->fence();
    REQUIRE(queue->Signal(fence.Get(), 1) == S_OK);
    REQUIRE(fence->SetEventOnCompletion(1, event) == S_OK);
    REQUIRE(WaitForSingleObject(event, INFINITE) == WAIT_OBJECT_0);
    REQUIRE(queue->Wait(fence.Get(), 2) == S_OK);
    REQUIRE(fence->Signal(2) == S_OK);
    REQUIRE(queue->Signal(fence.Get(), 3) == S_OK);  // under way when the fence is released
  };
  CHECK(growth(20'000, use_one) <= 4);
  CloseHandle(event);
}

TEST_CASE("released: queues leave nothing in their device, used or not", "[d3d12]") {
  UncheckedApp app;
  CHECK(growth(20'000, [&] { app->queue(D3D12_COMMAND_LIST_TYPE_COPY); }) <= 4);
  const auto into = app->allocator(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  const auto list = app->list(into.Get(), D3D12_COMMAND_LIST_TYPE_COMPUTE);
  REQUIRE(list->Close() == S_OK);
  ID3D12CommandList* const lists[] = {list.Get()};
  const auto fence = app->fence();
  UINT64 value = 0;
  const auto use_one = [&] {
    const auto queue = app->queue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
    queue->ExecuteCommandLists(1, lists);
    REQUIRE(queue->Signal(fence.Get(), ++value) == S_OK);
    REQUIRE(fence->SetEventOnCompletion(value, nullptr) == S_OK);
  };
  CHECK(growth(10'000, use_one) <= 4);
}

TEST_CASE("released: a queue does what it was given to do after its last Release", "[d3d12]") {
  App app;
  auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  const auto gate = app.fence();
  const auto done = app.fence();
  REQUIRE(queue->Wait(gate.Get(), 1) == S_OK);
  REQUIRE(queue->Signal(done.Get(), 7) == S_OK);
  queue.Reset();
  CHECK(done->GetCompletedValue() == 0);
  REQUIRE(gate->Signal(1) == S_OK);
  REQUIRE(done->SetEventOnCompletion(7, nullptr) == S_OK);
  CHECK(done->GetCompletedValue() == 7);
}

TEST_CASE("released: a wait for all ends when one of its fences is released and the others get there", "[d3d12]") {
  App app;
  ComPtr<ID3D12Device1> device;
  REQUIRE(app.device.As(&device) == S_OK);
  auto first = app.fence();
  const auto second = app.fence();
  const HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  ID3D12Fence* const fences[] = {first.Get(), second.Get()};
  const UINT64 values[] = {5, 5};
  REQUIRE(device->SetEventOnMultipleFenceCompletion(fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_NONE, event) ==
          S_OK);
  first.Reset();
  CHECK(WaitForSingleObject(event, 0) == WAIT_TIMEOUT);
  REQUIRE(second->Signal(5) == S_OK);
  CHECK(WaitForSingleObject(event, 0) == WAIT_OBJECT_0);
  CloseHandle(event);
}
