// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace fenceline {

// Machines that share fences (SharedFence) are simulated in step: they have one time, and what one of them signals at
// time t no other sees before t.
//
// Each is a SystemC simulation of its own, so that they take turns. The one with the earliest event goes first (of
// equal ones the first in the list), at most to the time of the next one's, and no further than to its first signal of
// a shared fence. Nobody is ever past what another one may still do: nothing has to be taken back, and the result
// depends on nothing but the list's order. That is the conservative way of parallel simulation, with the other
// machine's next event as the bound; the cost is a change of simulation for each event that falls between two of
// another machine.

/// Machine::run_until of all of them together. With a limit all of them are at that time afterwards, unless it was
/// `done()` before; without, each where its last event was.
bool run_coupled(const std::vector<Machine*>& machines, const std::function<bool()>& done, std::uint64_t limit_ps);

/// Machine::advance_to of all of them together: to `time_ps`, or to where the furthest one is.
void advance_coupled(const std::vector<Machine*>& machines, std::uint64_t time_ps);

}  // namespace fenceline
