// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/windows_compat/types.hpp"

namespace fenceline::windows_compat {

/// Win32's error for a value of errno.
DWORD error_of(int number);
/// The calling thread's last error is that one. FALSE.
BOOL fail_with(DWORD error);
/// The calling thread's last error is what errno says. FALSE.
BOOL fail_with_errno();

}  // namespace fenceline::windows_compat
