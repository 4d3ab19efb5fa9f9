// SPDX-License-Identifier: Apache-2.0
// Attached threads: the same program gives the same timeline, whatever the real threads do.
#include "api/d3d12/host_thread.hpp"

#include "tests/d3d12/adapters.hpp"
#include "tests/d3d12/app.hpp"
#include "tests/d3d12/queues/timeline.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <thread>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// A few threads, each with a queue of its own, that upload, wait for their neighbours' uploads and sleep; with real
/// delays, which must not matter.
std::vector<std::vector<std::uint64_t>> play(unsigned delays_seed, std::uint32_t cores) {
  constexpr std::uint32_t threads = 4;
  constexpr UINT64 rounds = 12;
  HostThread here;
  here.attach();
  std::vector<std::vector<std::uint64_t>> result(threads);
  {
    App app(tiny_with([&](MachineConfig& tiny) { tiny.host.cpu.cores = cores; }));
    const GpuTimeline timeline(app.device.Get());
    std::vector<std::unique_ptr<Recorder>> recorders;
    std::vector<ComPtr<ID3D12Resource>> buffers;
    for (std::uint32_t i = 0; i < threads; ++i) {
      recorders.push_back(std::make_unique<Recorder>(app, D3D12_COMMAND_LIST_TYPE_COPY));
      buffers.push_back(app.buffer(1 << 16, D3D12_HEAP_TYPE_UPLOAD));
      buffers.push_back(app.buffer(1 << 16));
    }
    std::vector<std::unique_ptr<HostThread>> attached;
    std::vector<std::thread> workers;
    std::vector<char> failed(threads);  // Catch2's checks are for the main thread
    for (std::uint32_t i = 0; i < threads; ++i) attached.push_back(std::make_unique<HostThread>());
    for (std::uint32_t i = 0; i < threads; ++i) {
      workers.emplace_back([&, i] {
        const auto must = [&](HRESULT answer) { failed[i] |= answer == S_OK ? 0 : 1; };
        attached[i]->attach();
        std::mt19937 random(delays_seed * 100 + i);
        const auto dawdle = [&] { std::this_thread::sleep_for(std::chrono::microseconds(random() % 300)); };
        Recorder& mine = *recorders[i];
        ID3D12Fence* const neighbour = recorders[(i + 1) % threads]->fence.Get();
        for (UINT64 round = 1; round <= rounds; ++round) {
          dawdle();
          mine.list->CopyBufferRegion(buffers[2 * i + 1].Get(), 0, buffers[2 * i].Get(), 0, 4096 * (i + round));
          must(mine.list->Close());
          ID3D12CommandList* const lists[] = {mine.list.Get()};
          mine.queue->ExecuteCommandLists(1, lists);
          must(mine.queue->Signal(mine.fence.Get(), round));
          dawdle();
          if ((round + i) % 3 == 0) neighbour->SetEventOnCompletion(round, nullptr);
          if ((round + i) % 4 == 0) Sleep(1);
          must(mine.fence->SetEventOnCompletion(round, nullptr));
          must(mine.allocator->Reset());
          must(mine.list->Reset(mine.allocator.Get(), nullptr));
        }
        attached[i]->detach();
      });
    }
    for (std::thread& worker : workers) HostThread::join(worker);
    CHECK(std::count(failed.begin(), failed.end(), 0) == threads);
    for (std::uint32_t i = 0; i < threads; ++i) {
      for (const auto& run : timeline.of(i)) {
        result[i].push_back(run.start_ps);
        result[i].push_back(run.end_ps);
      }
    }
    for (const auto& runs : result) CHECK(runs.size() == 2 * rounds);
  }
  here.detach();
  return result;
}

/// Times from the first one on: the process's clock goes on from test to test.
std::vector<std::vector<std::uint64_t>> from_start(std::vector<std::vector<std::uint64_t>> times) {
  std::uint64_t first = ~std::uint64_t{0};
  for (const auto& runs : times) first = std::min(first, runs.at(0));
  for (auto& runs : times) {
    for (std::uint64_t& time : runs) time -= first;
  }
  return times;
}

}  // namespace

TEST_CASE("attached threads: the timeline does not depend on how long they really take", "[d3d12]") {
  std::vector<std::vector<std::vector<std::uint64_t>>> of_cores;
  for (const std::uint32_t cores : {0U, 1U, 3U}) {
    INFO("cores: " << cores);
    of_cores.push_back(from_start(play(1, cores)));
    for (const unsigned seed : {2U, 3U, 4U}) CHECK(from_start(play(seed, cores)) == of_cores.back());
  }
  CHECK(of_cores[0] != of_cores[1]);
}

TEST_CASE("attached threads: one that nothing can wake is told so, and the others go on", "[d3d12]") {
  HostThread here;
  here.attach();
  App app;
  const auto unsignalled = app.fence();
  const auto mine = app.fence();
  HostThread there;
  HRESULT told = S_OK;
  std::thread worker([&] {
    there.attach();
    told = unsignalled->SetEventOnCompletion(1, nullptr);
    mine->Signal(1);
    there.detach();
  });
  CHECK(mine->SetEventOnCompletion(2, nullptr) == E_FAIL);
  HostThread::join(worker);
  CHECK(told == E_FAIL);
  CHECK(mine->GetCompletedValue() == 1);
}

TEST_CASE("attached threads: an event that resets itself wakes one of several threads", "[d3d12]") {
  HostThread here;
  here.attach();
  const App app;
  HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  constexpr std::size_t count = 3;
  std::vector<std::unique_ptr<HostThread>> attached;
  for (std::size_t i = 0; i < count; ++i) attached.push_back(std::make_unique<HostThread>());
  std::vector<DWORD> results(count);
  std::vector<std::thread> workers;
  for (std::size_t i = 0; i < count; ++i) {
    workers.emplace_back([&, i] {
      attached[i]->attach();
      results[i] = WaitForSingleObject(event, 100);
      attached[i]->detach();
    });
  }
  Sleep(10);
  SetEvent(event);
  for (std::thread& worker : workers) HostThread::join(worker);
  CHECK(results == std::vector<DWORD>{WAIT_OBJECT_0, WAIT_TIMEOUT, WAIT_TIMEOUT});
  CloseHandle(event);
}
