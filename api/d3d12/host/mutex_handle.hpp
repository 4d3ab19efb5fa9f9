// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <thread>

namespace fenceline::d3d12 {

// What a HANDLE of a mutex is: that of a semaphore of one, whose holder is known and may take it again. All with the
// host's lock.

/// `taken`: the calling thread has it. Null when the process has no file descriptor left.
HANDLE create_mutex(bool taken);
/// That thread has it; false for what is no mutex, too.
bool has_mutex(HANDLE mutex, std::thread::id thread);
/// A wait of the calling thread has ended with it. False, and nothing done: it is no mutex.
bool take_mutex(HANDLE mutex);
/// False: the calling thread does not have it.
bool release_mutex(HANDLE mutex);
/// The handle is being closed. Nothing for what is no mutex.
void forget_mutex(HANDLE mutex);

}  // namespace fenceline::d3d12
