// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/host/host.hpp"

namespace fenceline::windows_compat {

/// A call of Win32's by the calling thread: it costs what calls of <event.hpp> cost, and attached threads make theirs
/// in the order of their clocks. Held until the lock is gone.
inline d3d12::Host::Lock enter_call() { return d3d12::Host::instance().enter_call(); }

}  // namespace fenceline::windows_compat
