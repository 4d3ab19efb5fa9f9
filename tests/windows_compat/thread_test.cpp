// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/include/process.h"
#include "api/windows_compat/include/wrl.h"
#include "sim/sanitizers.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace {

/// Runs a function in a thread of Win32's. The function lives until the thread has ended.
template <class Function>
HANDLE begin(Function& function, DWORD flags = 0) {
  return CreateThread(
      nullptr, 0, [](LPVOID it) -> DWORD { return (*static_cast<Function*>(it))(); }, &function, flags, nullptr);
}

void end(HANDLE thread) {
  CHECK(WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0);
  CHECK(CloseHandle(thread));
}

std::int64_t now_us() {
  LARGE_INTEGER frequency{};
  LARGE_INTEGER counter{};
  QueryPerformanceFrequency(&frequency);
  QueryPerformanceCounter(&counter);
  return counter.QuadPart * 1'000'000 / frequency.QuadPart;
}

}  // namespace

TEST_CASE("clocks: they go by simulated time", "[windows_compat]") {
  const std::int64_t before_us = now_us();
  const ULONGLONG before_ms = GetTickCount64();
  Sleep(250);
  const std::int64_t slept_us = now_us() - before_us;
  CHECK(slept_us >= 250'000);
  CHECK(slept_us < 250'010);  // and a few calls' time
  CHECK(GetTickCount64() - before_ms == 250);
}

TEST_CASE("threads: one begins with its maker's time, and leaves a code", "[windows_compat]") {
  Sleep(5);
  const std::int64_t made_us = now_us();
  std::int64_t began_us = 0;
  auto work = [&]() -> DWORD {
    began_us = now_us();
    Sleep(100);
    return 42;
  };
  const HANDLE thread = begin(work);
  DWORD code = 0;
  CHECK(GetExitCodeThread(thread, &code));
  CHECK(code == STILL_ACTIVE);
  CHECK(WaitForSingleObject(thread, 50) == WAIT_TIMEOUT);
  CHECK(WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0);
  CHECK(GetExitCodeThread(thread, &code));
  CHECK(code == 42);
  CHECK(began_us >= made_us);
  CHECK(began_us < made_us + 5);
  CHECK(now_us() >= began_us + 100'000);
  CHECK(CloseHandle(thread));
  CHECK_FALSE(GetExitCodeThread(thread, &code));
  CHECK(GetLastError() == ERROR_INVALID_HANDLE);
}

TEST_CASE("threads: a suspended one begins when it is resumed, ExitThread ends one", "[windows_compat]") {
  bool ran = false;
  bool cleaned = false;
  auto work = [&]() -> DWORD {
    struct Cleaner {
      bool& cleaned;
      ~Cleaner() { cleaned = true; }
    } cleaner{cleaned};
    ran = true;
    _endthreadex(7);
    return 8;
  };
  const HANDLE thread = begin(work, CREATE_SUSPENDED);
  CHECK(WaitForSingleObject(thread, 100) == WAIT_TIMEOUT);
  CHECK_FALSE(ran);
  CHECK(ResumeThread(thread) == 1);
  CHECK(WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0);
  CHECK(ResumeThread(thread) == 0);
  DWORD code = 0;
  CHECK(GetExitCodeThread(thread, &code));
  CHECK(code == 7);
  CHECK(ran);
  CHECK(cleaned);
  CHECK(CloseHandle(thread));
  CHECK(ResumeThread(thread) == static_cast<DWORD>(-1));
}

TEST_CASE("threads: one whose handle is closed before it ends harms nobody's handle", "[windows_compat]") {
  const HANDLE done = CreateEvent(nullptr, TRUE, FALSE, nullptr);
  auto work = [&]() -> DWORD {
    Sleep(1);
    SetEvent(done);
    return 0;
  };
  const HANDLE thread = begin(work);
  CHECK(CloseHandle(thread));
  std::vector<HANDLE> others;  // one of them has the thread's number
  for (int i = 0; i < 4; ++i) others.push_back(CreateEvent(nullptr, TRUE, FALSE, nullptr));
  CHECK(WaitForSingleObject(done, INFINITE) == WAIT_OBJECT_0);
  Sleep(1);
  for (const HANDLE other : others) {
    CHECK(WaitForSingleObject(other, 0) == WAIT_TIMEOUT);
    CHECK(CloseHandle(other));
  }
  CHECK(CloseHandle(done));
}

TEST_CASE("threads: many of them take turns, the same at every run", "[windows_compat]") {
  // Each writes down whose turn it is; what they write must not depend on how the machine runs them.
  const auto play = [](unsigned threads, unsigned rounds) {
    std::string order;
    CRITICAL_SECTION section;
    InitializeCriticalSection(&section);
    struct Worker {
      unsigned number;
      unsigned rounds;
      std::string* order;
      CRITICAL_SECTION* section;
      static unsigned WINAPI run(void* argument) {
        const auto& self = *static_cast<Worker*>(argument);
        for (unsigned i = 0; i < self.rounds; ++i) {
          EnterCriticalSection(self.section);
          *self.order += static_cast<char>('a' + self.number);
          if (i % 3 == self.number % 3) Sleep(1);  // with the section held: the others wait for it
          LeaveCriticalSection(self.section);
          Sleep(self.number % 2);
        }
        return self.number;
      }
    };
    std::vector<Worker> workers;
    for (unsigned i = 0; i < threads; ++i) workers.push_back({i, rounds, &order, &section});
    std::vector<HANDLE> handles;
    for (Worker& worker : workers) {
      handles.push_back(reinterpret_cast<HANDLE>(_beginthreadex(nullptr, 0, Worker::run, &worker, 0, nullptr)));
    }
    CHECK(WaitForMultipleObjects(static_cast<DWORD>(threads), handles.data(), TRUE, INFINITE) == WAIT_OBJECT_0);
    for (const HANDLE handle : handles) CHECK(CloseHandle(handle));
    DeleteCriticalSection(&section);
    return order;
  };
  for (const auto& [threads, rounds] : {std::pair(2U, 40U), std::pair(5U, 20U), std::pair(16U, 8U)}) {
    const std::string first = play(threads, rounds);
    CHECK(first.size() == threads * rounds);
    for (int again = 0; again < 5; ++again) CHECK(play(threads, rounds) == first);
  }
}

TEST_CASE("threads: two that pass two events to and fro never fail a wait", "[windows_compat]") {
  const HANDLE ping = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  const HANDLE pong = CreateEvent(nullptr, FALSE, FALSE, nullptr);
  constexpr int rounds = 2000;
  int failed = 0;
  auto work = [&]() -> DWORD {
    DWORD wrong = 0;
    for (int i = 0; i < rounds; ++i) {
      if (WaitForSingleObject(ping, INFINITE) != WAIT_OBJECT_0) ++wrong;
      SetEvent(pong);
    }
    return wrong;
  };
  const HANDLE thread = begin(work);
  for (int i = 0; i < rounds; ++i) {
    SetEvent(ping);
    if (WaitForSingleObject(pong, INFINITE) != WAIT_OBJECT_0) ++failed;
  }
  CHECK(failed == 0);
  CHECK(WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0);
  DWORD code = 1;
  CHECK(GetExitCodeThread(thread, &code));
  CHECK(code == 0);
  for (const HANDLE handle : {thread, ping, pong}) CHECK(CloseHandle(handle));
}

TEST_CASE("mutexes: their holder may take one again, others wait until all of it is released", "[windows_compat]") {
  using Microsoft::WRL::Wrappers::Mutex;
  const HANDLE mutex = CreateMutex(nullptr, TRUE, nullptr);
  CHECK(WaitForSingleObject(mutex, 0) == WAIT_OBJECT_0);
  std::int64_t taken_us = 0;
  auto work = [&]() -> DWORD {
    if (ReleaseMutex(mutex)) return 1;  // it is another's
    if (GetLastError() != ERROR_NOT_OWNER) return 2;
    const auto lock = Mutex::Lock(mutex);
    taken_us = now_us();
    return lock.IsLocked() ? 0 : 3;
  };
  const HANDLE thread = begin(work);
  Sleep(10);
  CHECK(ReleaseMutex(mutex));
  Sleep(10);
  CHECK(taken_us == 0);
  const std::int64_t released_us = now_us();
  CHECK(ReleaseMutex(mutex));
  CHECK_FALSE(ReleaseMutex(mutex));
  CHECK(WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0);
  CHECK(taken_us >= released_us);
  DWORD code = 9;
  CHECK(GetExitCodeThread(thread, &code));
  CHECK(code == 0);
  CHECK(WaitForSingleObject(mutex, 0) == WAIT_OBJECT_0);  // the other's lock is gone
  CHECK(ReleaseMutex(mutex));
  CHECK(CloseHandle(thread));
  CHECK(CloseHandle(mutex));
  CHECK_FALSE(ReleaseMutex(mutex));
}

TEST_CASE("semaphores: each wait takes one, and the limit holds", "[windows_compat]") {
  CHECK(CreateSemaphore(nullptr, 4, 3, nullptr) == nullptr);
  const HANDLE semaphore = CreateSemaphore(nullptr, 1, 3, nullptr);
  LONG before = -1;
  CHECK_FALSE(ReleaseSemaphore(semaphore, 3, &before));
  CHECK(ReleaseSemaphore(semaphore, 2, &before));
  CHECK(before == 1);
  for (int i = 0; i < 3; ++i) CHECK(WaitForSingleObject(semaphore, 0) == WAIT_OBJECT_0);
  CHECK(WaitForSingleObject(semaphore, 0) == WAIT_TIMEOUT);
  CHECK(ReleaseSemaphore(semaphore, 1, &before));
  CHECK(before == 0);
  CHECK(CloseHandle(semaphore));
  CHECK_FALSE(ReleaseSemaphore(semaphore, 1, nullptr));
}

TEST_CASE("critical sections: the holder may enter again, and Try says when another is in", "[windows_compat]") {
  CRITICAL_SECTION section;
  InitializeCriticalSectionAndSpinCount(&section, 8);
  EnterCriticalSection(&section);
  CHECK(TryEnterCriticalSection(&section));
  auto try_it = [&]() -> DWORD { return TryEnterCriticalSection(&section); };
  const auto others_try = [&] {
    const HANDLE thread = begin(try_it);
    CHECK(WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0);
    DWORD code = 9;
    CHECK(GetExitCodeThread(thread, &code));
    CHECK(CloseHandle(thread));
    return code;
  };
  CHECK(others_try() == 0);
  LeaveCriticalSection(&section);
  CHECK(others_try() == 0);
  LeaveCriticalSection(&section);
  CHECK(others_try() == 1);
  DeleteCriticalSection(&section);
}

TEST_CASE("thread numbers: the maker's is the smaller one, and each has its own", "[windows_compat]") {
  const DWORD mine = GetCurrentThreadId();
  DWORD told = 0;
  auto work = [&]() -> DWORD {
    told = GetCurrentThreadId();
    return 0;
  };
  DWORD id = 0;
  const HANDLE thread = CreateThread(
      nullptr, 0, [](LPVOID it) -> DWORD { return (*static_cast<decltype(work)*>(it))(); }, &work, 0, &id);
  end(thread);
  CHECK(id > mine);
  CHECK(told == id);
  CHECK(GetCurrentThreadId() == mine);
}

#if !defined(FENCELINE_ADDRESS_SANITIZER) && !defined(FENCELINE_THREAD_SANITIZER)
TEST_CASE("threads of std::async, std::thread and pthread_create take turns where the environment says so",
          "[windows_compat]") {
  const fenceline::testing::Shell shell;
  const auto run = [&](const std::string& environment) {
    return shell.run(environment + " timeout 60 " + fenceline::testing::Shell::quoted(FENCELINE_STD_THREADS_PROGRAM));
  };
  const fenceline::testing::Output first = run("FENCELINE_ATTACH_THREADS=1");
  CAPTURE(first.err);
  REQUIRE(first.code == 0);
  CHECK(first.err.empty());
  CAPTURE(first.out);
  // At 0 ms each takes one in the order of their numbers; those of 1 ms come back first.
  CHECK(first.out.find("\n0 1 2 3 4 0 3 ") != std::string::npos);
  for (int again = 0; again < 20; ++again) CHECK(run("FENCELINE_ATTACH_THREADS=1").out == first.out);

  // The thread that writes a capture is none of the program's.
  const fenceline::testing::Output captured = run("FENCELINE_CAPTURE=x.capture FENCELINE_ATTACH_THREADS=1");
  CHECK(captured.code == 0);
  CHECK(captured.out == first.out);

  for (const char* free : {"", "FENCELINE_ATTACH_THREADS=0"}) {
    const fenceline::testing::Output other = run(free);
    CHECK(other.code == 0);
    CHECK(other.err.empty());
  }
  const fenceline::testing::Output told = run("FENCELINE_ATTACH_THREADS=yes");
  CHECK(told.code == 0);
  CHECK(told.err == "fenceline: FENCELINE_ATTACH_THREADS: expected 0 or 1, found \"yes\"; it is 0\n");
}
#endif
