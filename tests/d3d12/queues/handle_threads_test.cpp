// SPDX-License-Identifier: Apache-2.0
// Handles made, shared and closed by several threads at a time; and what waits when a device is removed.
#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/queues/crew.hpp"

#include <array>
#include <atomic>
#include <limits>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("events: threads make, set, wait for and close events of both kinds at a time", "[d3d12]") {
  const std::size_t threads = GENERATE(2, 4, 8);
  const App app;
  std::atomic<int> wrong{0};
  Crew::run(threads, [&](std::size_t self) {
    for (int i = 0; i < 2000; ++i) {
      const bool manual = (static_cast<std::size_t>(i) + self) % 2 == 0;
      const HANDLE event = CreateEvent(nullptr, manual ? TRUE : FALSE, FALSE, nullptr);
      const bool good = event != nullptr && SetEvent(event) == TRUE && WaitForSingleObject(event, 0) == WAIT_OBJECT_0 &&
                        WaitForSingleObject(event, 0) == (manual ? WAIT_OBJECT_0 : WAIT_TIMEOUT) &&
                        CloseHandle(event) == TRUE;
      if (!good) ++wrong;
    }
  });
  CHECK(wrong == 0);
}

TEST_CASE("shared handles: threads make, open and close them at a time", "[d3d12]") {
  const std::size_t threads = GENERATE(2, 4);
  Side a("tiny");
  Side b("tiny");
  std::atomic<int> wrong{0};
  std::atomic<HANDLE> current{nullptr};
  constexpr int rounds = 1000;
  Crew::run(threads, [&](std::size_t self) {
    for (int i = 0; i < rounds; ++i) {
      if (self == 0) {
        // The first one makes fences, of which nothing but the handle is left, and closes that.
        ComPtr<ID3D12Fence> fence;
        HANDLE handle = nullptr;
        if (a.device->CreateFence(42, D3D12_FENCE_FLAG_SHARED, IID_PPV_ARGS(&fence)) != S_OK) ++wrong;
        // The name may still be another thread's handle's.
        constexpr auto name_already_exists = static_cast<HRESULT>(0x887A002C);
        const HRESULT shared = a.device->CreateSharedHandle(fence.Get(), nullptr, 0x10000000, L"the fence", &handle);
        if (shared != S_OK && shared != name_already_exists) ++wrong;
        if (shared != S_OK) continue;
        fence.Reset();
        current = handle;
        std::this_thread::yield();
        current = nullptr;
        if (CloseHandle(handle) != TRUE) ++wrong;
      } else {
        // The others open whatever they find: it is there, or it is not.
        ComPtr<ID3D12Fence> fence;
        HANDLE handle = nullptr;
        const auto& device = self % 2 == 0 ? a.device : b.device;
        const bool by_name = i % 2 == 0;
        const HRESULT found = by_name ? device->OpenSharedHandleByName(L"the fence", 0x10000000, &handle) : S_OK;
        if (found != S_OK && found != E_INVALIDARG) ++wrong;
        const HRESULT result = device->OpenSharedHandle(by_name ? handle : current.load(), IID_PPV_ARGS(&fence));
        if (result == S_OK ? fence->GetCompletedValue() != 42 : result != E_INVALIDARG) ++wrong;
        if (handle != nullptr && CloseHandle(handle) != TRUE) ++wrong;
      }
    }
  });
  CHECK(wrong == 0);
  HANDLE left = nullptr;
  CHECK(a.device->OpenSharedHandleByName(L"the fence", 0x10000000, &left) == E_INVALIDARG);
}

TEST_CASE("removed device: a signal that was pending does not lower a fence again", "[d3d12]") {
  Side a("tiny");
  const auto fence = a.fence();
  auto work = a.copier(64 * mib);
  auto second = a.copier(64 * mib, D3D12_COMMAND_LIST_TYPE_COMPUTE);
  work.execute();
  REQUIRE(work.queue->Signal(fence.Get(), 5) == S_OK);
  SECTION("of a queue that works") {}
  SECTION("of a queue that waits for another") {
    second.execute();
    REQUIRE(second.queue->Wait(fence.Get(), 5) == S_OK);
    REQUIRE(second.queue->Signal(fence.Get(), 6) == S_OK);
  }
  SECTION("a rewind") { REQUIRE(work.queue->Signal(fence.Get(), 0) == S_OK); }
  a.remove();
  constexpr UINT64 highest = std::numeric_limits<UINT64>::max();
  CHECK(fence->GetCompletedValue() == highest);
  // The pending signals' time passes.
  Sleep(1000);
  CHECK(fence->GetCompletedValue() == highest);
  const HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  REQUIRE(fence->SetEventOnCompletion(7, event) == S_OK);
  CHECK(WaitForSingleObject(event, INFINITE) == WAIT_OBJECT_0);
  REQUIRE(fence->SetEventOnCompletion(highest, event) == S_OK);
  CHECK(WaitForSingleObject(event, INFINITE) == WAIT_OBJECT_0);
  CHECK(fence->SetEventOnCompletion(8, nullptr) == S_OK);
  ComPtr<ID3D12Device1> device;
  REQUIRE(a.device.As(&device) == S_OK);
  ID3D12Fence* const fences[] = {fence.Get()};
  const UINT64 values[] = {100};
  CHECK(device->SetEventOnMultipleFenceCompletion(fences, values, 1, D3D12_MULTIPLE_FENCE_WAIT_FLAG_NONE, nullptr) ==
        S_OK);
  CloseHandle(event);
}

TEST_CASE("removed device: a fence that no call has seen before the removal has ended, too", "[d3d12]") {
  Side a("tiny");
  const auto fence = a.fence(3);
  a.remove();
  const HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  REQUIRE(fence->SetEventOnCompletion(7, event) == S_OK);
  CHECK(WaitForSingleObject(event, INFINITE) == WAIT_OBJECT_0);
  CloseHandle(event);
}
