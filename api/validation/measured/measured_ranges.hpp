// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/range.hpp"

/// The bounds of what a measured file says.
namespace fenceline::measured_range {

constexpr double most_us = 1e12;
constexpr Range us = between(1e-6, most_us);  ///< of what takes time
constexpr Range us_or_none = between(0, most_us);
constexpr Range loop_count = between(0, 1e9);
constexpr Range groups = between(1, 1e8);  ///< of a dispatch that is measured; 1e9 would keep a validation for long

}  // namespace fenceline::measured_range
