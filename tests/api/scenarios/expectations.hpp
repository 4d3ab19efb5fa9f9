// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/api/scenarios/played_file.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace fenceline::testing {

/// A scenario's author mistyped something: never an expectation that silently holds.
[[noreturn]] void malformed(const std::string& what);
/// A number, or [at least, at most].
bool holds(const nlohmann::json& expected, double found, double tolerance);
/// The same of a time.
bool time_holds(const nlohmann::json& expected_us, std::uint64_t found_ps, double tolerance_us);

/// `swap_chains`: frames and when they were on screen.
void check_swap_chains(const nlohmann::json& expected, const PlayedFile& played, Broken& broken);

/// `paging`: rows of paging.csv.
void check_paging(const nlohmann::json& expected, double tolerance_us, const PlayedFile& played, Broken& broken);
/// `residency`: figures of report.json.
void check_residency(const nlohmann::json& expected, const PlayedFile& played, Broken& broken);
/// `recovery`: rows of recovery.csv.
void check_recovery(const nlohmann::json& expected, double tolerance_us, const PlayedFile& played, Broken& broken);

/// What of all that is expected does not hold.
Broken broken_of(const nlohmann::json& expect, const PlayedFile& played);

}  // namespace fenceline::testing
