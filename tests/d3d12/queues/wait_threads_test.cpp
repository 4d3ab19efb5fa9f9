// SPDX-License-Identifier: Apache-2.0
// Waits of programs that have exactly the threads that take part: no other thread is there that could wake anybody. A
// thread that has been woken but has not run yet is one that may act. Each shape ends without a failed wait, and a
// real deadlock is still told.
#include "api/d3d12/host_thread.hpp"
#include "tests/d3d12/app.hpp"
#include "tests/d3d12/queues/crew.hpp"

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>

using namespace fenceline::testing;

namespace {

/// Events of one test; all reset themselves.
class Events {
 public:
  explicit Events(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) handles_.push_back(CreateEvent(nullptr, FALSE, FALSE, nullptr));
  }
  ~Events() {
    for (HANDLE handle : handles_) CloseHandle(handle);
  }
  HANDLE operator[](std::size_t index) const { return handles_[index]; }
  const HANDLE* data() const { return handles_.data(); }

 private:
  std::vector<HANDLE> handles_;
};

/// Counts what did not end as it should, on any thread: Catch2's checks are for the main one.
struct Failures {
  void unless(bool holds) { count += holds ? 0 : 1; }
  void unless_woken(HANDLE event, DWORD milliseconds = INFINITE) {
    unless(WaitForSingleObject(event, milliseconds) == WAIT_OBJECT_0);
  }
  std::atomic<int> count{0};
};

}  // namespace

TEST_CASE("waits of all threads: two play ping-pong with two events a hundred thousand times", "[d3d12][waits]") {
  constexpr int rounds = 50'000;  // of two hand-shakes
  const Events events(2);
  Failures failures;
  Crew::run(2, [&](std::size_t self) {
    for (int round = 0; round < rounds && failures.count == 0; ++round) {
      if (self == 1) failures.unless_woken(events[1]);
      SetEvent(events[1 - self]);
      if (self == 0) failures.unless_woken(events[0]);
    }
  });
  CHECK(failures.count == 0);
}

TEST_CASE("waits of all threads: ping-pong with a timeout never times out", "[d3d12][waits]") {
  constexpr int rounds = 2'000;
  constexpr DWORD hour = 3'600'000;
  const Events events(2);
  Failures failures;
  Crew::run(2, [&](std::size_t self) {
    for (int round = 0; round < rounds && failures.count == 0; ++round) {
      if (self == 1) failures.unless_woken(events[1], hour);
      SetEvent(events[1 - self]);
      if (self == 0) failures.unless_woken(events[0], hour);
    }
  });
  CHECK(failures.count == 0);
}

TEST_CASE("waits of all threads: two play ping-pong with a fence that both signal", "[d3d12][waits]") {
  constexpr UINT64 rounds = 5'000;
  App app;
  const auto fence = app.fence();
  Failures failures;
  Crew::run(2, [&](std::size_t self) {
    for (UINT64 value = self; value < 2 * rounds && failures.count == 0; value += 2) {
      failures.unless(fence->SetEventOnCompletion(value, nullptr) == S_OK);
      failures.unless(fence->Signal(value + 1) == S_OK);
    }
  });
  CHECK(failures.count == 0);
  CHECK(fence->GetCompletedValue() == 2 * rounds);
}

TEST_CASE("waits of all threads: what producers put, consumers take, through a queue of any length", "[d3d12][waits]") {
  struct Shape {
    std::size_t producers;
    std::size_t consumers;
    std::size_t length;
  };
  const auto shape = GENERATE(Shape{1, 1, 1}, Shape{1, 1, 4}, Shape{2, 1, 1}, Shape{1, 3, 2}, Shape{3, 3, 5});
  constexpr int each = 1'200;  // items of a producer, which consumers can share evenly
  std::mutex mutex;
  std::deque<int> items;
  const Events events(2);  // there may be room; there may be something
  constexpr std::size_t room = 0;
  constexpr std::size_t something = 1;
  Failures failures;
  long long put = 0;
  long long taken = 0;
  const int of_a_consumer =
      each * static_cast<int>(shape.producers / shape.consumers) +
      each * static_cast<int>(shape.producers % shape.consumers) / static_cast<int>(shape.consumers);
  // Who finds the queue changed and not yet full or empty passes the news on: an event is one bit.
  const auto exchange = [&](HANDLE mine, HANDLE other, const auto& possible, const auto& act) {
    while (true) {
      {
        const std::lock_guard<std::mutex> lock(mutex);
        if (possible()) {
          act();
          const bool again = possible();
          SetEvent(other);
          if (again) SetEvent(mine);
          return;
        }
      }
      failures.unless_woken(mine);
      if (failures.count != 0) return;
    }
  };
  Crew::run(shape.producers + shape.consumers, [&](std::size_t self) {
    if (self < shape.producers) {
      for (int i = 1; i <= each && failures.count == 0; ++i) {
        exchange(
            events[room], events[something], [&] { return items.size() < shape.length; },
            [&] {
              items.push_back(i);
              put += i;
            });
      }
    } else {
      for (int i = 0; i < of_a_consumer && failures.count == 0; ++i) {
        exchange(
            events[something], events[room], [&] { return !items.empty(); },
            [&] {
              taken += items.front();
              items.pop_front();
            });
      }
    }
  });
  CHECK(failures.count == 0);
  CHECK(put == static_cast<long long>(shape.producers) * each * (each + 1) / 2);
  CHECK(taken == put);
}

TEST_CASE("waits of all threads: a token goes round among as many workers as there are threads", "[d3d12][waits]") {
  const std::size_t workers = GENERATE(2, 3, 5, 8);
  constexpr int turns = 600;  // of the token around all
  const Events events(workers);
  Failures failures;
  std::vector<int> turn(workers);
  SetEvent(events[0]);
  Crew::run(workers, [&](std::size_t self) {
    for (int i = 0; i < turns && failures.count == 0; ++i) {
      failures.unless_woken(events[self]);
      failures.unless(turn[self] == i && turn[(self + workers - 1) % workers] == i + (self == 0 ? 0 : 1));
      turn[self] = i + 1;
      SetEvent(events[(self + 1) % workers]);
    }
  });
  CHECK(failures.count == 0);
}

TEST_CASE("waits of all threads: a leader starts its workers each round and waits for all of them", "[d3d12][waits]") {
  const std::size_t workers = GENERATE(1, 3, 7);
  constexpr int rounds = 400;
  const Events starts(workers);
  const Events ends(workers);
  Failures failures;
  Crew::run(workers + 1, [&](std::size_t self) {
    for (int round = 0; round < rounds && failures.count == 0; ++round) {
      if (self == 0) {
        for (std::size_t i = 0; i < workers; ++i) SetEvent(starts[i]);
        failures.unless(WaitForMultipleObjects(static_cast<DWORD>(workers), ends.data(), TRUE, INFINITE) ==
                        WAIT_OBJECT_0);
      } else {
        failures.unless_woken(starts[self - 1]);
        SetEvent(ends[self - 1]);
      }
    }
  });
  CHECK(failures.count == 0);
}

TEST_CASE("waits of all threads: threads that exit leave the rest to play on", "[d3d12][waits]") {
  constexpr int rounds = 300;
  const Events events(3);
  Failures failures;
  Crew::run(3, [&](std::size_t self) {
    // The third hands over once and is gone; the others go on without it, and the second ends before the first.
    if (self == 2) {
      failures.unless_woken(events[2]);
      SetEvent(events[0]);
      return;
    }
    if (self == 0) {
      SetEvent(events[2]);
      failures.unless_woken(events[0]);
    }
    for (int round = 0; round < rounds && failures.count == 0; ++round) {
      if (self == 1) failures.unless_woken(events[1]);
      SetEvent(events[1 - self]);
      if (self == 0) failures.unless_woken(events[0]);
    }
  });
  CHECK(failures.count == 0);
}

TEST_CASE("waits of all threads: a thread may wake another with the last thing it does", "[d3d12][waits]") {
  constexpr int threads = 500;
  const Events events(1);
  Failures failures;
  for (int i = 0; i < threads && failures.count == 0; ++i) {
    std::thread last([&] { SetEvent(events[0]); });
    failures.unless_woken(events[0]);
    last.join();
  }
  CHECK(failures.count == 0);
}

TEST_CASE("waits of all threads: one submits, the other watches the fence", "[d3d12][waits]") {
  constexpr UINT64 frames = 1'000;
  App app;
  Recorder copy(app, D3D12_COMMAND_LIST_TYPE_COPY);
  const auto from = app.buffer(1 << 16, D3D12_HEAP_TYPE_UPLOAD);
  const auto to = app.buffer(1 << 16);
  const Events events(3);
  const HANDLE reached = events[0];    // by the fence
  const HANDLE submitted = events[1];  // told to the watcher
  const HANDLE seen = events[2];       // told to the submitter
  Failures failures;
  Crew::run(2, [&](std::size_t self) {
    for (UINT64 frame = 1; frame <= frames && failures.count == 0; ++frame) {
      if (self == 0) {
        copy.list->CopyBufferRegion(to.Get(), 0, from.Get(), 0, 1 << 16);
        failures.unless(copy.list->Close() == S_OK);
        ID3D12CommandList* const lists[] = {copy.list.Get()};
        copy.queue->ExecuteCommandLists(1, lists);
        failures.unless(copy.queue->Signal(copy.fence.Get(), frame) == S_OK);
        SetEvent(submitted);
        failures.unless_woken(seen);
        failures.unless(copy.allocator->Reset() == S_OK && copy.list->Reset(copy.allocator.Get(), nullptr) == S_OK);
      } else {
        failures.unless_woken(submitted);
        failures.unless(copy.fence->SetEventOnCompletion(frame, reached) == S_OK);
        failures.unless_woken(reached);
        failures.unless(copy.fence->GetCompletedValue() == frame);
        SetEvent(seen);
      }
    }
  });
  CHECK(failures.count == 0);
}

TEST_CASE("waits of all threads: one submits ahead, the other waits for each frame in the API", "[d3d12][waits]") {
  constexpr UINT64 frames = 1'000;
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_COMPUTE);
  const auto done = app.fence();
  const auto shown = app.fence();
  Failures failures;
  Crew::run(2, [&](std::size_t self) {
    for (UINT64 frame = 1; frame <= frames && failures.count == 0; ++frame) {
      if (self == 0) {
        if (frame > 2) failures.unless(shown->SetEventOnCompletion(frame - 2, nullptr) == S_OK);
        failures.unless(queue->Signal(done.Get(), frame) == S_OK);
      } else {
        failures.unless(done->SetEventOnCompletion(frame, nullptr) == S_OK);
        failures.unless(shown->Signal(frame) == S_OK);
      }
    }
  });
  CHECK(failures.count == 0);
}

TEST_CASE("waits of all threads: two wait for one of several events beside a third that submits", "[d3d12][waits]") {
  constexpr UINT64 rounds = 1'000;
  App app;
  const auto queue = app.queue(D3D12_COMMAND_LIST_TYPE_COPY);
  const auto fence = app.fence();
  const Events done(2);   // set by the fence, one for each watcher
  const Events never(2);  // a watcher's second event
  const Events next(2);   // told to the watchers: there is something to wait for
  const Events seen(2);   // told to the submitter
  Failures failures;
  Crew::run(3, [&](std::size_t self) {
    for (UINT64 round = 1; round <= rounds && failures.count == 0; ++round) {
      if (self == 2) {
        for (const std::size_t watcher : {0, 1}) {
          failures.unless(fence->SetEventOnCompletion(round, done[watcher]) == S_OK);
          SetEvent(next[watcher]);
        }
        failures.unless(queue->Signal(fence.Get(), round) == S_OK);
        failures.unless(WaitForMultipleObjects(2, seen.data(), TRUE, INFINITE) == WAIT_OBJECT_0);
      } else {
        failures.unless_woken(next[self]);
        const HANDLE either[] = {never[self], done[self]};
        failures.unless(WaitForMultipleObjects(2, either, FALSE, INFINITE) == WAIT_OBJECT_0 + 1);
        failures.unless(fence->GetCompletedValue() == round);
        SetEvent(seen[self]);
      }
    }
  });
  CHECK(failures.count == 0);
}

TEST_CASE("waits of all threads: an attached thread and a free one play ping-pong, too", "[d3d12][waits]") {
  constexpr int rounds = 1'000;
  const Events events(2);
  Failures failures;
  fenceline::HostThread attached;
  Crew::run(2, [&](std::size_t self) {
    if (self == 1) attached.attach();
    for (int round = 0; round < rounds && failures.count == 0; ++round) {
      if (self == 1) failures.unless_woken(events[1]);
      SetEvent(events[1 - self]);
      if (self == 0) failures.unless_woken(events[0]);
    }
    if (self == 1) attached.detach();
  });
  CHECK(failures.count == 0);
}

TEST_CASE("waits of all threads: those that wait for each other are told so", "[d3d12][waits]") {
  const std::size_t threads = GENERATE(1, 2, 4);
  const Events events(threads);
  std::atomic<std::size_t> told{0};
  Crew::run(threads, [&](std::size_t self) {
    told += WaitForSingleObject(events[self], INFINITE) == WAIT_FAILED ? 1 : 0;
    SetEvent(events[(self + 1) % threads]);  // so that one that was not told goes on
  });
  CHECK(told >= 1);
}

TEST_CASE("waits of all threads: one event ends one of two waits, and then nothing is left for the other two",
          "[d3d12][waits]") {
  const Events events(2);
  std::atomic<int> told{0};
  std::atomic<int> woken{0};
  Crew::run(3, [&](std::size_t self) {
    if (self == 0) SetEvent(events[1]);
    const DWORD result = WaitForSingleObject(events[self == 0 ? 0 : 1], INFINITE);
    ++(result == WAIT_OBJECT_0 ? woken : told);
    if (result == WAIT_FAILED) {  // for the last one
      SetEvent(events[0]);
      SetEvent(events[1]);
    }
  });
  CHECK(told == 1);
  CHECK(woken == 2);
}

TEST_CASE("waits of all threads: a timeout is over at once where nobody can end the wait before", "[d3d12][waits]") {
  constexpr DWORD year = 0x7fffffff;
  const Events events(2);
  Failures failures;
  // The second's is shorter: it times out, and what it does then ends the other's wait.
  Crew::run(2, [&](std::size_t self) {
    if (self == 0) {
      failures.unless_woken(events[0], year);
    } else {
      failures.unless(WaitForSingleObject(events[1], year / 2) == WAIT_TIMEOUT);
      SetEvent(events[0]);
    }
  });
  CHECK(failures.count == 0);
  // And of one that waits for ever.
  Crew::run(2, [&](std::size_t self) {
    if (self == 0) {
      failures.unless_woken(events[0]);
    } else {
      failures.unless(WaitForSingleObject(events[1], year) == WAIT_TIMEOUT);
      SetEvent(events[0]);
    }
  });
  CHECK(failures.count == 0);
}
