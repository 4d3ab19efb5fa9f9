// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fenceline {

/// Takes a descriptor that has just been opened, or -1. What comes out is none of the standard streams' numbers: where
/// those were closed when the process began the system gives them to the next file, and whoever prints a message would
/// write into it. Keeps FD_CLOEXEC. -1 with errno where there is none left; the one taken is closed then.
int above_standard_streams(int descriptor) noexcept;

/// For the start of a program: standard streams that are closed fail from now on as closed ones do, and no file gets
/// their numbers.
void keep_standard_streams() noexcept;

}  // namespace fenceline
