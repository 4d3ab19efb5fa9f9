// SPDX-License-Identifier: Apache-2.0
// Many threads at once: lists are recorded without a lock, submitted to queues by any thread, and waited for by others.
#include "tests/d3d12/app.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

using namespace fenceline::testing;

namespace {

/// Hands things from threads to threads, in order.
template <class T>
class Mailbox {
 public:
  void put(T value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    values_.push_back(std::move(value));
    changed_.notify_one();
  }
  /// Nobody puts any more.
  void close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  /// Nothing: closed and empty.
  std::optional<T> take() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !values_.empty(); });
    if (values_.empty()) return {};
    T value = std::move(values_.front());
    values_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> values_;
  bool closed_ = false;
};

struct Recorded {
  ComPtr<ID3D12GraphicsCommandList> list;
  ComPtr<ID3D12Fence> done;  ///< to be signalled with `value`
  UINT64 value;
  UINT slot;  ///< of the word that it copies
};

}  // namespace

TEST_CASE("threads: eight record, three submit, four wait, and every byte arrives", "[d3d12]") {
  constexpr UINT recorders = 8;
  constexpr UINT submitters = 3;
  constexpr UINT waiters = 4;
  constexpr UINT rounds = 60;
  constexpr UINT words = recorders * rounds;
  constexpr auto type = D3D12_COMMAND_LIST_TYPE_COPY;
  App app;
  const auto from = app.buffer(4 * words, D3D12_HEAP_TYPE_UPLOAD);
  const auto middle = app.buffer(4 * words);
  const auto to = app.buffer(4 * words, D3D12_HEAP_TYPE_READBACK);
  void* source = nullptr;
  void* result = nullptr;
  REQUIRE(from->Map(0, nullptr, &source) == S_OK);
  REQUIRE(to->Map(0, nullptr, &result) == S_OK);
  std::vector<UINT> values(words);
  for (UINT i = 0; i < words; ++i) values[i] = 3 * i + 1;
  std::memcpy(source, values.data(), 4 * words);

  std::atomic<int> wrong{0};
  const auto expect = [&](bool holds) { wrong += holds ? 0 : 1; };
  Mailbox<Recorded> recorded;
  Mailbox<Recorded> submitted;
  const auto record = [&](UINT thread) {
    // Two of everything: one is recorded while the other executes. Queues may finish them in any order.
    struct Turn {
      ComPtr<ID3D12Fence> done;
      ComPtr<ID3D12CommandAllocator> allocator;
      ComPtr<ID3D12GraphicsCommandList> list;
      UINT64 value = 0;
    };
    std::array<Turn, 2> turns;
    for (Turn& turn : turns) {
      expect(app.device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&turn.done)) == S_OK);
      expect(app.device->CreateCommandAllocator(type, IID_PPV_ARGS(&turn.allocator)) == S_OK);
    }
    for (UINT round = 0; round < rounds; ++round) {
      Turn& turn = turns[round % 2];
      if (turn.value > 0) {
        expect(turn.done->SetEventOnCompletion(turn.value, nullptr) == S_OK);
        expect(turn.allocator->Reset() == S_OK);
        expect(turn.list->Reset(turn.allocator.Get(), nullptr) == S_OK);
      } else {
        expect(app.device->CreateCommandList(0, type, turn.allocator.Get(), nullptr, IID_PPV_ARGS(&turn.list)) == S_OK);
      }
      const UINT slot = thread * rounds + round;
      turn.list->CopyBufferRegion(middle.Get(), 4 * slot, from.Get(), 4 * slot, 4);
      turn.list->CopyBufferRegion(to.Get(), 4 * slot, middle.Get(), 4 * slot, 4);
      expect(turn.list->Close() == S_OK);
      recorded.put({turn.list, turn.done, ++turn.value, slot});
    }
  };
  const auto submit = [&] {
    const D3D12_COMMAND_QUEUE_DESC desc{type, 0, D3D12_COMMAND_QUEUE_FLAG_NONE, 0};
    ComPtr<ID3D12CommandQueue> queue;
    expect(app.device->CreateCommandQueue(&desc, IID_PPV_ARGS(&queue)) == S_OK);
    while (auto next = recorded.take()) {
      ID3D12CommandList* const lists[] = {next->list.Get()};
      queue->ExecuteCommandLists(1, lists);
      expect(queue->Signal(next->done.Get(), next->value) == S_OK);
      submitted.put(std::move(*next));
    }
  };
  const auto wait = [&] {
    HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
    while (const auto next = submitted.take()) {
      expect(next->done->SetEventOnCompletion(next->value, event) == S_OK);
      expect(WaitForSingleObject(event, INFINITE) == WAIT_OBJECT_0);
      UINT word = 0;
      std::memcpy(&word, static_cast<std::byte*>(result) + 4 * next->slot, 4);
      expect(word == values[next->slot]);
    }
    CloseHandle(event);
  };
  std::vector<std::thread> first;
  std::vector<std::thread> second;
  std::vector<std::thread> third;
  for (UINT i = 0; i < waiters; ++i) third.emplace_back(wait);
  for (UINT i = 0; i < submitters; ++i) second.emplace_back(submit);
  for (UINT i = 0; i < recorders; ++i) first.emplace_back(record, i);
  for (std::thread& thread : first) thread.join();
  recorded.close();
  for (std::thread& thread : second) thread.join();
  submitted.close();
  for (std::thread& thread : third) thread.join();
  CHECK(wrong == 0);
  CHECK(app.device->GetDeviceRemovedReason() == S_OK);
  CHECK(read<UINT>(to.Get(), words) == values);
}
