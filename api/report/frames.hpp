// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/files/output_file.hpp"
#include "sim/log.hpp"

namespace fenceline {

/// Writes frames.csv: one row per frame of a swap chain, in the order in which they left the screen or were discarded.
/// configs/README.md says what the columns mean.
class FramesSink final : public LogSink {
 public:
  explicit FramesSink(OutputFile& file);
  void frame(const EventLog& log, const FrameRecord& frame) override;

 private:
  OutputFile& file_;
};

}  // namespace fenceline
