// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/range.hpp"

/// The bounds of what a workload's file counts and times.
namespace fenceline::workload_range {

/// Of things and repeats.
constexpr Range count = between(1, 1e6);
/// Microseconds.
constexpr Range us = between(0, 1e12);
/// Microseconds, either way.
constexpr Range offset_us = between(-1e12, 1e12);

}  // namespace fenceline::workload_range
