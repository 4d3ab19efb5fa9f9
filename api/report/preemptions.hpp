// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/preemption_rows.hpp"
#include "sim/files/output_file.hpp"
#include "sim/log.hpp"

namespace fenceline {

/// Writes preemptions.csv: one row per request to preempt, in the order of the requests, each once nothing can be added
/// to it any more. configs/README.md says what the columns mean.
class PreemptionsSink final : public LogSink {
 public:
  explicit PreemptionsSink(OutputFile& file);
  void queued(const EventLog& log, const QueuedRecord& queued) override;
  void ready(const EventLog& log, const ReadyRecord& ready) override;
  void submission(const EventLog& log, const SubmissionRecord& submission) override;
  void interrupt(const EventLog& log, const InterruptRecord& interrupt) override;
  void request(const EventLog& log, const PreemptionRequest& request) override;
  void preemption(const EventLog& log, const PreemptionRecord& preemption) override;
  void span(const EventLog& log, const Span& span) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void finish(const EventLog& log, std::uint64_t end_ps) override;

 private:
  void write_settled(const EventLog& log);
  void write(const EventLog& log, const PreemptionRow& row);

  OutputFile& file_;
  PreemptionRows rows_;
};

}  // namespace fenceline
