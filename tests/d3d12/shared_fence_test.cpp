// SPDX-License-Identifier: Apache-2.0
// Fences shared between devices, each a machine of its own: one value, in one simulated time. Written from D3D12's
// documentation of shared and cross-adapter fences and of the rules for fences.
#include "api/d3d12/host_thread.hpp"
#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/crew.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr UINT64 highest = std::numeric_limits<UINT64>::max();

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

std::vector<std::uint64_t> times(const Side& side) {
  std::vector<std::uint64_t> all;
  for (const Side::Packet& one : side.packets) all.insert(all.end(), {one.started_ps, one.completed_ps});
  return all;
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
  const std::array<UINT64, 4> values = {9, 100, 3, highest - 1};
  for (std::size_t i = 0; i < values.size(); ++i) {
    REQUIRE(fences[i % count]->Signal(values[i]) == S_OK);
    for (const auto& fence : fences) CHECK(fence->GetCompletedValue() == values[i]);
  }
  // One of them goes: the others stay as they are.
  fences[0].Reset();
  CHECK(fences[1]->GetCompletedValue() == highest - 1);
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
  SECTION("from the other adapter's queue") { REQUIRE(work.queue->Signal(fence_a.Get(), highest - 1) == S_OK); }
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

TEST_CASE("shared fence: a removed device's object ends for good, the others' stand and go on", "[d3d12]") {
  Side a("tiny");
  Side b("tiny");
  const bool origin_goes = GENERATE(true, false);
  Side& gone = origin_goes ? a : b;
  Side& left = origin_goes ? b : a;
  const auto fence_a = a.shared_fence(2);
  const auto fence_b = b.opened(fence_a);
  const auto& gone_fence = origin_goes ? fence_a : fence_b;
  const auto& left_fence = origin_goes ? fence_b : fence_a;
  auto pending = gone.copier(64 * mib);
  auto waiting = gone.copier(4096);
  pending.execute();
  REQUIRE(pending.queue->Signal(gone_fence.Get(), 5) == S_OK);
  REQUIRE(waiting.queue->Wait(gone_fence.Get(), 1000) == S_OK);
  gone.remove();
  CHECK(gone_fence->GetCompletedValue() == highest);
  CHECK(left_fence->GetCompletedValue() == 2);
  REQUIRE(left_fence->SetEventOnCompletion(2, nullptr) == S_OK);
  // What was on its way neither lowers the one nor moves the other.
  Sleep(1000);
  CHECK(gone_fence->GetCompletedValue() == highest);
  CHECK(left_fence->GetCompletedValue() == 2);
  CHECK(left_fence->Signal(7) == S_OK);
  CHECK(left_fence->GetCompletedValue() == 7);
  CHECK(gone_fence->GetCompletedValue() == highest);
  CHECK(gone_fence->Signal(8) == DXGI_ERROR_DEVICE_REMOVED);
  CHECK(left_fence->GetCompletedValue() == 7);
  auto work = left.copier(4096);
  REQUIRE(work.queue->Wait(left_fence.Get(), 7) == S_OK);
  REQUIRE(work.queue->Signal(left_fence.Get(), 9) == S_OK);
  REQUIRE(left_fence->SetEventOnCompletion(9, nullptr) == S_OK);
  CHECK(left_fence->GetCompletedValue() == 9);
  // Nothing can be shared with it any more.
  HANDLE handle = nullptr;
  REQUIRE(left.device->CreateSharedHandle(left_fence.Get(), nullptr, 0x10000000, nullptr, &handle) == S_OK);
  ComPtr<ID3D12Fence> again;
  CHECK(gone.device->OpenSharedHandle(handle, IID_PPV_ARGS(&again)) == DXGI_ERROR_DEVICE_REMOVED);
  CHECK(CloseHandle(handle) == TRUE);
}

TEST_CASE("shared fence: a device and its objects may go while another device's queue waits", "[d3d12]") {
  auto a = std::make_unique<Side>("tiny");
  Side b("tiny");
  auto fence_a = a->shared_fence();
  const auto fence_b = b.opened(fence_a);
  auto work = std::make_unique<Side::Copier>(a->copier(4 * mib));
  auto waits = b.copier(4096);
  const auto done = b.fence();
  work->execute();
  REQUIRE(work->queue->Signal(fence_a.Get(), 3) == S_OK);
  REQUIRE(waits.queue->Wait(fence_b.Get(), 3) == S_OK);
  REQUIRE(waits.queue->Signal(done.Get(), 1) == S_OK);
  SECTION("the fence's object alone: the signal comes") {
    fence_a.Reset();
    REQUIRE(done->SetEventOnCompletion(1, nullptr) == S_OK);
    CHECK(fence_b->GetCompletedValue() == 3);
  }
  SECTION("everything: the CPU signals instead") {
    fence_a.Reset();
    work.reset();
    a.reset();
    Sleep(100);
    CHECK(done->GetCompletedValue() == 0);
    REQUIRE(fence_b->Signal(3) == S_OK);
    REQUIRE(done->SetEventOnCompletion(1, nullptr) == S_OK);
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

TEST_CASE("shared fence: two adapters that take turns do so in the same times at every run", "[d3d12]") {
  const auto play = [](const char* first, const char* second, int rounds) {
    Side a(first);
    Side b(second);
    const auto fence_a = a.shared_fence();
    const auto fence_b = b.opened(fence_a);
    auto work_a = a.copier(mib);
    auto work_b = b.copier(2 * mib);
    for (int round = 0; round < rounds; ++round) {
      const auto value = static_cast<UINT64>(2 * round);
      REQUIRE(work_a.queue->Wait(fence_a.Get(), value) == S_OK);
      work_a.execute();
      REQUIRE(work_a.queue->Signal(fence_a.Get(), value + 1) == S_OK);
      REQUIRE(work_b.queue->Wait(fence_b.Get(), value + 1) == S_OK);
      work_b.execute();
      REQUIRE(work_b.queue->Signal(fence_b.Get(), value + 2) == S_OK);
    }
    REQUIRE(fence_a->SetEventOnCompletion(static_cast<UINT64>(2 * rounds), nullptr) == S_OK);
    std::vector<std::uint64_t> all = times(a);
    const std::vector<std::uint64_t> more = times(b);
    all.insert(all.end(), more.begin(), more.end());
    // From the first time on: threads' clocks go on from test to test.
    const std::uint64_t start_ps = a.packets.front().completed_ps;
    for (std::uint64_t& time_ps : all) time_ps -= std::min(time_ps, start_ps);
    return all;
  };
  const auto once = [&](const char* first, const char* second, int rounds) {
    std::vector<std::uint64_t> result;
    std::thread([&] { result = play(first, second, rounds); }).join();  // a clock of its own, which begins at 0
    return result;
  };
  CHECK(once("tiny", "tiny", 30) == once("tiny", "tiny", 30));
  CHECK(once("h200", "rtx_4090", 10) == once("h200", "rtx_4090", 10));
  CHECK(once("rtx_4090", "h200", 3) == once("rtx_4090", "h200", 3));
}

TEST_CASE("shared fence: threads of two devices signal each other by the CPU, and no wait fails", "[d3d12]") {
  Side a("tiny");
  Side b("tiny");
  const auto fence_a = a.shared_fence();
  const auto fence_b = b.opened(fence_a);
  constexpr UINT64 rounds = 1000;
  SECTION("freely, two threads in all") {
    std::array<int, 2> failed{};
    Crew::run(2, [&](std::size_t self) {
      ID3D12Fence* const fence = self == 0 ? fence_a.Get() : fence_b.Get();
      for (UINT64 round = 0; round < rounds; ++round) {
        if (fence->SetEventOnCompletion(2 * round + self, nullptr) != S_OK) ++failed[self];
        if (fence->Signal(2 * round + self + 1) != S_OK) ++failed[self];
      }
    });
    CHECK(failed == std::array<int, 2>{});
    CHECK(fence_a->GetCompletedValue() == 2 * rounds);
  }
  SECTION("attached, in the same times at every run") {
    const auto play = [&](UINT64 base) {
      std::vector<std::uint64_t> seen;
      const auto side = [&](std::size_t self) {
        ID3D12Fence* const fence = self == 0 ? fence_a.Get() : fence_b.Get();
        Side::Copier work = (self == 0 ? a : b).copier((self + 1) * mib);
        for (UINT64 round = 0; round < 100; ++round) {
          if (fence->SetEventOnCompletion(base + 2 * round + self, nullptr) != S_OK) seen.push_back(0);
          seen.push_back((self == 0 ? a : b).now_ps());
          work.execute();
          work.queue->Signal(fence, base + 2 * round + self + 1);
        }
      };
      HostThread here;
      here.attach();
      const std::uint64_t from_ps = std::max(a.now_ps(), b.now_ps());
      HostThread there;
      std::thread other([&] {
        there.attach();
        side(1);
        there.detach();
      });
      side(0);
      HostThread::join(other);
      fence_a->SetEventOnCompletion(base + 200, nullptr);
      std::sort(seen.begin(), seen.end());
      for (std::uint64_t& time_ps : seen) time_ps -= std::min(time_ps, from_ps);
      return seen;
    };
    play(0);
    const auto first = play(200);
    CHECK(first.size() == 200);
    CHECK(first == play(400));
  }
}

TEST_CASE("shared fences: whatever the queues of several adapters do, no wait passes before its signal", "[d3d12]") {
  const unsigned seed = GENERATE(range(1U, 13U));
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto draw = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
  const std::size_t adapters = 2 + draw(3);
  const std::size_t queues = 2 + draw(3);
  constexpr std::array<const char*, 3> machines = {"tiny", "h200", "rtx_4090"};
  std::vector<std::unique_ptr<Side>> sides;
  std::vector<std::vector<ComPtr<ID3D12Fence>>> fences(queues * adapters);  // of a queue, by adapter
  std::vector<Side::Copier> work;
  for (std::size_t i = 0; i < adapters; ++i) sides.push_back(std::make_unique<Side>(machines[draw(3)]));
  for (std::size_t queue = 0; queue < fences.size(); ++queue) {
    const std::size_t of = queue % adapters;
    work.push_back(sides[of]->copier(4096 << draw(10)));
    std::vector<ComPtr<ID3D12Fence>> all(adapters);
    all[of] = sides[of]->shared_fence();
    for (std::size_t i = 0; i < adapters; ++i) {
      if (i != of) all[i] = sides[i]->opened(all[of]);
    }
    fences[queue] = all;
  }
  // Each queue has a fence that it alone moves. A wait is for a signal that has been submitted, or the next of a queue
  // that is drawn as signalling before anybody else goes on: no circle.
  std::vector<UINT64> signalled(fences.size());
  std::size_t waits = 0;
  for (int step = 0; step < 120; ++step) {
    const std::size_t queue = draw(static_cast<unsigned>(fences.size()));
    const std::size_t on = queue % adapters;
    const std::size_t of = draw(static_cast<unsigned>(fences.size()));
    if (draw(2) == 0 && signalled[of] > 0) {
      const UINT64 value = 1 + draw(static_cast<unsigned>(signalled[of]));
      REQUIRE(work[queue].queue->Wait(fences[of][on].Get(), value) == S_OK);
      ++waits;
    }
    if (draw(3) > 0) work[queue].execute();
    REQUIRE(work[queue].queue->Signal(fences[queue][on].Get(), ++signalled[queue]) == S_OK);
  }
  for (std::size_t queue = 0; queue < fences.size(); ++queue) {
    if (signalled[queue] == 0) continue;
    const std::size_t by = draw(static_cast<unsigned>(adapters));
    REQUIRE(fences[queue][by]->SetEventOnCompletion(signalled[queue], nullptr) == S_OK);
  }
  // A fence has a name on each adapter; its own adapter's queue number says whose it is.
  std::vector<std::vector<std::uint64_t>> signal_times(fences.size());
  for (std::size_t queue = 0; queue < fences.size(); ++queue) {
    const std::string name = "queue" + std::to_string(queue / adapters);
    for (const Side::Packet& one : sides[queue % adapters]->of(PacketType::signal)) {
      if (one.queue.size() >= name.size() &&
          one.queue.compare(one.queue.size() - name.size(), name.size(), name) == 0) {
        signal_times[queue].push_back(one.completed_ps);
      }
    }
    CHECK(signal_times[queue].size() == signalled[queue]);
  }
  // Fences come to an adapter in the order in which they were created and opened there: fence n is queue n's.
  for (std::size_t adapter = 0; adapter < adapters; ++adapter) {
    for (const Side::Packet& one : sides[adapter]->of(PacketType::wait)) {
      const std::size_t of = std::stoul(one.fence.substr(one.fence.rfind("fence") + 5));
      REQUIRE(of < fences.size());
      REQUIRE(signal_times[of].size() >= one.value);
      CAPTURE(adapter, of, one.value);
      CHECK(one.completed_ps >= signal_times[of][one.value - 1]);
    }
  }
  const auto seen = std::count_if(sides.begin(), sides.end(), [](const auto& side) { return !side->packets.empty(); });
  CHECK(static_cast<std::size_t>(seen) == adapters);
  CHECK(waits == [&] {
    std::size_t count = 0;
    for (const auto& side : sides) count += side->of(PacketType::wait).size();
    return count;
  }());
}
