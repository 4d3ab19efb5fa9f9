// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/compare/document_difference.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// A run that is compared.
struct ComparedRun {
  std::string report;    ///< the file
  std::string workload;  ///< its name
  std::string machine;   ///< its name
};

/// What is different in two runs.
struct RunDifference {
  ComparedRun one;
  ComparedRun other;
  /// Of the machine, as `--set` takes it, of the workload, of how it was played and of Fenceline's version.
  std::vector<ValueDifference> inputs;
  // Of `statistics` in report.json, by pointers into it.
  std::vector<ValueDifference> facts;   ///< that are no numbers on both sides
  std::vector<ValueDifference> times;   ///< in picoseconds, the greatest change first
  std::vector<ValueDifference> counts;  ///< other numbers, what changed by the greatest part first
  std::vector<ValueDifference> frames;  ///< as frame_differences has them, the greatest change first
  std::string verdict;                  ///< one line
};

/// Of two runs, each a directory or report.json. Throws ConfigError where one is neither.
RunDifference difference_of(const std::filesystem::path& one, const std::filesystem::path& other);

/// A difference in words: times in microseconds (with their unit if asked for), what is not there as "nothing" or, of a
/// time, "never".
struct ShownDifference {
  std::string one;
  std::string other;
  std::string change;  ///< of numbers, with what part it is of the first; else empty
};
ShownDifference shown_difference(const ValueDifference& difference, bool with_unit = false);

/// For a person: of each kind of difference the usual rows, so many at most, or all of them where there is no `most`;
/// and the verdict at the end.
std::string text_of(const RunDifference& difference, std::optional<std::size_t> most);
/// All of it.
nlohmann::ordered_json json_of(const RunDifference& difference);

}  // namespace fenceline
