// SPDX-License-Identifier: Apache-2.0
#pragma once

// Win32's events for programs that have none: the wait functions that D3D12 code calls, with Win32's semantics in
// simulated time. A HANDLE is an eventfd, so a program may pass one of its own instead, or poll one of these.
//
// Time: a timeout is simulated time of the calling thread (fenceline::d3d12::Host). A wait drives the machines. An
// INFINITE wait that nothing can end any more is reported on stderr, with who waits for what, and fails.
#include "api/d3d12/d3d12.hpp"

#ifndef INFINITE
#define INFINITE 0xFFFFFFFFU
#endif
#ifndef WAIT_OBJECT_0
#define WAIT_OBJECT_0 0x00000000U
#endif
#ifndef WAIT_TIMEOUT
#define WAIT_TIMEOUT 0x00000102U
#endif
#ifndef WAIT_FAILED
#define WAIT_FAILED 0xFFFFFFFFU
#endif
#ifndef MAXIMUM_WAIT_OBJECTS
#define MAXIMUM_WAIT_OBJECTS 64
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// A new event, not to be inherited; `attributes` and `name` are not looked at. Null when the process has no file
/// descriptor left.
HANDLE CreateEventW(void* attributes, BOOL manual_reset, BOOL initial_state, const WCHAR* name);
HANDLE CreateEventA(void* attributes, BOOL manual_reset, BOOL initial_state, const char* name);
/// FALSE for what is no event.
BOOL SetEvent(HANDLE event);
BOOL ResetEvent(HANDLE event);
BOOL CloseHandle(HANDLE event);
/// WAIT_OBJECT_0, WAIT_TIMEOUT or WAIT_FAILED. An event that resets itself is reset by the wait that it ends.
DWORD WaitForSingleObject(HANDLE event, DWORD milliseconds);
/// WAIT_OBJECT_0 + the index of the first event that is set (`wait_all`: WAIT_OBJECT_0 when all are, and only then are
/// they reset), WAIT_TIMEOUT, or WAIT_FAILED, also for no events or more than MAXIMUM_WAIT_OBJECTS.
DWORD WaitForMultipleObjects(DWORD count, const HANDLE* events, BOOL wait_all, DWORD milliseconds);
/// The calling thread sleeps, in simulated time.
void Sleep(DWORD milliseconds);

#ifdef __cplusplus
}
#endif

#ifndef CreateEvent
#define CreateEvent CreateEventW
#endif
