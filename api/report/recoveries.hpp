// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/files/output_file.hpp"
#include "sim/log.hpp"

namespace fenceline {

/// Writes recovery.csv: one row per step after a timeout or page fault (docs/recovery.md), in the order in which they
/// happened. configs/README.md says what the columns mean.
class RecoveriesSink final : public LogSink {
 public:
  explicit RecoveriesSink(OutputFile& file);
  void recovery(const EventLog& log, const RecoveryRecord& record) override;

 private:
  OutputFile& file_;
};

}  // namespace fenceline
