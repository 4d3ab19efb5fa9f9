// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/load/workload_file.hpp"
#include "api/workload/replay/trim.hpp"

#include <string>

namespace fenceline {

/// What of a workload is to be played, and how (docs/replay.md).
struct ReplayChoice {
  ReplayRange range;          ///< of the work; applied first
  bool single_queue = false;  ///< then all on one queue
};

/// The workload that the choice leaves, checked and ready to be played. What the user wrote into the workload is not
/// held against it: it is another one. `file` is its name in errors. Throws ConfigError.
LoadedWorkload replayed(LoadedWorkload loaded, const ReplayChoice& choice, const std::string& file);

}  // namespace fenceline
