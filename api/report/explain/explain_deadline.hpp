// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/explain/deadline_time.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace fenceline {

/// Of `deadline_times` in a run's report.json: the time of this deadline that was due nearest to `at_ps`, or without
/// that the one that came the latest. Throws ConfigError that says which there are, or where it is not what a run
/// writes.
DeadlineTime deadline_time(const std::filesystem::path& run, const std::string& deadline, std::optional<double> at_ps);

/// For a person: when it was due and reached, its packet, where that one's time went, who was in the way.
std::string explained(const DeadlineTime& time);

}  // namespace fenceline
