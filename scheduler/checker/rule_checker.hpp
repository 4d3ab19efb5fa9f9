// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/checker/floor_rule.hpp"
#include "scheduler/checker/node_limits.hpp"
#include "scheduler/checker/schedule_model.hpp"
#include "scheduler/checker/scheduling_rules.hpp"
#include "scheduler/checker/violations.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// Holds a run against the rules of docs/scheduling.md about who runs, and who gives way to whom when.
///
/// A judge of its own: it knows the log and the rules, not the scheduler. That a packet runs the log says when a piece
/// of it ends, so most rules are held against the piece that has just ended, and against everything that waited
/// meanwhile. Where the rules or the log leave something open (a turn whose owner had nothing to do for a moment, a
/// wait whose fence is not there) it takes what is in the scheduler's favour.
///
/// Order (rules 5, Policies). What is handed over leaves nothing of higher rank behind that could have been handed
/// over instead; among processes that have not had a turn the first to come goes first. What begins to run has not been
/// queued in front of something higher that has been known for longer.
///
/// Who is stopped (11, 12, 13). A request names a packet on the node and one that waits for it, of higher rank, or of
/// equal rank where the turn is over; what runs is left to finish where only what is queued behind it is in the way.
/// Nothing is stopped for a packet that an empty hardware queue could take, and nothing where something lower could
/// be.
///
/// Grace and quantum (6 to 10). Nothing is asked to stop before the grace or the turn is over, and what runs beyond is
/// asked by then.
///
/// The floor (16). Of the time in which both bands want the engine each has its part, in windows of 10 ms: FloorRule.
///
/// Progress (14, 19). What was restored does some work before it is stopped again; attempts and submissions come to
/// an end where nothing else happens.
///
/// What the scheduler knows (17). A place in a hardware queue is free when the scheduler has learned of it.
///
/// Resets (docs/recovery.md). A node that is being reset is asked nothing. What it held is back or aborted after that,
/// and what had run of turns nobody knows any more: turns, arrivals and the floor count from there on.
class RuleChecker {
 public:
  RuleChecker(const SchedulingRules& rules, const std::vector<NodeLimits>& nodes, EventLog& log,
              Violations& violations);
  RuleChecker(const RuleChecker&) = delete;
  RuleChecker& operator=(const RuleChecker&) = delete;

  void context(const ContextRecord& record);
  void queued(const QueuedRecord& record);
  void ready(const ReadyRecord& record);
  void attempt(const AttemptRecord& record);
  void submission(const SubmissionRecord& record);
  void span(const Span& span);
  void interrupt(const InterruptRecord& record);
  void request(const PreemptionRequest& request);
  void preemption(const PreemptionRecord& record);
  void packet(const PacketRecord& record);
  void recovery(const RecoveryRecord& record);
  void instant(const Instant& instant);

 private:
  using Packet = ScheduleModel::Packet;
  using Context = ScheduleModel::Context;
  using Used = ScheduleModel::Used;
  using Party = ScheduleModel::Party;
  using Request = ScheduleModel::Request;
  using Piece = ScheduleModel::Piece;
  using Queue = ScheduleModel::Queue;
  using Node = ScheduleModel::Node;
  using Place = ScheduleModel::Place;
  using Standing = ScheduleModel::Standing;
  static constexpr std::uint64_t never = ScheduleModel::never;

  void look_at_wants(Context& context);
  // Order: rule_checker_order.cpp.
  void check_handed_over(const SubmissionRecord& record, const Packet& packet);
  void check_arrival(const Node& node, const SubmissionRecord& record, const Packet& packet);
  void check_begun(const Node& node, std::uint64_t id, const Packet& packet, const Span& span);
  bool could_go(const Node& node, const Context& waiting, std::uint32_t queue, const Context& instead) const;
  // Who is stopped: rule_checker_victim.cpp.
  void check_request(Node& node, Queue& queue, const PreemptionRequest& request);
  void wrong(const Node& node, const PreemptionRequest& request, const std::string& expected, const std::string& found);
  void check_ranks(const Node& node, const PreemptionRequest& request, const Packet& victim, const Packet& waiting);
  void check_lowest(const Node& node, const PreemptionRequest& request, const Packet& victim, const Packet& waiting);
  // Grace, quantum and turns: rule_checker_turns.cpp.
  Party& party_of(Node& node, const Context& context, bool of_process);
  std::uint64_t quantum_of(const Context& context, bool of_process) const;
  std::uint64_t turn_grace_of(const Context& context, bool of_process) const;
  void check_turn_over(Node& node, std::uint32_t queue, const Packet& packet, std::uint64_t start_ps);
  void check_still_running(Node& node, std::uint32_t queue, std::uint64_t id, const Packet& packet, const Span& span);
  bool another_takes(const Node& node, const Context& waiting, std::uint64_t since_ps, std::uint64_t end_ps) const;
  void use(Node& node, std::uint32_t queue, const Packet& packet, const Span& span);
  void take_turns_along(const Context& context);
  // Progress: rule_checker_progress.cpp.
  void round(Node& node, const char* what);
  void progress();
  void check_work_done(const Node& node, std::uint64_t id, Packet& packet);

  Violations& violations_;
  ScheduleModel model_;
  std::vector<FloorRule> floors_;  // by node
};

}  // namespace fenceline
