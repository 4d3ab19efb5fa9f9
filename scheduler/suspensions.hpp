// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/context_log.hpp"
#include "scheduler/context_queues.hpp"
#include "scheduler/packet_waits.hpp"
#include "scheduler/paging/context_holds.hpp"
#include "scheduler/paging/residency.hpp"
#include "scheduler/preemptor.hpp"
#include "scheduler/state/scheduler_state.hpp"

#include <cstdint>

namespace fenceline {

/// The first packet of a hardware queue is the context's, and waits for a fence.
bool waits_on_hardware(const SchedulerState& state, const PacketWaits& waits, const Context& context);
/// What the context has on hardware can be stopped.
bool stops(const SchedulerState& state, const Context& context);

/// Contexts of which nothing is to run until they are resumed. There is no grace period: what is on the node is asked
/// to stop. Source: DxgkDdiSuspendContext.
class Suspensions final : public ContextHolds {
 public:
  Suspensions(SchedulerState& state, ContextLog& log, const PacketWaits& waits, ContextQueues& queues,
              Preemptor& preemptor, Residency& residency)
      : s_(state), log_(log), waits_(waits), queues_(queues), preemptor_(preemptor), residency_(residency) {}

  bool suspend(std::uint32_t context, Suspender by) override;
  void resume(std::uint32_t context, Suspender by) override;
  bool stopped(std::uint32_t context) const override;
  /// Of a context that is woken: it may have stopped.
  void look_at(Context& context) {
    if (context.stopping && context.in_flight.empty()) over(context);
  }

 private:
  void over(Context& context);

  SchedulerState& s_;
  ContextLog& log_;
  const PacketWaits& waits_;
  ContextQueues& queues_;
  Preemptor& preemptor_;
  Residency& residency_;
};

}  // namespace fenceline
