// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/event.hpp"

#include "api/d3d12/host/event_handle.hpp"
#include "api/d3d12/host/event_source.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/host/mutex_handle.hpp"
#include "api/d3d12/host/shared_handle.hpp"

#include <fmt/format.h>

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace {

using fenceline::d3d12::Host;
namespace d3d12 = fenceline::d3d12;

constexpr std::uint64_t ps_per_ms = 1'000'000'000;

std::uint64_t deadline_of(DWORD milliseconds) {
  return milliseconds == INFINITE ? Host::never : Host::clock_ps() + milliseconds * ps_per_ms;
}

HANDLE create(BOOL manual_reset, BOOL initial_state) {
  const Host::Lock lock = Host::instance().lock();
  return d3d12::create_event(manual_reset != FALSE, initial_state != FALSE);
}

/// A wait of the calling thread ends with it.
void consume(HANDLE event, std::uint64_t since_ps) {
  d3d12::tell_waited(event, since_ps);
  if (!d3d12::take_mutex(event)) d3d12::consume_event(event);
}

}  // namespace

HANDLE CreateEventW(void*, BOOL manual_reset, BOOL initial_state, const WCHAR*) {
  return create(manual_reset, initial_state);
}

HANDLE CreateEventA(void*, BOOL manual_reset, BOOL initial_state, const char*) {
  return create(manual_reset, initial_state);
}

BOOL SetEvent(HANDLE event) {
  const Host::Lock lock = Host::instance().enter_call();
  if (!d3d12::set_event(event)) return FALSE;
  d3d12::forget_source(event);
  Host::instance().notify();
  return TRUE;
}

BOOL ResetEvent(HANDLE event) {
  const Host::Lock lock = Host::instance().enter_call();
  return d3d12::reset_event(event) ? TRUE : FALSE;
}

BOOL CloseHandle(HANDLE event) {
  d3d12::unshare(event);
  const Host::Lock lock = Host::instance().lock();
  d3d12::forget_mutex(event);
  d3d12::forget_source(event);
  return d3d12::close_event(event) ? TRUE : FALSE;
}

DWORD WaitForSingleObject(HANDLE event, DWORD milliseconds) {
  return WaitForMultipleObjects(1, &event, FALSE, milliseconds);
}

DWORD WaitForMultipleObjects(DWORD count, const HANDLE* events, BOOL wait_all, DWORD milliseconds) {
  if (count == 0 || count > MAXIMUM_WAIT_OBJECTS || events == nullptr) return WAIT_FAILED;
  Host& host = Host::instance();
  Host::Lock lock = host.enter_call();
  const auto is_set = [thread = std::this_thread::get_id()](HANDLE event) {
    return d3d12::event_is_set(event) || d3d12::has_mutex(event, thread);
  };
  if (!std::all_of(events, events + count, d3d12::is_event)) return WAIT_FAILED;
  const auto satisfied = [&] {
    return wait_all != FALSE ? std::all_of(events, events + count, is_set)
                             : std::any_of(events, events + count, is_set);
  };
  const auto what = [&] {
    std::string text = count == 1 ? "event" : wait_all != FALSE ? "all of the events" : "one of the events";
    for (DWORD i = 0; i < count; ++i) text += fmt::format(" {}", reinterpret_cast<std::uintptr_t>(events[i]));
    return text;
  };
  const std::uint64_t since_ps = Host::clock_ps();
  switch (host.wait(lock, satisfied, deadline_of(milliseconds), host.wake_ps(), what)) {
    case Host::Outcome::timed_out: return WAIT_TIMEOUT;
    case Host::Outcome::deadlock: return WAIT_FAILED;
    case Host::Outcome::satisfied: break;
  }
  if (wait_all != FALSE) {
    std::for_each(events, events + count, [since_ps](HANDLE event) { consume(event, since_ps); });
    return WAIT_OBJECT_0;
  }
  const HANDLE* first = std::find_if(events, events + count, is_set);
  consume(*first, since_ps);
  return WAIT_OBJECT_0 + static_cast<DWORD>(first - events);
}

void Sleep(DWORD milliseconds) {
  Host& host = Host::instance();
  Host::Lock lock = host.enter_call();
  Host::spend(milliseconds * ps_per_ms);
}
