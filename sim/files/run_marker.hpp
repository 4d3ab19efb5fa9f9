// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace fenceline {

/// What says of a directory that it is a run, and which files in it are the run's: `.fenceline-run`, a line of text,
/// then a name on each line. A name with a `/` behind it is of a directory that holds directories of runs and nothing
/// else. Nothing else in there is ever replaced or removed.
class RunMarker {
 public:
  static constexpr const char* name = ".fenceline-run";
  /// Where a sweep keeps what it has found.
  static constexpr const char* sweep_results = "results.sqlite";

  /// Of the directory; reads what it has. Throws OutputError where that cannot be read.
  explicit RunMarker(const std::filesystem::path& directory);

  /// The directory has one.
  bool exists() const { return exists_; }
  /// Of a sweep, which no run replaces, nor it a run: it lists what only a sweep has.
  bool is_of_sweep() const { return lists(sweep_results); }
  /// Writes one that lists nothing yet. Throws OutputError.
  void create();
  /// Lists a file, before it is created: a run that is killed then leaves nothing that is not listed. Throws
  /// OutputError.
  void add(std::string_view file);
  /// The first, by name, of what is in the directory and not listed; what is no regular file is never the run's.
  std::optional<std::string> foreign() const;
  /// Removes the files that are listed, the marker and the directory. Throws OutputError, and leaves everything as it
  /// is, where there is something else.
  void remove_run() const;

 private:
  bool lists(const std::string& file) const;
  bool holds_runs(const std::filesystem::path& directory) const;

  std::filesystem::path directory_;
  bool exists_ = false;
  std::string files_;  ///< each with a newline before and behind it
};

}  // namespace fenceline
