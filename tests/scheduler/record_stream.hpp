// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/checker/checker.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fenceline::testing {

using Record = std::variant<QueuedRecord, SubmissionRecord, Span, InterruptRecord, PreemptionRequest, PreemptionRecord,
                            PacketRecord, Counter, PatchRecord>;
using Records = std::vector<Record>;

/// Keeps what a Checker looks at.
class Recorder final : public LogSink {
 public:
  void queued(const EventLog&, const QueuedRecord& record) override { records.emplace_back(record); }
  void submission(const EventLog&, const SubmissionRecord& record) override { records.emplace_back(record); }
  void span(const EventLog&, const Span& span) override {
    if (span.kind == SpanKind::packet || span.kind == SpanKind::restore) records.emplace_back(span);
  }
  /// Without those of fences: which there are depends on who waits, and that the log does not say.
  void interrupt(const EventLog&, const InterruptRecord& record) override {
    const bool of_engine = record.type == InterruptType::dma_completed || record.type == InterruptType::dma_preempted;
    if (of_engine) records.emplace_back(record);
  }
  void request(const EventLog&, const PreemptionRequest& request) override { records.emplace_back(request); }
  void preemption(const EventLog&, const PreemptionRecord& record) override { records.emplace_back(record); }
  void packet(const EventLog&, const PacketRecord& record) override { records.emplace_back(record); }
  void patch(const EventLog&, const PatchRecord& record) override { records.emplace_back(record); }
  void counter(const EventLog&, const Counter& counter) override {
    if (counter.kind == CounterKind::fence_value) records.emplace_back(counter);
  }
  Records records;
};

/// What a Checker says of the records, played to it alone, when the run rests at `end_ps`.
inline std::vector<std::string> violations_of(EventLog& log, const std::vector<NodeLimits>& nodes,
                                              const Records& records, std::uint64_t end_ps,
                                              const std::optional<SchedulingRules>& rules = {}) {
  Checker checker(log, nodes, rules);
  struct Play {
    Checker& checker;
    const EventLog& log;
    void operator()(const QueuedRecord& record) const { checker.queued(log, record); }
    void operator()(const SubmissionRecord& record) const { checker.submission(log, record); }
    void operator()(const Span& span) const { checker.span(log, span); }
    void operator()(const InterruptRecord& record) const { checker.interrupt(log, record); }
    void operator()(const PreemptionRequest& request) const { checker.request(log, request); }
    void operator()(const PreemptionRecord& record) const { checker.preemption(log, record); }
    void operator()(const PacketRecord& record) const { checker.packet(log, record); }
    void operator()(const Counter& counter) const { checker.counter(log, counter); }
    void operator()(const PatchRecord& record) const { checker.patch(log, record); }
  };
  for (const Record& record : records) std::visit(Play{checker, log}, record);
  checker.rests(end_ps);
  return checker.violations();
}

}  // namespace fenceline::testing
