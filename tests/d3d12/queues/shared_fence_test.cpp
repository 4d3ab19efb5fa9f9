// SPDX-License-Identifier: Apache-2.0
// Fences shared between devices, each a machine of its own: one value, in one simulated time. Written from D3D12's
// documentation of shared and cross-adapter fences and of the rules for fences.
#include "tests/d3d12/adapters.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// When the queue's signal of that value took place; its device has only that one.
std::uint64_t signal_ps(const Side& side, std::uint64_t value) {
  for (const Side::Packet& one : side.of(PacketType::signal)) {
    if (one.value == value) return one.completed_ps;
  }
  FAIL("no signal of " << value);
  return 0;
}

std::uint64_t wait_ps(const Side& side, std::uint64_t value) {
  for (const Side::Packet& one : side.of(PacketType::wait)) {
    if (one.value == value) return one.completed_ps;
  }
  FAIL("no wait for " << value);
  return 0;
}

}  // namespace

TEST_CASE("shared fence: each device opens an object of its own, and the CPU moves them all at once", "[d3d12]") {
  const std::size_t count = GENERATE(2, 3, 5);
  std::vector<std::unique_ptr<Side>> sides;
  std::vector<ComPtr<ID3D12Fence>> fences;
  for (std::size_t i = 0; i < count; ++i) {
    sides.push_back(std::make_unique<Side>("tiny"));
    fences.push_back(i == 0 ? sides[0]->shared_fence(7) : sides[i]->opened(fences[i - 1]));
  }
  for (std::size_t i = 0; i < count; ++i) {
    CAPTURE(i);
    ComPtr<ID3D12Device> of;
    REQUIRE(fences[i]->GetDevice(IID_PPV_ARGS(&of)) == S_OK);
    CHECK(of.Get() == sides[i]->device.Get());
    CHECK(std::count_if(fences.begin(), fences.end(), [&](const auto& one) { return one.Get() == fences[i].Get(); }) ==
          1);
    CHECK(fences[i]->GetCompletedValue() == 7);
    CHECK(references(fences[i].Get()) == 1);
  }
  const std::array<UINT64, 4> values = {9, 100, 3, highest_value - 1};
  for (std::size_t i = 0; i < values.size(); ++i) {
    REQUIRE(fences[i % count]->Signal(values[i]) == S_OK);
    for (const auto& fence : fences) CHECK(fence->GetCompletedValue() == values[i]);
  }
  // One of them goes: the others stay as they are.
  fences[0].Reset();
  CHECK(fences[1]->GetCompletedValue() == highest_value - 1);
  CHECK(fences[1]->Signal(4) == S_OK);
  CHECK(fences.back()->GetCompletedValue() == 4);
}

TEST_CASE("shared fence: a queue goes on after the other adapter's signal, and no sooner", "[d3d12]") {
  struct Shape {
    const char* first;
    const char* second;
    UINT64 bytes;
    D3D12_FENCE_FLAGS flags;
  };
  constexpr auto both = D3D12_FENCE_FLAG_SHARED | D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER;
  const Shape shape = GENERATE(Shape{"tiny", "tiny", 1 * mib, both}, Shape{"h200", "rtx_4090", 256 * mib, both},
                               Shape{"rtx_4090", "h200", 4096, D3D12_FENCE_FLAG_SHARED},
                               Shape{"h200", "h200", 64 * mib, D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER});
  const bool waiter_first = GENERATE(false, true);
  const bool waiter_is_older = GENERATE(false, true);
  CAPTURE(shape.first, shape.second, shape.bytes, waiter_first, waiter_is_older);
  std::unique_ptr<Side> a;
  std::unique_ptr<Side> b;
  if (waiter_is_older) b = std::make_unique<Side>(shape.second);
  a = std::make_unique<Side>(shape.first);
  if (!waiter_is_older) b = std::make_unique<Side>(shape.second);
  const auto fence_a = a->shared_fence(0, shape.flags);
  const auto fence_b = b->opened(fence_a);
  auto slow = a->copier(shape.bytes);
  auto quick = b->copier(256);
  const auto done = b->fence();
  const auto produce = [&] {
    slow.execute();
    REQUIRE(slow.queue->Signal(fence_a.Get(), 1) == S_OK);
  };
  const auto consume = [&] {
    REQUIRE(quick.queue->Wait(fence_b.Get(), 1) == S_OK);
    quick.execute();
    REQUIRE(quick.queue->Signal(done.Get(), 1) == S_OK);
  };
  waiter_first ? consume() : produce();
  waiter_first ? produce() : consume();
  // The thread waits for the second adapter alone.
  REQUIRE(done->SetEventOnCompletion(1, nullptr) == S_OK);
  const std::uint64_t signalled_ps = signal_ps(*a, 1);
  REQUIRE(a->of(PacketType::render).size() == 1);
  CHECK(signalled_ps >= a->of(PacketType::render)[0].completed_ps);
  REQUIRE(b->of(PacketType::render).size() == 1);
  const std::uint64_t started_ps = b->of(PacketType::render)[0].started_ps;
  CHECK(wait_ps(*b, 1) >= signalled_ps);
  CHECK(started_ps >= signalled_ps);
  // The operating system's interrupt and what it takes to begin: well below 100 us on all of these machines.
  CHECK(started_ps - signalled_ps < 100'000'000);
  // The clock of the thread is past all that.
  UINT64 gpu = 0;
  UINT64 cpu = 0;
  REQUIRE(quick.queue->GetClockCalibration(&gpu, &cpu) == S_OK);
  CHECK(b->now_ps() >= started_ps);
  CHECK(fence_a->GetCompletedValue() == 1);
}

TEST_CASE("shared fence: a chain of adapters works one after the other, each waiting for the one before", "[d3d12]") {
  const std::size_t count = GENERATE(2, 3, 4);
  const int rounds = GENERATE(1, 5);
  std::vector<std::unique_ptr<Side>> sides;
  std::vector<ComPtr<ID3D12Fence>> fences;
  std::vector<Side::Copier> work;
  for (std::size_t i = 0; i < count; ++i) {
    sides.push_back(std::make_unique<Side>(i % 2 == 0 ? "tiny" : "h200"));
    fences.push_back(i == 0 ? sides[0]->shared_fence() : sides[i]->opened(fences[0]));
    work.push_back(sides[i]->copier((i + 1) * mib));
  }
  // Values 1, 2, 3, ... go round; submitted in reverse, so that every queue waits at first.
  for (std::size_t i = count; i-- > 0;) {
    for (int round = 0; round < rounds; ++round) {
      const UINT64 value = static_cast<UINT64>(round) * count + i;
      REQUIRE(work[i].queue->Wait(fences[i].Get(), value) == S_OK);
      work[i].execute();
      REQUIRE(work[i].queue->Signal(fences[i].Get(), value + 1) == S_OK);
    }
  }
  const UINT64 last = static_cast<UINT64>(rounds) * count;
  REQUIRE(fences[0]->SetEventOnCompletion(last, nullptr) == S_OK);
  std::uint64_t before_ps = 0;
  for (UINT64 value = 0; value < last; ++value) {
    const Side& side = *sides[value % count];
    const auto run = side.of(PacketType::render).at(value / count);
    CAPTURE(value, count);
    CHECK(run.started_ps >= before_ps);
    before_ps = signal_ps(side, value + 1);
    CHECK(before_ps >= run.completed_ps);
  }
}

TEST_CASE("shared fence: a thread waits by either object, with an event, without one, and for several", "[d3d12]") {
  Side a("tiny");
  Side b("h200");
  const auto fence_a = a.shared_fence();
  const auto fence_b = b.opened(fence_a);
  auto copy_a = a.copier(16 * mib);
  auto copy_b = b.copier(16 * mib);
  const HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  SECTION("with an event of the other device's object") {
    REQUIRE(fence_b->SetEventOnCompletion(1, event) == S_OK);
    copy_a.execute();
    REQUIRE(copy_a.queue->Signal(fence_a.Get(), 1) == S_OK);
    CHECK(WaitForSingleObject(event, 0) == WAIT_TIMEOUT);
    CHECK(WaitForSingleObject(event, INFINITE) == WAIT_OBJECT_0);
    b.fence()->GetCompletedValue();
    CHECK(b.now_ps() >= signal_ps(a, 1));
  }
  SECTION("polling the other device's object") {
    copy_b.execute();
    REQUIRE(copy_b.queue->Signal(fence_b.Get(), 5) == S_OK);
    // On tiny a call takes no time, so that polling alone would not get anywhere.
    while (fence_a->GetCompletedValue() < 5) Sleep(1);
    CHECK(fence_a->GetCompletedValue() == 5);
  }
  SECTION("by several fences of one device, one of them shared") {
    const auto own = b.fence();
    std::array<ID3D12Fence*, 2> both = {own.Get(), fence_b.Get()};
    const std::array<UINT64, 2> values = {1, 1};
    ComPtr<ID3D12Device1> device;
    REQUIRE(b.device.As(&device) == S_OK);
    copy_a.execute();
    REQUIRE(copy_a.queue->Signal(fence_a.Get(), 1) == S_OK);
    copy_b.execute();
    REQUIRE(copy_b.queue->Signal(own.Get(), 1) == S_OK);
    REQUIRE(device->SetEventOnMultipleFenceCompletion(both.data(), values.data(), 2,
                                                      D3D12_MULTIPLE_FENCE_WAIT_FLAG_NONE, nullptr) == S_OK);
    CHECK(b.now_ps() >= std::max(signal_ps(a, 1), signal_ps(b, 1)));
  }
  CloseHandle(event);
}

TEST_CASE("shared fence: values may go down and up again, on whichever adapter", "[d3d12]") {
  Side a("tiny");
  Side b("tiny");
  const auto fence_a = a.shared_fence();
  const auto fence_b = b.opened(fence_a);
  auto work = a.copier(mib);
  auto waits = b.copier(mib);
  auto later = b.copier(mib);
  const auto done = b.fence();
  REQUIRE(waits.queue->Wait(fence_b.Get(), 5) == S_OK);
  REQUIRE(waits.queue->Signal(done.Get(), 1) == S_OK);
  work.execute();
  REQUIRE(work.queue->Signal(fence_a.Get(), 10) == S_OK);
  work.execute();
  REQUIRE(work.queue->Signal(fence_a.Get(), 3) == S_OK);
  while (fence_b->GetCompletedValue() != 3) Sleep(1);
  // Who waited was let through by 10; who comes now waits for the next signal.
  CHECK(done->GetCompletedValue() == 1);
  REQUIRE(later.queue->Wait(fence_b.Get(), 5) == S_OK);
  REQUIRE(later.queue->Signal(done.Get(), 2) == S_OK);
  Sleep(10);
  CHECK(done->GetCompletedValue() == 1);
  SECTION("from the other adapter's CPU object") { REQUIRE(fence_a->Signal(5) == S_OK); }
  SECTION("from its own") { REQUIRE(fence_b->Signal(6) == S_OK); }
  SECTION("from the other adapter's queue") { REQUIRE(work.queue->Signal(fence_a.Get(), highest_value - 1) == S_OK); }
  REQUIRE(done->SetEventOnCompletion(2, nullptr) == S_OK);
  CHECK(done->GetCompletedValue() == 2);
}

TEST_CASE("shared fence: two adapters' signals of one moment leave one value on both", "[d3d12]") {
  Side a("tiny");
  Side b("tiny");
  const auto fence_a = a.shared_fence();
  const auto fence_b = b.opened(fence_a);
  const auto start_a = a.shared_fence();
  const auto start_b = b.opened(start_a);
  const auto queue_a = a.queue(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto queue_b = b.queue(D3D12_COMMAND_LIST_TYPE_COPY);
  for (UINT64 round = 1; round <= 50; ++round) {
    REQUIRE(queue_a->Wait(start_a.Get(), round) == S_OK);
    REQUIRE(queue_b->Wait(start_b.Get(), round) == S_OK);
    REQUIRE(queue_a->Signal(fence_a.Get(), 2 * round) == S_OK);
    REQUIRE(queue_b->Signal(fence_b.Get(), 2 * round + 1) == S_OK);
    REQUIRE(start_a->Signal(round) == S_OK);
    Sleep(1);
    CAPTURE(round);
    CHECK(fence_a->GetCompletedValue() == fence_b->GetCompletedValue());
    CHECK((fence_a->GetCompletedValue() == 2 * round || fence_a->GetCompletedValue() == 2 * round + 1));
  }
}

TEST_CASE("shared fence: by handle and by name, with what is wrong refused", "[d3d12]") {
  Side a("tiny");
  Side b("tiny");
  const auto fence = a.shared_fence(11);
  HANDLE handle = nullptr;
  REQUIRE(a.device->CreateSharedHandle(fence.Get(), nullptr, 0x10000000, L"pace", &handle) == S_OK);
  CHECK(references(fence.Get()) == 1);  // a handle keeps what is shared, not the object
  const auto other = a.shared_fence();
  HANDLE second = nullptr;
  // DXGI_ERROR_NAME_ALREADY_EXISTS: names are of all objects; case counts.
  CHECK(a.device->CreateSharedHandle(other.Get(), nullptr, 0x10000000, L"pace", &second) ==
        static_cast<HRESULT>(0x887A002C));
  CHECK(second == nullptr);
  REQUIRE(a.device->CreateSharedHandle(other.Get(), nullptr, 0x10000000, L"Pace", &second) == S_OK);
  // Another device's object is not this device's to share.
  HANDLE wrong = nullptr;
  CHECK(b.device->CreateSharedHandle(other.Get(), nullptr, 0x10000000, nullptr, &wrong) == E_INVALIDARG);
  CHECK(a.device->CreateSharedHandle(a.fence().Get(), nullptr, 0x10000000, nullptr, &wrong) == E_INVALIDARG);
  CHECK(a.device->CreateSharedHandle(a.queue(D3D12_COMMAND_LIST_TYPE_COPY).Get(), nullptr, 0x10000000, nullptr,
                                     &wrong) == E_INVALIDARG);
  HANDLE named = nullptr;
  REQUIRE(b.device->OpenSharedHandleByName(L"pace", 0x10000000, &named) == S_OK);
  CHECK(named != handle);
  CHECK(CloseHandle(handle) == TRUE);
  ComPtr<ID3D12Fence> opened;
  CHECK(b.device->OpenSharedHandle(handle, IID_PPV_ARGS(&opened)) == E_INVALIDARG);
  ComPtr<ID3D12Heap> heap;
  CHECK(b.device->OpenSharedHandle(named, IID_PPV_ARGS(&heap)) == E_NOINTERFACE);
  CHECK(heap == nullptr);
  REQUIRE(b.device->OpenSharedHandle(named, IID_PPV_ARGS(&opened)) == S_OK);
  CHECK(opened->GetCompletedValue() == 11);
  ComPtr<ID3D12Fence1> newer;
  REQUIRE(opened.As(&newer) == S_OK);
  CHECK(newer->GetCreationFlags() == (D3D12_FENCE_FLAG_SHARED | D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER));
  // What is shared outlives its objects, as long as there is a handle.
  REQUIRE(opened->Signal(12) == S_OK);
  opened.Reset();
  newer.Reset();
  REQUIRE(b.device->OpenSharedHandle(named, IID_PPV_ARGS(&opened)) == S_OK);
  CHECK(opened->GetCompletedValue() == 12);
  CHECK(fence->GetCompletedValue() == 12);
  CHECK(CloseHandle(named) == TRUE);
  CHECK(CloseHandle(second) == TRUE);
  CHECK(b.device->OpenSharedHandleByName(L"pace", 0x10000000, &named) == E_INVALIDARG);
}

TEST_CASE("shared fence: another device's object is refused, and nothing happens", "[d3d12]") {
  Side a("tiny");
  Side b("tiny");
  const auto theirs = a.shared_fence(1);
  const auto plain = a.fence(1);
  const auto queue = b.queue(D3D12_COMMAND_LIST_TYPE_DIRECT);
  for (ID3D12Fence* fence : {theirs.Get(), plain.Get()}) {
    CHECK(queue->Signal(fence, 5) == E_INVALIDARG);
    CHECK(queue->Wait(fence, 5) == E_INVALIDARG);
    ComPtr<ID3D12Device1> device;
    REQUIRE(b.device.As(&device) == S_OK);
    const UINT64 value = 5;
    CHECK(device->SetEventOnMultipleFenceCompletion(&fence, &value, 1, D3D12_MULTIPLE_FENCE_WAIT_FLAG_NONE, nullptr) ==
          E_INVALIDARG);
    CHECK(fence->GetCompletedValue() == 1);
  }
  CHECK(b.device->GetDeviceRemovedReason() == S_OK);
}
