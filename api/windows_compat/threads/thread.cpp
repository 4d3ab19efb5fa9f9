// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/threads/thread.hpp"

#include "api/d3d12/host/event_handle.hpp"
#include "api/d3d12/host/host_clock.hpp"
#include "api/d3d12/host_thread.hpp"
#include "api/windows_compat/call.hpp"
#include "api/windows_compat/system_error.hpp"
#include "api/windows_compat/threads/attached_threads.hpp"
#include "api/windows_compat/threads/thread_id.hpp"
#include "sim/plain_threads.hpp"

#include <pthread.h>

#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <utility>

using fenceline::PlainThreads;
using fenceline::d3d12::Host;
using fenceline::windows_compat::attach_caller;
using fenceline::windows_compat::enter_call;
using fenceline::windows_compat::fail_with;
using fenceline::windows_compat::new_thread_id;
using fenceline::windows_compat::set_thread_id;
using fenceline::windows_compat::thread_id;
namespace d3d12 = fenceline::d3d12;

namespace {

/// What a thread's handle stands for. All with the host's lock, but for `start`.
struct Thread {
  std::function<DWORD()> start;
  DWORD id = 0;
  DWORD exit_code = STILL_ACTIVE;
  bool begun = false;
  HANDLE done = nullptr;  ///< the thread's own: the program may close its handle before the thread ends
  std::unique_ptr<fenceline::HostThread> host;
};

/// By the program's handle, whose number may come again once it is closed.
struct Known {
  std::uint64_t generation;
  std::shared_ptr<Thread> thread;
};
std::map<HANDLE, Known>& known_threads() {
  static auto* const all = new std::map<HANDLE, Known>;  // threads may outlive static objects
  return *all;
}

/// Null: no thread's handle.
std::shared_ptr<Thread> thread_of(HANDLE handle) {
  const auto found = known_threads().find(handle);
  if (found == known_threads().end() || found->second.generation != d3d12::event_generation(handle)) return nullptr;
  return found->second.thread;
}

thread_local Thread* this_thread = nullptr;

/// The last thing that a thread does, also where ExitThread ends it.
class Ending {
 public:
  explicit Ending(std::shared_ptr<Thread> thread) : thread_(std::move(thread)) {}
  ~Ending() {
    {
      const Host::Lock lock = enter_call();
      d3d12::set_event(thread_->done);
      d3d12::close_event(thread_->done);
      Host::instance().notify();
    }
    thread_->host->detach();
  }
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;

 private:
  std::shared_ptr<Thread> thread_;
};

void run(const std::shared_ptr<Thread>& thread) {
  thread->host->attach();
  this_thread = thread.get();
  set_thread_id(thread->id);
  const Ending ending(thread);
  const DWORD code = thread->start();
  const Host::Lock lock = Host::instance().lock();
  thread->exit_code = code;
}

void begin(const std::shared_ptr<Thread>& thread) {
  attach_caller();
  thread->host = std::make_unique<fenceline::HostThread>();
  const PlainThreads attached_by_run;
  std::thread(run, thread).detach();
}

HANDLE create_thread(std::function<DWORD()> start, bool suspended, DWORD& id) {
  const auto thread = std::make_shared<Thread>();
  HANDLE handle = nullptr;
  {
    const Host::Lock lock = enter_call();
    thread_id();  // the maker's number is the smaller one
    handle = d3d12::create_event(true, false);
    if (handle != nullptr) thread->done = d3d12::duplicate_event(handle);
    if (handle == nullptr || thread->done == nullptr) {
      if (handle != nullptr) d3d12::close_event(handle);
      fail_with(ERROR_TOO_MANY_OPEN_FILES);
      return nullptr;
    }
    thread->start = std::move(start);
    thread->id = id = new_thread_id();
    thread->begun = !suspended;
    known_threads()[handle] = {d3d12::event_generation(handle), thread};
  }
  if (!suspended) begin(thread);
  return handle;
}

}  // namespace

HANDLE CreateThread(LPSECURITY_ATTRIBUTES, SIZE_T, LPTHREAD_START_ROUTINE start, LPVOID argument, DWORD flags,
                    LPDWORD id) {
  DWORD number = 0;
  const HANDLE thread =
      create_thread([start, argument] { return start(argument); }, (flags & CREATE_SUSPENDED) != 0, number);
  if (id != nullptr) *id = number;
  return thread;
}

uintptr_t _beginthreadex(void*, unsigned, FencelineCrtThreadStart start, void* argument, unsigned flags, unsigned* id) {
  return reinterpret_cast<uintptr_t>(CreateThread(nullptr, 0, start, argument, flags, id));
}

DWORD ResumeThread(HANDLE handle) {
  std::shared_ptr<Thread> thread;
  {
    const Host::Lock lock = enter_call();
    thread = thread_of(handle);
    if (thread == nullptr) {
      fail_with(ERROR_INVALID_HANDLE);
      return static_cast<DWORD>(-1);
    }
    if (thread->begun) return 0;
    thread->begun = true;
  }
  begin(thread);
  return 1;
}

void ExitThread(DWORD code) {
  if (this_thread != nullptr) {
    const Host::Lock lock = Host::instance().lock();
    this_thread->exit_code = code;
  }
  pthread_exit(nullptr);
}

void _endthreadex(unsigned code) { ExitThread(code); }

BOOL GetExitCodeThread(HANDLE handle, LPDWORD code) {
  const Host::Lock lock = enter_call();
  const std::shared_ptr<Thread> thread = thread_of(handle);
  if (thread == nullptr) return fail_with(ERROR_INVALID_HANDLE);
  *code = thread->exit_code;
  return TRUE;
}

DWORD GetCurrentThreadId() { return thread_id(); }

BOOL SwitchToThread() {
  const Host::Lock lock = enter_call();
  return TRUE;
}

void YieldProcessor() { SwitchToThread(); }

BOOL SetThreadPriority(HANDLE, int) { return TRUE; }

HANDLE GetCurrentThread() { return reinterpret_cast<HANDLE>(static_cast<LONG_PTR>(-2)); }  // as on Windows

HRESULT SetThreadDescription(HANDLE, LPCWSTR) { return S_OK; }
