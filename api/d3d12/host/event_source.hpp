// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/host/event_handle.hpp"
#include "api/machine.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {

/// What set an event, or released a semaphore: fences of a machine. Kept where somebody listens to what threads wait
/// for (WorkListener).
struct EventSource {
  Machine* machine = nullptr;
  std::vector<std::pair<FenceId, std::uint64_t>> reached;  ///< with the values that were waited for
  std::uint64_t told_ps = 0;                               ///< when
};

// With the host's lock, as events are.
/// That has set the event now.
void note_source(HANDLE event, EventSource source);
/// It has the sources of the other one, whose duplicate it is.
void note_duplicate(HANDLE event, HANDLE of);
/// The calling thread waited for the event from `since_ps` on, and goes on.
void tell_waited(HANDLE event, std::uint64_t since_ps);
/// The same of those fences.
void tell_waited(const EventSource& source, std::uint64_t since_ps);
/// The event is closed, or something else has set it.
void forget_source(HANDLE event);
/// The machine is not asked any more.
void forget_sources(const Machine& machine);

}  // namespace fenceline::d3d12
