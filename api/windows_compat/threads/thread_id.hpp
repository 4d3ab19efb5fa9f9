// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/windows_compat/types.hpp"

namespace fenceline::windows_compat {

/// The calling thread's number, which it gets when it asks first.
DWORD thread_id();
/// The next number for a thread that is being made.
DWORD new_thread_id();
/// The calling thread's number, before it has one.
void set_thread_id(DWORD id);

}  // namespace fenceline::windows_compat
