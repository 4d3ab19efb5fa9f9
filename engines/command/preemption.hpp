// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/preemption_level.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// From `after_us` after the request on, the engine stops at this granularity.
template <class Granularity>
struct EscalationStep {
  Granularity granularity = Granularity::dma_buffer_boundary;
  double after_us = 0;
};
template <class Granularity>
void describe(Fields& f, EscalationStep<Granularity>& c);

/// How one class of work on an engine stops. Without an escalation at `granularity`, from the request on.
template <class Granularity>
struct ClassPreemption {
  Granularity granularity = Granularity::dma_buffer_boundary;  ///< the finest, which the adapter reports
  std::vector<EscalationStep<Granularity>> escalation;         ///< coarse first, the last one is `granularity`
};
template <class Granularity>
void describe(Fields& f, ClassPreemption<Granularity>& c);

/// What a context's state on an engine is made of and how it moves: where preemption's time goes.
struct ContextState {
  std::uint64_t bytes = 0;           ///< of a context that is stopped inside a packet, besides its thread groups
  double save_us = 0;                ///< before the first byte is saved
  double restore_us = 0;             ///< before the first byte is restored
  double switch_us = 0;              ///< of loading another context than the one that is there
  double gb_per_s = 1000;            ///< saved or restored at most
  std::uint32_t allocation_kib = 0;  ///< of each queue's GPU context allocation in video memory; 0: it has none
};
void describe(Fields& f, ContextState& c);

/// On an engine that runs threads.
struct ThreadContextState : ContextState {
  std::uint32_t thread_bytes = 0;  ///< of a resident thread, besides its registers
};
void describe(Fields& f, ThreadContextState& c);

}  // namespace fenceline
