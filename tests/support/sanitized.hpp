// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/sanitizers.hpp"

namespace fenceline::testing {

/// Whether a sanitizer watches. It keeps freed memory in quarantine, so that what is resident says nothing; and what
/// takes seconds takes minutes, so that what another test plays, too, need not be played twice.
#if defined(FENCELINE_ADDRESS_SANITIZER) || defined(FENCELINE_THREAD_SANITIZER)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

}  // namespace fenceline::testing
