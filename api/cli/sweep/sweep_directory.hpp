// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace fenceline::cli {

/// The directory of a sweep's results, for this process alone. One that is there is replaced only if it is empty, or an
/// earlier sweep that is over and holds nothing but what it wrote (RunMarker); one that is not over is gone on with
/// when that is wanted. Throws OutputError.
class SweepDirectory {
 public:
  SweepDirectory(const std::filesystem::path& target, bool resume);
  ~SweepDirectory();
  SweepDirectory(const SweepDirectory&) = delete;
  SweepDirectory& operator=(const SweepDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// The sweep is over: another may replace it.
  void finish();

 private:
  void lock();
  void make();

  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace fenceline::cli
