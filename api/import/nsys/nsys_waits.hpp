// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_trace.hpp"
#include "api/import/nsys/nsys_database.hpp"

#include <cstdint>
#include <optional>

namespace fenceline {

/// Streams that waited for events of other streams: a row of CUPTI_ACTIVITY_KIND_SYNCHRONIZATION of type 2
/// (CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT) waits for the row of CUPTI_ACTIVITY_KIND_CUDA_EVENT with its
/// eventSyncId, where both have one, else for the last with its eventId whose call came before. Rows that say too
/// little order nothing, nor does a database without these tables. Of a process (globalPid), if one is given and the
/// rows say theirs.
void add_nsys_waits(NsysDatabase& database, KinetoTrace& trace, std::optional<std::int64_t> process);

}  // namespace fenceline
