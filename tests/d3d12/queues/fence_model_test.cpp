// SPDX-License-Identifier: Apache-2.0
// Fences against an executable specification: random signals, waits, rewinds and events.
#include "sim/sanitizers.hpp"
#include "tests/d3d12/app.hpp"

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <random>
#include <thread>

using namespace fenceline::testing;

namespace {

#if defined(FENCELINE_THREAD_SANITIZER) || defined(FENCELINE_ADDRESS_SANITIZER)
constexpr int operations = 5000;
#else
constexpr int operations = 100000;
#endif
constexpr std::size_t queue_count = 6;
constexpr std::size_t thread_count = 8;

constexpr std::array queue_types = {D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_TYPE_COMPUTE,
                                    D3D12_COMMAND_LIST_TYPE_COPY};

/// What D3D12 says of fences: a value that signals move anywhere; a wait passes once the value has been reached at any
/// time since it was queued; a queue does one thing after the other.
class Specification {
 public:
  Specification(std::size_t fences, std::size_t queues, std::size_t events)
      : values(fences, 0), set(events, false), queues_(queues) {}

  void cpu_signal(std::size_t fence, UINT64 value) {
    move(fence, value);
    settle();
  }
  void queue_signal(std::size_t queue, std::size_t fence, UINT64 value) {
    queues_[queue].push_back({true, fence, value, false});
    settle();
  }
  void queue_wait(std::size_t queue, std::size_t fence, UINT64 value) {
    queues_[queue].push_back({false, fence, value, values[fence] >= value});
    settle();
  }
  void on_any(const std::vector<std::size_t>& fences, const std::vector<UINT64>& wanted, std::size_t event) {
    registrations_.push_back({fences, wanted, true, event});
    look();
  }
  void on_all(const std::vector<std::size_t>& fences, const std::vector<UINT64>& wanted, std::size_t event) {
    registrations_.push_back({fences, wanted, false, event});
    look();
  }

  std::vector<UINT64> values;
  std::vector<bool> set;  ///< events

 private:
  struct Step {
    bool signals;
    std::size_t fence;
    UINT64 value;
    bool passed;  ///< of a wait
  };
  struct Registration {
    std::vector<std::size_t> fences;
    std::vector<UINT64> values;
    bool any;
    std::size_t event;
  };

  void move(std::size_t fence, UINT64 value) {
    values[fence] = value;
    for (auto& queue : queues_) {
      for (Step& step : queue)
        step.passed = step.passed || (!step.signals && step.fence == fence && step.value <= value);
    }
    look();
  }
  void look() {
    for (std::size_t i = 0; i < registrations_.size();) {
      const Registration& one = registrations_[i];
      std::size_t there = 0;
      for (std::size_t k = 0; k < one.fences.size(); ++k) there += values[one.fences[k]] >= one.values[k] ? 1 : 0;
      if (one.any ? there == 0 : there < one.fences.size()) {
        ++i;
        continue;
      }
      set[one.event] = true;
      registrations_.erase(registrations_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  void settle() {
    for (bool moved = true; moved;) {
      moved = false;
      for (auto& queue : queues_) {
        while (!queue.empty() && (queue.front().signals || queue.front().passed)) {
          const Step step = queue.front();
          queue.pop_front();
          moved = true;
          if (step.signals) move(step.fence, step.value);
        }
      }
    }
  }

  std::vector<std::deque<Step>> queues_;
  std::vector<Registration> registrations_;
};

struct Random {
  explicit Random(unsigned seed) : engine(seed) {}
  std::size_t below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(engine); }
  std::mt19937 engine;
};

}  // namespace

TEST_CASE("fences: as the specification says, after each of many random operations", "[d3d12]") {
  App app;
  ComPtr<ID3D12Device1> device;
  REQUIRE(app.device.As(&device) == S_OK);
  // Two fences that each queue alone signals, besides the CPU, which makes the outcome independent of what runs first;
  // three for the CPU alone.
  constexpr std::size_t fence_count = 2 * queue_count + 3;
  constexpr std::size_t event_count = 8;
  constexpr UINT64 highest = 12;
  Specification expected(fence_count, queue_count, event_count);
  std::vector<ComPtr<ID3D12CommandQueue>> queues;
  for (std::size_t i = 0; i < queue_count; ++i) queues.push_back(app.queue(queue_types[i % 3]));
  std::vector<ComPtr<ID3D12Fence>> fences;
  for (std::size_t i = 0; i < fence_count; ++i) fences.push_back(app.fence());
  std::vector<HANDLE> events;
  for (std::size_t i = 0; i < event_count; ++i) events.push_back(CreateEvent(nullptr, FALSE, FALSE, nullptr));

  Random random(1);
  const auto on_several = [&](bool any, std::size_t first, std::size_t count, std::size_t event) {
    std::vector<std::size_t> chosen;
    std::vector<UINT64> values;
    std::vector<ID3D12Fence*> objects;
    for (std::size_t i = 0; i < 3; ++i) {
      chosen.push_back(first + random.below(count));
      values.push_back(random.below(highest));
      objects.push_back(fences[chosen.back()].Get());
    }
    if (any) expected.on_any(chosen, values, event);
    if (!any) expected.on_all(chosen, values, event);
    return device->SetEventOnMultipleFenceCompletion(
        objects.data(), values.data(), 3, any ? D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY : D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL,
        events[event]);
  };
  int diverged = 0;
  for (int i = 0; i < operations && diverged == 0; ++i) {
    const std::size_t fence = random.below(fence_count);
    const std::size_t queue = random.below(queue_count);
    const std::size_t event = random.below(event_count);
    const UINT64 value = random.below(highest);
    HRESULT result = S_OK;
    switch (random.below(9)) {
      case 0:
      case 1:
        expected.cpu_signal(fence, value);
        result = fences[fence]->Signal(value);
        break;
      case 2:
      case 3: {
        const std::size_t own = 2 * queue + random.below(2);
        expected.queue_signal(queue, own, value);
        result = queues[queue]->Signal(fences[own].Get(), value);
        break;
      }
      case 4:
      case 5:
        expected.queue_wait(queue, fence, value);
        result = queues[queue]->Wait(fences[fence].Get(), value);
        break;
      case 6:
        expected.on_any({fence}, {value}, event);
        result = fences[fence]->SetEventOnCompletion(value, events[event]);
        break;
      case 7: result = on_several(true, 0, fence_count, event); break;
      case 8: result = on_several(false, 2 * queue_count, 3, event); break;
    }
    if (result != S_OK) ++diverged;
    Sleep(1);  // whatever can go on does
    for (std::size_t k = 0; k < fence_count; ++k) {
      if (fences[k]->GetCompletedValue() != expected.values[k]) ++diverged;
    }
    const bool is_set = WaitForSingleObject(events[event], 0) == WAIT_OBJECT_0;
    if (is_set != expected.set[event]) ++diverged;
    expected.set[event] = false;
    INFO("operation " << i);
    CHECK(diverged == 0);
  }
  for (HANDLE event : events) CloseHandle(event);
}

TEST_CASE("fences: eight threads on six queues lose no wake-up and see no value twice", "[d3d12]") {
  App app;
  // Each queue has a fence that it alone moves, upwards, with values given out in the order of its Signal calls. Queues
  // and threads wait only for what has been asked for already, so everything comes to an end. Each thread has a fence
  // that only it moves, up and down: a queue's wait for a value that it has now passes, whatever it becomes.
  struct Line {
    ComPtr<ID3D12CommandQueue> queue;
    ComPtr<ID3D12Fence> fence;
    std::mutex order;
    std::atomic<UINT64> asked{0};
  };
  std::array<Line, queue_count> lines;
  for (std::size_t i = 0; i < queue_count; ++i) {
    lines[i].queue = app.queue(queue_types[i % 3]);
    lines[i].fence = app.fence();
  }
  std::vector<ComPtr<ID3D12Fence>> own;
  for (std::size_t i = 0; i < thread_count; ++i) own.push_back(app.fence());
  std::atomic<int> wrong{0};
  const auto expect = [&](bool holds) { wrong += holds ? 0 : 1; };

  const auto work = [&](std::size_t thread) {
    Random random(static_cast<unsigned>(100 + thread));
    HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
    std::array<UINT64, queue_count> seen{};
    ID3D12Fence* const mine = own[thread].Get();
    const auto look = [&](std::size_t line) {
      const UINT64 now = lines[line].fence->GetCompletedValue();
      expect(now >= seen[line]);
      seen[line] = now;
      return now;
    };
    for (int i = 0; i < operations / static_cast<int>(thread_count); ++i) {
      const std::size_t at = random.below(queue_count);
      Line& line = lines[at];
      switch (random.below(12)) {
        case 0:
        case 1:
        case 2:
        case 3: {
          const std::lock_guard<std::mutex> in_order(line.order);
          expect(line.queue->Signal(line.fence.Get(), line.asked + 1) == S_OK);
          ++line.asked;
          break;
        }
        case 4:
        case 5: {
          Line& other = lines[random.below(queue_count)];
          expect(line.queue->Wait(other.fence.Get(), other.asked) == S_OK);
          break;
        }
        case 6: {
          const UINT64 value = 1 + random.below(100);
          expect(mine->Signal(value) == S_OK);
          expect(mine->GetCompletedValue() == value);
          expect(line.queue->Wait(mine, value) == S_OK);
          expect(mine->Signal(random.below(value)) == S_OK);
          break;
        }
        case 7: {
          const UINT64 value = line.asked;
          expect(line.fence->SetEventOnCompletion(value, event) == S_OK);
          expect(WaitForSingleObject(event, INFINITE) == WAIT_OBJECT_0);
          expect(look(at) >= value);
          break;
        }
        case 8: {
          const UINT64 value = line.asked;
          expect(line.fence->SetEventOnCompletion(value, nullptr) == S_OK);
          expect(look(at) >= value);
          break;
        }
        default: expect(look(at) <= line.asked + 1); break;
      }
    }
    CloseHandle(event);
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < thread_count; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  for (Line& line : lines) {
    CHECK(line.fence->SetEventOnCompletion(line.asked, nullptr) == S_OK);
    CHECK(line.fence->GetCompletedValue() == line.asked);
  }
  CHECK(wrong == 0);
}
