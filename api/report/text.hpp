// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/packets_under_way.hpp"
#include "sim/files/output_file.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <string_view>

namespace fenceline {

/// Writes log.txt for a person: one line per message, instant and completed packet, and for each step of the protocol
/// between scheduler and hardware (submissions, attempts and requests to preempt, their answers, interrupts), in the
/// order written, `[      12.345678 us] adapter.copy0: ...`. A warning has a W after the bracket.
class TextSink final : public LogSink {
 public:
  explicit TextSink(OutputFile& file) : file_(file) {}
  void instant(const EventLog& log, const Instant& instant) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void queued(const EventLog& log, const QueuedRecord& queued) override;
  void ready(const EventLog& log, const ReadyRecord& ready) override;
  void submission(const EventLog& log, const SubmissionRecord& submission) override;
  void interrupt(const EventLog& log, const InterruptRecord& interrupt) override;
  void context(const EventLog& log, const ContextRecord& context) override;
  void attempt(const EventLog& log, const AttemptRecord& attempt) override;
  void request(const EventLog& log, const PreemptionRequest& request) override;
  void preemption(const EventLog& log, const PreemptionRecord& preemption) override;
  void task(const EventLog& log, const TaskRecord& task) override;
  void recovery(const EventLog& log, const RecoveryRecord& record) override;
  void marker(const EventLog& log, const MarkerRecord& marker) override;
  void message(const EventLog& log, const Message& message) override;
  void finish(const EventLog& log, std::uint64_t end_ps) override;

 private:
  void start_line(Severity severity, std::uint64_t at_ps, std::string_view track);
  void append_line_text(std::string_view text);
  void append_packet(const EventLog& log, std::uint64_t packet);
  void end_line();

  OutputFile& file_;
  PacketsUnderWay packets_;
};

}  // namespace fenceline
