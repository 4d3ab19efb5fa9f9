// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/queue_rules.hpp"
#include "sim/marker_record.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace fenceline {

/// A queue as a workload's, of that name there, with what differs from the usual one. `open`: its events that have
/// begun and not ended, which its timeline begins with.
nlohmann::json captured_queue(const QueueConfig& config, const std::string& name, const std::vector<Marker>& open);

}  // namespace fenceline
