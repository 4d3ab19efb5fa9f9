// SPDX-License-Identifier: Apache-2.0
// RuleChecker, what resets of engines leave of what it knows.
#include "scheduler/checker/rule_checker.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {
namespace {

/// The scheduler knows of all that the node has raised.
void handle_interrupts(ScheduleModel::Node& node, std::uint64_t now_ps) {
  for (ScheduleModel::Queue& queue : node.queues) {
    queue.known_ps = std::min(queue.known_ps, now_ps);
    queue.known_before_ps = std::min(queue.known_before_ps, now_ps);
    for (ScheduleModel::Piece& piece : queue.pieces) piece.known_ps = std::min(piece.known_ps, now_ps);
    queue.news.clear();
  }
}

/// What has run of the turns on the node, and since when its processes have wanted it, is open. No request has an
/// answer.
void forget_turns(ScheduleModel::Node& node) {
  for (ScheduleModel::Queue& queue : node.queues) {
    queue.pieces.clear();
    queue.request.reset();
    queue.turns_over.clear();
  }
  for (ScheduleModel::Party& party : node.parties) {
    for (ScheduleModel::Used& used : party.used) used.least_ps = 0;
    party.came_early_ps = 0;
    party.came_late_ps = ScheduleModel::never;
  }
}

}  // namespace

void RuleChecker::recovery(const RecoveryRecord& record) {
  using Kind = RecoveryRecord::Step;
  model_.tick(record.at_ps);
  progress();
  if (record.step == Kind::adapter_reset) {
    for (Node& node : model_.nodes) node.reset = true;
  }
  const auto index = model_.node_index.find(record.node);
  if (index == model_.node_index.end()) return;
  Node& node = model_.nodes[index->second];
  switch (record.step) {
    case Kind::flushed: handle_interrupts(node, model_.now_ps); break;
    case Kind::held: node.held_ps = model_.now_ps; break;
    case Kind::engine_reset: node.reset = true; break;
    case Kind::returned: {
      const Packet* packet = model_.packet_of(record.packet);
      if (packet == nullptr || packet->place != Place::hardware) break;
      Context& context = model_.contexts[packet->context];
      model_.comes_back(context, record.packet);
      look_at_wants(context);
      break;
    }
    case Kind::working:
      node.held_ps = never;
      if (!std::exchange(node.reset, false)) break;
      handle_interrupts(node, model_.now_ps);
      forget_turns(node);
      floors_[index->second].forget();
      break;
    default: break;
  }
}

}  // namespace fenceline
