// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/cli/usage/completion.hpp"

namespace fenceline::cli {

/// The verbs that tell of the command itself: completion and manual. `app` outlives its parsing.
void add_usage_verbs(CLI::App& app, const KnownValues& values);

}  // namespace fenceline::cli
