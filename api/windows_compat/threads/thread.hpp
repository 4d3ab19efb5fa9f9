// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // names that Windows' headers have

// Threads, and what they share. A thread that is made here takes turns with the one that made it and all others made
// here, in the order of their simulated clocks (fenceline::HostThread), so that programs of several threads do the same
// at every run. They have to wait for each other by calls of this header and of <event.hpp>: a thread that waits
// elsewhere (a std::mutex, a loop that calls nothing) holds up the others.
#include "api/windows_compat/error.hpp"

#define WAIT_ABANDONED_0 0x00000080U
#define WAIT_ABANDONED WAIT_ABANDONED_0
#define WAIT_IO_COMPLETION 0x000000C0U
#define STILL_ACTIVE 0x103U
#define CREATE_SUSPENDED 0x4U
#define SYNCHRONIZE 0x00100000U
#define EVENT_ALL_ACCESS 0x1F0003U
#define MUTEX_ALL_ACCESS 0x1F0001U
#define CREATE_EVENT_MANUAL_RESET 0x1U
#define CREATE_EVENT_INITIAL_SET 0x2U
#define THREAD_PRIORITY_LOWEST (-2)
#define THREAD_PRIORITY_BELOW_NORMAL (-1)
#define THREAD_PRIORITY_NORMAL 0
#define THREAD_PRIORITY_ABOVE_NORMAL 1
#define THREAD_PRIORITY_HIGHEST 2
#define THREAD_PRIORITY_TIME_CRITICAL 15

typedef DWORD(WINAPI* LPTHREAD_START_ROUTINE)(LPVOID);
typedef LPTHREAD_START_ROUTINE PTHREAD_START_ROUTINE;
typedef unsigned(WINAPI* FencelineCrtThreadStart)(void*);
typedef struct _RTL_CRITICAL_SECTION {
  void* DebugInfo;
  LONG LockCount;
  LONG RecursionCount;
  HANDLE OwningThread;
  HANDLE LockSemaphore;
  ULONG_PTR SpinCount;
} CRITICAL_SECTION, *PCRITICAL_SECTION, *LPCRITICAL_SECTION;

#ifdef __cplusplus
extern "C" {
#endif

/// A handle that waits end with when the thread has ended; null when the process has no file descriptor left. `flags`:
/// 0 or CREATE_SUSPENDED. Attributes and the size of the stack are not looked at.
HANDLE CreateThread(LPSECURITY_ATTRIBUTES attributes, SIZE_T stack_bytes, LPTHREAD_START_ROUTINE start, LPVOID argument,
                    DWORD flags, LPDWORD id);
uintptr_t _beginthreadex(void* attributes, unsigned stack_bytes, FencelineCrtThreadStart start, void* argument,
                         unsigned flags, unsigned* id);
/// A thread that was made suspended begins, with the caller's time. How often it had been suspended, or -1.
DWORD ResumeThread(HANDLE thread);
void ExitThread(DWORD code);
void _endthreadex(unsigned code);
BOOL GetExitCodeThread(HANDLE thread, LPDWORD code);
/// 1 for the first thread that asks or makes another; each new thread has the next number.
DWORD GetCurrentThreadId(void);
/// Cost a call's time and let others have their turns.
BOOL SwitchToThread(void);
void YieldProcessor(void);
/// Done and not looked at.
BOOL SetThreadPriority(HANDLE thread, int priority);
HANDLE GetCurrentThread(void);
HRESULT SetThreadDescription(HANDLE thread, LPCWSTR name);

/// A mutex's holder may take it again. Waits take it. `name` and `attributes` are not looked at.
HANDLE CreateMutexW(LPSECURITY_ATTRIBUTES attributes, BOOL owned, LPCWSTR name);
BOOL ReleaseMutex(HANDLE mutex);
HANDLE CreateSemaphoreW(LPSECURITY_ATTRIBUTES attributes, LONG count, LONG limit, LPCWSTR name);
/// FALSE when the count would go beyond the limit.
BOOL ReleaseSemaphore(HANDLE semaphore, LONG count, LONG* previous);
HANDLE CreateEventExW(LPSECURITY_ATTRIBUTES attributes, LPCWSTR name, DWORD flags, DWORD access);

void InitializeCriticalSection(LPCRITICAL_SECTION section);
BOOL InitializeCriticalSectionAndSpinCount(LPCRITICAL_SECTION section, DWORD spins);
BOOL InitializeCriticalSectionEx(LPCRITICAL_SECTION section, DWORD spins, DWORD flags);
void DeleteCriticalSection(LPCRITICAL_SECTION section);
void EnterCriticalSection(LPCRITICAL_SECTION section);
BOOL TryEnterCriticalSection(LPCRITICAL_SECTION section);
void LeaveCriticalSection(LPCRITICAL_SECTION section);

#ifdef __cplusplus
}
#endif

#define CreateMutex CreateMutexW
#define CreateSemaphore CreateSemaphoreW
#define CreateEventEx CreateEventExW
#define WaitForSingleObjectEx(handle, milliseconds, alertable) WaitForSingleObject(handle, milliseconds)
#define WaitForMultipleObjectsEx(count, handles, wait_all, milliseconds, alertable) \
  WaitForMultipleObjects(count, handles, wait_all, milliseconds)
#define SleepEx(milliseconds, alertable) Sleep(milliseconds)

#define InterlockedIncrement(where) __atomic_add_fetch((where), 1, __ATOMIC_SEQ_CST)
#define InterlockedDecrement(where) __atomic_sub_fetch((where), 1, __ATOMIC_SEQ_CST)
#define InterlockedExchange(where, value) __atomic_exchange_n((where), (value), __ATOMIC_SEQ_CST)
#define InterlockedExchangeAdd(where, value) __atomic_fetch_add((where), (value), __ATOMIC_SEQ_CST)
#define InterlockedAdd(where, value) __atomic_add_fetch((where), (value), __ATOMIC_SEQ_CST)
#define InterlockedAnd(where, value) __atomic_fetch_and((where), (value), __ATOMIC_SEQ_CST)
#define InterlockedOr(where, value) __atomic_fetch_or((where), (value), __ATOMIC_SEQ_CST)
#define InterlockedXor(where, value) __atomic_fetch_xor((where), (value), __ATOMIC_SEQ_CST)
#define InterlockedCompareExchange(where, value, expected) __sync_val_compare_and_swap((where), (expected), (value))
#define InterlockedIncrement64 InterlockedIncrement
#define InterlockedDecrement64 InterlockedDecrement
#define InterlockedExchange64 InterlockedExchange
#define InterlockedExchangeAdd64 InterlockedExchangeAdd
#define InterlockedAdd64 InterlockedAdd
#define InterlockedCompareExchange64 InterlockedCompareExchange
#define InterlockedExchangePointer InterlockedExchange
#define InterlockedCompareExchangePointer InterlockedCompareExchange
#define MemoryBarrier() __sync_synchronize()
