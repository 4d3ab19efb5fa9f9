// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fenceline {

/// `--set` texts for the machine, and those that begin with /workload for the workload (without that).
struct Overrides {
  /// Sorts `/pointer=value` texts.
  explicit Overrides(const std::vector<std::string>& sets);
  /// The text, or its pointer, is of the workload.
  static bool is_of_workload(std::string_view set);
  std::vector<std::string> machine;   ///< texts for the machine
  std::vector<std::string> workload;  ///< texts for the workload
};

}  // namespace fenceline
