// SPDX-License-Identifier: Apache-2.0
// RuleChecker, the family of rules about progress.
#include "scheduler/checker/rule_checker.hpp"

#include <fmt/format.h>

namespace fenceline {

void RuleChecker::attempt(const AttemptRecord& record) {
  model_.tick(record.at_ps);
  if (Node* node = model_.node_of(record.node)) round(*node, "attempts to preempt");
}

/// Something is tried. It comes to an end where nothing runs, ends or comes: else it would go on for ever.
void RuleChecker::round(Node& node, const char* what) {
  constexpr std::uint64_t most = 100'000;  // far more than contexts and hardware queues of one moment
  if (++node.rounds <= most || node.told) return;
  node.told = true;
  violations_.add(model_.now_ps, model_.text(node.path), "progress (rule 19)",
                  fmt::format("{} {} and the like, and nothing that ran, ended or came", most, what));
}

void RuleChecker::progress() {
  for (Node& node : model_.nodes) node.rounds = 0;
}

/// A packet comes back. If its state was restored before, it has done a unit of work since. Units that take no time may
/// follow each other (queries, predication, barriers that cost nothing), but not without end.
void RuleChecker::check_work_done(const Node& node, std::uint64_t id, Packet& packet) {
  if (!packet.restored) return;
  constexpr std::uint32_t most_idle = 3;         // the engine may not have launched it for a request of that moment
  constexpr std::uint32_t most_timeless = 1000;  // more than a packet has such commands in a row
  if (packet.ran) packet.idle_rounds = 0;
  std::uint32_t& rounds = packet.ran ? packet.timeless_rounds : packet.idle_rounds;
  const std::uint32_t most = packet.ran ? most_timeless : most_idle;
  if (++rounds != most) return;
  violations_.add(model_.now_ps, model_.label(id) + " on " + model_.text(node.path),
                  "work after each restore (rule 14)",
                  fmt::format("it restored and stopped {} times in a row without any", most));
}

}  // namespace fenceline
