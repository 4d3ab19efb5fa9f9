// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_lists.hpp"
#include "api/import/kineto_trace.hpp"
#include "api/import/lone_command.hpp"
#include "api/machine_config.hpp"
#include "api/workload/workload.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

class KinetoWork;

/// Of each operation the part of its speed that it had in the company of other streams: what it takes alone over what
/// it took; above 0, at most 1. Copies and memsets have 1: they take what the machine takes.
using KinetoShares = std::vector<double>;

/// A first guess: where kernels of several streams ran at once and want more places than the whole machine has, each
/// ran slower for it.
KinetoShares guessed_shares(const KinetoTrace& trace, const KinetoSchedule& schedule, const LoneCommands& lone);

/// Kernels of two streams ran at one time: there is company to speak of.
bool has_company(const KinetoTrace& trace, const KinetoSchedule& schedule);

/// What a play of the imported trace says: of its kernels what each takes alone over what it took in the play, which is
/// no more than was guessed (it may have had the places first) and no less than half of that (it may have waited for a
/// place). `workload` has nothing but what `work` and KinetoHost made of this trace. None where the play has no end, or
/// lists got lost (a timeout).
std::optional<KinetoShares> played_shares(const Workload& workload, const MachineConfig& machine,
                                          const KinetoTrace& trace, const KinetoSchedule& schedule,
                                          const KinetoWork& work, const KinetoShares& guessed);

/// The largest part of the kernels' time in the trace by which one set of shares and another differ: 0, equal, to 1.
double difference(const KinetoShares& one, const KinetoShares& other, const KinetoTrace& trace);

}  // namespace fenceline
