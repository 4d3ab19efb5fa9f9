// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // names that Windows' headers have

// Clocks: the calling thread's simulated time, so that programs that measure themselves print the same at every run.
#include "api/windows_compat/types.hpp"

#ifdef __cplusplus
extern "C" {
#endif

/// 10 MHz, as Windows 10 has it.
BOOL QueryPerformanceFrequency(PLARGE_INTEGER frequency);
BOOL QueryPerformanceCounter(PLARGE_INTEGER counter);
/// Milliseconds.
ULONGLONG GetTickCount64(void);
DWORD GetTickCount(void);
DWORD timeGetTime(void);

#ifdef __cplusplus
}
#endif
