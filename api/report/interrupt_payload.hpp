// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

namespace fenceline {

/// Name of the fence id in an interrupt's payload, as in DXGKARGCB_NOTIFY_INTERRUPT_DATA; null: it has none.
constexpr const char* fence_id_name(InterruptType type) {
  switch (type) {
    case InterruptType::dma_completed: return "SubmissionFenceId";
    case InterruptType::dma_preempted: return "PreemptionFenceId";
    case InterruptType::dma_page_faulted: return "FaultedFenceId";
    case InterruptType::hwcontextlist_switch_completed: return "ContextSwitchFence";
    case InterruptType::suspend_context_completed: return "ContextSuspendFence";
    case InterruptType::monitored_fence_signaled:
    case InterruptType::native_fence_signaled: return nullptr;
  }
  return nullptr;
}

}  // namespace fenceline
