// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/clock.hpp"

#include "api/windows_compat/call.hpp"

using fenceline::d3d12::Host;

namespace {

constexpr std::uint64_t ps_per_second = 1'000'000'000'000;
constexpr std::uint64_t counts_per_second = 10'000'000;

std::uint64_t now_ps() {
  const Host::Lock lock = fenceline::windows_compat::enter_call();  // costs time, so that who polls gets on
  return Host::clock_ps();
}

}  // namespace

BOOL QueryPerformanceFrequency(PLARGE_INTEGER frequency) {
  frequency->QuadPart = counts_per_second;
  return TRUE;
}

BOOL QueryPerformanceCounter(PLARGE_INTEGER counter) {
  counter->QuadPart = static_cast<LONGLONG>(now_ps() / (ps_per_second / counts_per_second));
  return TRUE;
}

ULONGLONG GetTickCount64() { return now_ps() / (ps_per_second / 1000); }

DWORD GetTickCount() { return static_cast<DWORD>(GetTickCount64()); }

DWORD timeGetTime() { return GetTickCount(); }
