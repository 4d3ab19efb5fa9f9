// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

// What a HANDLE of an event is: an eventfd whose counter is above 0 while the event is set. That of a semaphore is one,
// too, and its counter is the semaphore's. All with the host's lock.

/// Null when the process has no file descriptor left.
HANDLE create_event(bool manual_reset, bool set);
/// Null when the process has no file descriptor left. A wait that it ends takes one from its count.
HANDLE create_semaphore(std::uint64_t count);
void release_semaphore(HANDLE semaphore, std::uint64_t count);
std::uint64_t semaphore_count(HANDLE semaphore);
/// Another handle of the same semaphore, or of the same event that does not reset itself; null when the process has no
/// file descriptor left.
HANDLE duplicate_semaphore(HANDLE semaphore);
HANDLE duplicate_event(HANDLE manual_event);
/// The handle is an open file descriptor that can be an event.
bool is_event(HANDLE event);
/// False: no event; a semaphore is none.
bool set_event(HANDLE event);
bool reset_event(HANDLE event);
bool close_event(HANDLE event);
bool event_is_set(HANDLE event);
/// Counts the events that have had this handle: an event that is closed and the next one with its handle differ.
std::uint64_t event_generation(HANDLE event);
/// A wait ends with it: one that resets itself is reset. One that the program made itself does.
void consume_event(HANDLE event);

}  // namespace fenceline::d3d12
