// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>

namespace fenceline {

/// The change as a part of something, "-58.8 %". Empty: of nothing.
std::string percent_of(double change, double of);

/// What two runs come to, in one line, of reports with results that differ: completion, the makespan, missed deadlines
/// and vertical blanks, and of the latencies at the 99th percentile - of preemption, and of the queue where it moved
/// most, in time and in part - those that moved by 1 % or more. `inputs`: how many differ.
std::string verdict_of(const nlohmann::json& one, const nlohmann::json& other, std::size_t inputs);

}  // namespace fenceline
