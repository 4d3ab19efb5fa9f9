// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/checker/violations.hpp"
#include "scheduler/display/display_config.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fenceline {

/// What an output promises its frames.
struct OutputLimits {
  std::string path;                             ///< its name in the log
  std::uint64_t refresh_mhz = 0;                ///< at most, of variable refresh
  std::optional<std::uint64_t> least_mhz = {};  ///< of variable refresh
  std::uint32_t lines = 0;                      ///< of the picture; 0: the scan-out is not held against anything
  std::uint32_t blank_lines = 0;                ///< before them
};

/// Of all outputs of the display that has that path.
std::vector<OutputLimits> limits_of(const DisplayConfig& display, const std::string& path);

/// Holds the frames of swap chains against docs/display.md, with arithmetic of its own.
///
/// A frame is read, presented, ready, on screen and gone in this order. Frames of a swap chain come on screen in the
/// order in which they were ready, one as the other leaves. What a compositor took comes with its frames. At a fixed
/// rate none but a tearing one, of interval 0, begins anywhere but at a vertical blank after it was ready (3, 5), and
/// one of interval n stays for n of them, but for frames of interval 0 (4), also for such as were discarded. At a
/// variable rate nothing stays for less than a refresh unless the next one tears (9). A frame tears at the line that is
/// being scanned, and none but one that tears does (21); as many lines are its own as are scanned while it is there
/// (20).
class FrameChecker {
 public:
  FrameChecker(EventLog& log, const std::vector<OutputLimits>& outputs, Violations& violations);
  void frame(const FrameRecord& record);

 private:
  void violation(const FrameRecord& record, const std::string& expected, const std::string& found);
  void check_order(const FrameRecord& record);
  void check_begin(const FrameRecord& record, const OutputLimits& output);
  void check_lines(const FrameRecord& record, const OutputLimits& output);
  void check_stay(const FrameRecord& before, const FrameRecord& next, const OutputLimits& output);

  EventLog& log_;
  std::map<LogName, OutputLimits> outputs_;
  std::map<LogName, FrameRecord> last_;  // by swap chain: on screen last
  std::map<LogName, std::set<std::uint64_t>>
      made_room_;  // the same: when those of interval 0 were ready that were discarded since
  Violations& violations_;
};

}  // namespace fenceline
