// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace fenceline::cli {

/// How far a sweep is, on standard error: a bar on a terminal, else a line now and then.
class SweepProgress {
 public:
  /// `before`: runs that were done when it began, which is told where `whole`: all of the sweep's are to be played.
  SweepProgress(std::uint64_t total, std::uint64_t before, bool quiet, bool whole);
  ~SweepProgress();
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;
  void show(std::uint64_t done, std::uint64_t failed);

 private:
  std::uint64_t total_;
  std::uint64_t before_;
  bool quiet_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace fenceline::cli
