// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/marker_record.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace fenceline {

/// What a workload calls a marker of that kind, a list's or a queue's: "begin_event" and so on.
const char* type_of(MarkerKind kind);
/// A marker of a queue as a workload's step: with `queue` a CPU thread's, else the queue's own.
nlohmann::json marker_step(const Marker& marker, const std::string& queue = "");

}  // namespace fenceline
