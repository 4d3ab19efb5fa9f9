// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_lists.hpp"
#include "api/import/kineto_shares.hpp"
#include "api/import/kineto_trace.hpp"
#include "api/import/kineto_work.hpp"
#include "api/machine_config.hpp"
#include "api/workload/workload.hpp"

#include <optional>

namespace fenceline {

/// What a play of the imported trace says: of its kernels what each takes alone over what it took in the play, which is
/// no more than was guessed (it may have had the places first) and no less than half of that (it may have waited for a
/// place). `workload` has nothing but what `work` and KinetoHost made of this trace. None where the play has no end, or
/// lists got lost (a timeout).
std::optional<KinetoShares> played_shares(const Workload& workload, const MachineConfig& machine,
                                          const KinetoTrace& trace, const KinetoSchedule& schedule,
                                          const KinetoWork& work, const KinetoShares& guessed);

}  // namespace fenceline
