// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/sweep/sweep.hpp"
#include "sim/config_errors.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>

namespace fenceline {

/// The document is a sweep, good or not: it has axes, or names of workloads, at its root.
bool is_sweep(const nlohmann::json& document);

/// Reads a sweep; files that it names relative to itself are named relative to the working directory then. Throws
/// ConfigError.
Sweep read_sweep(const nlohmann::json& document, const std::filesystem::path& file);
/// The same for who goes on behind what does not go together in it, which is kept in `relations`.
Sweep read_sweep(const nlohmann::json& document, const std::filesystem::path& file, ConfigErrors& relations);

/// What follows `--vary`: `/pointer=a,b,c`, or a range of numbers, `/pointer=FROM..TO`, `FROM..TO+STEP`,
/// `FROM..TO*FACTOR`; before it perhaps `+`, for one that changes together with the axis before, and `NAME:`. Commas
/// inside brackets, braces and quotes are the value's. Throws ConfigError with file `--vary`.
SweepAxis axis_in(const std::string& text);

}  // namespace fenceline
