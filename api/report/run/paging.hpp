// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/files/output_file.hpp"
#include "sim/log.hpp"

namespace fenceline {

/// Writes paging.csv: one row per allocation that moved between video memory and system memory (docs/residency.md), in
/// the order in which they had moved. configs/README.md says what the columns mean.
class PagingSink final : public LogSink {
 public:
  explicit PagingSink(OutputFile& file);
  void paging(const EventLog& log, const PagingRecord& record) override;

 private:
  OutputFile& file_;
};

}  // namespace fenceline
