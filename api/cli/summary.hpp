// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/run/run.hpp"

#include <string>

namespace fenceline::cli {

/// What a person sees after a run: at most 40 lines.
std::string summary_of(const LoadedWorkload& loaded, const RunOptions& options, const RunResult& result);

}  // namespace fenceline::cli
