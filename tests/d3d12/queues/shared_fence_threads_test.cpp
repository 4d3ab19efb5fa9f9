// SPDX-License-Identifier: Apache-2.0
// Fences shared between devices: removal, threads and random programs. Written from D3D12's documentation of shared and
// cross-adapter fences and of the rules for fences.
#include "api/d3d12/host_thread.hpp"
#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/queues/crew.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

std::vector<std::uint64_t> times(const Side& side) {
  std::vector<std::uint64_t> all;
  for (const Side::Packet& one : side.packets) all.insert(all.end(), {one.started_ps, one.completed_ps});
  return all;
}

}  // namespace

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
  CHECK(gone_fence->GetCompletedValue() == highest_value);
  CHECK(left_fence->GetCompletedValue() == 2);
  REQUIRE(left_fence->SetEventOnCompletion(2, nullptr) == S_OK);
  // What was on its way neither lowers the one nor moves the other.
  Sleep(1000);
  CHECK(gone_fence->GetCompletedValue() == highest_value);
  CHECK(left_fence->GetCompletedValue() == 2);
  CHECK(left_fence->Signal(7) == S_OK);
  CHECK(left_fence->GetCompletedValue() == 7);
  CHECK(gone_fence->GetCompletedValue() == highest_value);
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
