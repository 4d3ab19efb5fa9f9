// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace fenceline {

/// Of `deadline_times` in a run's report.json: the time of this deadline that was due nearest to `at_ps`, or without
/// that the one that came the latest. Throws ConfigError that says which there are.
nlohmann::json deadline_time(const std::filesystem::path& run, const std::string& deadline,
                             std::optional<double> at_ps);

/// For a person: when it was due and reached, its packet, where that one's time went, who was in the way. Throws
/// ConfigError where it is not what a run writes.
std::string explained(const nlohmann::json& time);

}  // namespace fenceline
