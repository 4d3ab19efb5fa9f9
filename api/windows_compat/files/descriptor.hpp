// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/windows_compat/types.hpp"

namespace fenceline::windows_compat {

/// The file descriptor that a handle is; -1 for what cannot be one, which no call takes.
int descriptor_of(HANDLE handle);
/// The handle of an open file, above the standard streams: descriptor 0 would be a null handle.
HANDLE handle_of(int descriptor);

}  // namespace fenceline::windows_compat
