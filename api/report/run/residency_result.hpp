// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/residency/residency_statistics.hpp"

#include <map>
#include <string>

namespace fenceline {

/// What a run had in video memory, and what paging came to (docs/residency.md, rule 22).
struct RunResidency {
  ResidencyStatistics adapter;                           ///< all of it
  std::map<std::string, ResidencyStatistics> processes;  ///< by name, those of the program
  bool fills = false;                                    ///< resources are made without content, and filled
  bool paged() const;                                    ///< something moved, or was used in place
};

}  // namespace fenceline
