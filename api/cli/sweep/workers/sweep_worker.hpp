// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/sweep/played_point.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace fenceline::cli {

/// The path of this program.
std::string own_program();

/// What a worker is told first: a line.
std::string greeting_of(const SweepPlan& plan, const std::filesystem::path& directory);

/// A worker's answer: a line, without its end.
std::string answer_of(const SweepOutcome& outcome);

/// What a worker's answer says. An answer that is none is an outcome that failed.
SweepOutcome outcome_in(const std::string& answer, std::uint64_t run);

/// Is a worker: reads the greeting and numbers of runs, plays each, and answers with a line, up to the end of the
/// input.
int work_for_sweep();

}  // namespace fenceline::cli
