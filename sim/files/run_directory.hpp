// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/files/run_marker.hpp"

#include <filesystem>
#include <string_view>

namespace fenceline {

/// The directory that a run leaves behind, whole or not at all. Files are written to `<target>.partial-run` beside it,
/// which commit() renames into place; without commit() the destructor removes it. A target that exists is replaced
/// only when it is empty, or an earlier run that holds nothing but the files that it wrote (RunMarker). Everything else
/// throws OutputError.
///
/// While one run writes, a lock keeps others, in any process, from writing to the same target. What a killed run left
/// is removed by the next one.
class RunDirectory {
 public:
  explicit RunDirectory(const std::filesystem::path& target);
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  /// Where the run's file of this name is, or is to be written: in the partial directory until commit(). Throws
  /// OutputError where that cannot be noted.
  std::filesystem::path file(std::string_view name);
  /// The place after commit().
  const std::filesystem::path& target() const { return target_; }

  /// Close all files first.
  void commit();

 private:
  void check_replaceable() const;
  void make_partial();
  void leave_partial() noexcept;
  void recover();
  void replace_earlier_run();

  std::filesystem::path target_;
  std::filesystem::path partial_;
  RunMarker marker_;                 ///< of the partial directory
  std::filesystem::path displaced_;  ///< earlier run, set aside where two directories cannot be exchanged
  int lock_ = -1;                    ///< open partial directory, locked with flock
  bool committed_ = false;
};

}  // namespace fenceline
