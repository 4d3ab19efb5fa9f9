// SPDX-License-Identifier: Apache-2.0
// Mutexes, semaphores and critical sections.
#include "api/d3d12/host/event_handle.hpp"
#include "api/d3d12/host/host_clock.hpp"
#include "api/d3d12/host/mutex_handle.hpp"
#include "api/windows_compat/call.hpp"
#include "api/windows_compat/system_error.hpp"
#include "api/windows_compat/threads/thread.hpp"

#include <cstdlib>
#include <map>
#include <thread>

using fenceline::d3d12::Host;
using fenceline::windows_compat::enter_call;
using fenceline::windows_compat::fail_with;
namespace d3d12 = fenceline::d3d12;

namespace {

HANDLE me() { return reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(GetCurrentThreadId())); }

/// Limits of semaphores, by handle and how often that number had been closed before.
std::map<std::pair<HANDLE, std::uint64_t>, LONG>& limits() {
  static auto* const all = new std::map<std::pair<HANDLE, std::uint64_t>, LONG>;
  return *all;
}

void take(CRITICAL_SECTION& section) {
  section.OwningThread = me();
  ++section.RecursionCount;
}

bool may_take(const CRITICAL_SECTION& section, HANDLE thread) {
  return section.OwningThread == nullptr || section.OwningThread == thread;
}

}  // namespace

HANDLE CreateMutexW(LPSECURITY_ATTRIBUTES, BOOL owned, LPCWSTR) {
  const Host::Lock lock = enter_call();
  const HANDLE mutex = d3d12::create_mutex(owned != FALSE);
  if (mutex == nullptr) fail_with(ERROR_TOO_MANY_OPEN_FILES);
  return mutex;
}

BOOL ReleaseMutex(HANDLE mutex) {
  const Host::Lock lock = enter_call();
  if (!d3d12::release_mutex(mutex)) return fail_with(ERROR_NOT_OWNER);
  Host::instance().notify();
  return TRUE;
}

HANDLE CreateSemaphoreW(LPSECURITY_ATTRIBUTES, LONG count, LONG limit, LPCWSTR) {
  if (count < 0 || limit <= 0 || count > limit) {
    fail_with(ERROR_INVALID_PARAMETER);
    return nullptr;
  }
  const Host::Lock lock = enter_call();
  const HANDLE semaphore = d3d12::create_semaphore(static_cast<std::uint64_t>(count));
  if (semaphore == nullptr) {
    fail_with(ERROR_TOO_MANY_OPEN_FILES);
    return nullptr;
  }
  limits()[{semaphore, d3d12::event_generation(semaphore)}] = limit;
  return semaphore;
}

BOOL ReleaseSemaphore(HANDLE semaphore, LONG count, LONG* previous) {
  const Host::Lock lock = enter_call();
  const auto limit = limits().find({semaphore, d3d12::event_generation(semaphore)});
  if (limit == limits().end()) return fail_with(ERROR_INVALID_HANDLE);
  const auto before = static_cast<LONG>(d3d12::semaphore_count(semaphore));
  if (count <= 0 || count > limit->second - before) return fail_with(ERROR_INVALID_PARAMETER);
  d3d12::release_semaphore(semaphore, static_cast<std::uint64_t>(count));
  if (previous != nullptr) *previous = before;
  Host::instance().notify();
  return TRUE;
}

HANDLE CreateEventExW(LPSECURITY_ATTRIBUTES attributes, LPCWSTR name, DWORD flags, DWORD) {
  return CreateEventW(attributes, (flags & CREATE_EVENT_MANUAL_RESET) != 0, (flags & CREATE_EVENT_INITIAL_SET) != 0,
                      name);
}

void InitializeCriticalSection(LPCRITICAL_SECTION section) { *section = {}; }

BOOL InitializeCriticalSectionAndSpinCount(LPCRITICAL_SECTION section, DWORD spins) {
  InitializeCriticalSection(section);
  section->SpinCount = spins;
  return TRUE;
}

BOOL InitializeCriticalSectionEx(LPCRITICAL_SECTION section, DWORD spins, DWORD) {
  return InitializeCriticalSectionAndSpinCount(section, spins);
}

void DeleteCriticalSection(LPCRITICAL_SECTION section) { *section = {}; }

void EnterCriticalSection(LPCRITICAL_SECTION section) {
  Host& host = Host::instance();
  Host::Lock lock = enter_call();
  const HANDLE self = me();
  if (d3d12::thread_number != 0) {
    const auto free = [=] { return may_take(*section, self); };
    // On Windows the program would stand still here for ever; it has been said who waits for what.
    if (host.wait(lock, free, Host::never, host.wake_ps(), [] { return "a critical section"; }) ==
        Host::Outcome::deadlock) {
      std::abort();
    }
  }
  // A thread that runs freely must not simulate ahead of the holder, whose calls come at its own time.
  while (!may_take(*section, self)) {
    lock.unlock();
    std::this_thread::yield();
    lock.lock();
  }
  take(*section);
}

BOOL TryEnterCriticalSection(LPCRITICAL_SECTION section) {
  const Host::Lock lock = enter_call();
  if (!may_take(*section, me())) return FALSE;
  take(*section);
  return TRUE;
}

void LeaveCriticalSection(LPCRITICAL_SECTION section) {
  const Host::Lock lock = enter_call();
  if (section->OwningThread != me() || --section->RecursionCount > 0) return;
  section->OwningThread = nullptr;
  Host::instance().notify();
}
