// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/first_seen.hpp"
#include "api/report/interval_union.hpp"
#include "api/report/preemption_rows.hpp"
#include "api/report/preemption_stats.hpp"
#include "api/report/stats.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace fenceline {

/// Adds up the preemption of a run, for each node in order of first appearance. Restoring counts whenever a context is
/// loaded, also one that was not stopped but follows another: spans that move state. A drain is no loss by
/// itself, since what drains is work that counts.
class PreemptionSink final : public LogSink {
 public:
  void queued(const EventLog& log, const QueuedRecord& queued) override;
  void ready(const EventLog& log, const ReadyRecord& ready) override;
  void context(const EventLog& log, const ContextRecord& context) override;
  void attempt(const EventLog& log, const AttemptRecord& attempt) override;
  void submission(const EventLog& log, const SubmissionRecord& submission) override;
  void interrupt(const EventLog& log, const InterruptRecord& interrupt) override;
  void request(const EventLog& log, const PreemptionRequest& request) override;
  void preemption(const EventLog& log, const PreemptionRecord& preemption) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void span(const EventLog& log, const Span& span) override;

  /// `stats` heard the same log and knows when engines were busy.
  std::vector<PreemptionStats> nodes(const StatsSink& stats) const;
  PreemptionStats total(const StatsSink& stats) const;  ///< all nodes together
  std::vector<std::uint64_t> latencies() const;         ///< of all requests that were answered, node by node

 private:
  struct Times {
    std::vector<std::uint64_t> latency;
    std::vector<std::uint64_t> from_request;
    std::vector<std::uint64_t> drain;
    std::vector<std::uint64_t> save;
  };
  struct Node {
    LogName track;
    PreemptionStats sums;
    Times times;
    std::vector<TurnWait> turns;
    IntervalUnion moving;  // state is saved or restored
  };
  Node& node_of(const EventLog& log, LogName track);
  static void add(Node& node, const PreemptionRow& row);
  void add_settled(const EventLog& log);
  /// With the rows that are not settled yet.
  std::deque<Node> all() const;
  std::vector<PreemptionStats> stats_of(const std::deque<Node>& nodes, const StatsSink& stats) const;

  PreemptionRows rows_;
  FirstSeen seen_;
  std::deque<Node> nodes_;
  std::map<LogName, std::string> contexts_;  // their paths
};

}  // namespace fenceline
