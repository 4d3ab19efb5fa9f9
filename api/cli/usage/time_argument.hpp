// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace fenceline::cli {

/// What is wrong with a time in microseconds, none of which is "nan". Empty: nothing.
std::string refuse_time_us(const std::string& text, double least_us);

/// A simulated time with its unit, as "500us", "16.7ms", "1s"; unset: it is none, or not from 1 ps to 9e12 us.
std::optional<std::uint64_t> time_in(const std::string& text);

}  // namespace fenceline::cli
