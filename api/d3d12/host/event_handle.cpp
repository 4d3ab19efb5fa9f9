// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/host/event_handle.hpp"

#include "sim/files/descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <limits>
#include <map>
#include <set>

namespace fenceline::d3d12 {
namespace {

/// -1: cannot be a descriptor.
int descriptor(HANDLE event) {
  const auto number = reinterpret_cast<std::intptr_t>(event);
  return number > 0 && number <= std::numeric_limits<int>::max() ? static_cast<int>(number) : -1;
}

HANDLE handle(int descriptor) { return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(descriptor)); }

std::set<int>& manual_events() {
  static auto* const events = new std::set<int>;  // events may outlive static objects
  return *events;
}

std::set<int>& semaphores() {
  static auto* const all = new std::set<int>;
  return *all;
}

std::map<int, std::uint64_t>& generations() {
  static auto* const closed = new std::map<int, std::uint64_t>;
  return *closed;
}

/// Takes the counter back to 0.
bool drain(int event) {
  std::uint64_t count = 0;
  while (event_is_set(handle(event))) {
    if (read(event, &count, sizeof count) != sizeof count) return false;
  }
  return true;
}

}  // namespace

HANDLE create_event(bool manual_reset, bool set) {
  // Never 0, for a null handle is no handle.
  const int event = above_standard_streams(eventfd(set ? 1 : 0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (event < 0) return nullptr;
  if (manual_reset) manual_events().insert(event);
  return handle(event);
}

HANDLE create_semaphore(std::uint64_t count) {
  const int semaphore = above_standard_streams(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE));
  if (semaphore < 0) return nullptr;
  semaphores().insert(semaphore);
  release_semaphore(handle(semaphore), count);
  return handle(semaphore);
}

void release_semaphore(HANDLE semaphore, std::uint64_t count) {
  if (count == 0) return;
  [[maybe_unused]] const auto written = write(descriptor(semaphore), &count, sizeof count);
}

std::uint64_t semaphore_count(HANDLE semaphore) {
  std::uint64_t count = 0;
  for (std::uint64_t one = 0; event_is_set(semaphore); ++count) {
    if (read(descriptor(semaphore), &one, sizeof one) != sizeof one) break;
  }
  release_semaphore(semaphore, count);
  return count;
}

HANDLE duplicate_semaphore(HANDLE semaphore) {
  const int other = fcntl(descriptor(semaphore), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (other < 0) return nullptr;
  semaphores().insert(other);
  return handle(other);
}

HANDLE duplicate_event(HANDLE manual_event) {
  const int other = fcntl(descriptor(manual_event), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (other < 0) return nullptr;
  manual_events().insert(other);
  return handle(other);
}

bool is_event(HANDLE event) {
  pollfd poll_of{descriptor(event), 0, 0};
  return poll_of.fd >= 0 && poll(&poll_of, 1, 0) == 0;
}

bool set_event(HANDLE event) {
  constexpr std::uint64_t one = 1;
  if (!is_event(event) || semaphores().count(descriptor(event)) > 0) return false;
  return event_is_set(event) || write(descriptor(event), &one, sizeof one) == sizeof one;
}

bool reset_event(HANDLE event) {
  return is_event(event) && semaphores().count(descriptor(event)) == 0 && drain(descriptor(event));
}

bool close_event(HANDLE event) {
  if (!is_event(event)) return false;
  manual_events().erase(descriptor(event));
  semaphores().erase(descriptor(event));
  ++generations()[descriptor(event)];
  return close(descriptor(event)) == 0;
}

bool event_is_set(HANDLE event) {
  pollfd poll_of{descriptor(event), POLLIN, 0};
  return poll(&poll_of, 1, 0) == 1 && (poll_of.revents & POLLIN) != 0;
}

std::uint64_t event_generation(HANDLE event) {
  const auto known = generations().find(descriptor(event));
  return known != generations().end() ? known->second : 0;
}

void consume_event(HANDLE event) {
  const int waited_for = descriptor(event);
  if (semaphores().count(waited_for) > 0) {
    std::uint64_t one = 0;
    [[maybe_unused]] const auto taken = read(waited_for, &one, sizeof one);
    return;
  }
  if (manual_events().count(waited_for) == 0) drain(waited_for);
}

}  // namespace fenceline::d3d12
