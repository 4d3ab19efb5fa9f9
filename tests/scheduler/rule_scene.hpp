// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/checker/rule_checker.hpp"
#include "tests/support/units.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// A run told by hand to a RuleChecker: who wants a node, who is handed to it, what ran, who was asked to stop. Times
/// are in microseconds, and told in their order.
class Scene {
 public:
  struct Who {
    std::string process = "a";
    PriorityBand band = PriorityBand::normal;
    std::uint32_t level = 0;
    int in_process = 0;
    std::uint64_t quantum_us = 2500;
    std::uint64_t grace_us = 0;
    std::uint64_t grace_same_priority_us = 0;
  };

  explicit Scene(const SchedulingRules& rules, std::uint32_t depth = 2, std::uint32_t queues = 1,
                 PreemptionLevel stops_at = PreemptionLevel::shader)
      : node_(log_.name("node")),
        held_(queues),
        checker_(rules, {NodeLimits{"node", queues, depth, stops_at}}, log_, violations_) {}

  /// A context: its number.
  std::size_t context(const Who& who) {
    contexts_.push_back(log_.name("context" + std::to_string(contexts_.size())));
    who_.push_back(who);
    tell(contexts_.size() - 1, 0);
    return contexts_.size() - 1;
  }
  void tell(std::size_t context, std::uint64_t at) {
    const Who& who = who_[context];
    checker_.context({contexts_[context], node_, log_.name("process " + who.process),
                      static_cast<std::uint8_t>(who.band), who.level, who.in_process, who.quantum_us * us,
                      who.grace_us * us, who.grace_same_priority_us * us, at * us});
  }
  /// It has another rank from now on.
  void moves(std::size_t context, PriorityBand band, std::uint32_t level, std::uint64_t at) {
    who_[context].band = band;
    who_[context].level = level;
    tell(context, at);
  }
  /// A packet is queued, and wants the node at once: its id.
  std::uint64_t ready(std::size_t context, std::uint64_t at) {
    packets_.push_back({context, 0});
    const std::uint64_t id = packets_.size();
    checker_.queued({contexts_[context], node_, id, PacketType::render, {}, 0, 0, at * us});
    wants(id, at);
    return id;
  }
  void wants(std::uint64_t id, std::uint64_t at) {
    checker_.ready({contexts_[packets_[id - 1].context], node_, id, at * us});
  }
  void submit(std::uint64_t id, std::uint64_t at, std::uint32_t queue = 0) {
    checker_.submission(
        {node_, queue, contexts_[packets_[id - 1].context], id, ++ids_, PacketType::render, 0, at * us});
    packets_[id - 1].queue = queue;
    held_[queue].push_back(id);
  }
  /// It is ready and handed over at once: its id.
  std::uint64_t hand_over(std::size_t context, std::uint64_t at, std::uint32_t queue = 0) {
    const std::uint64_t id = ready(context, at);
    submit(id, at, queue);
    return id;
  }
  /// It ran so long, to its end; the scheduler knows at once, or when it is told.
  void runs(std::uint64_t id, std::uint64_t from, std::uint64_t to) {
    ends(id, from, to, to);
    known(id, to);
  }
  void ends(std::uint64_t id, std::uint64_t from, std::uint64_t to, std::uint64_t known_at) {
    piece(id, from, to, false);
    held_[packets_[id - 1].queue].pop_front();
    checker_.interrupt({node_, packets_[id - 1].queue, InterruptType::dma_completed, 0, 0, to * us, known_at * us, {}});
  }
  void known(std::uint64_t id, std::uint64_t at) {
    PacketRecord record{};
    record.id = id;
    record.completed_ps = at * us;
    checker_.packet(record);
  }
  /// It ran so long, and was stopped.
  void piece(std::uint64_t id, std::uint64_t from, std::uint64_t to, bool stopped = true) {
    checker_.span({node_, SpanKind::packet, {}, from * us, to * us, id, stopped});
  }
  void restored(std::uint64_t id, std::uint64_t from, std::uint64_t to) {
    checker_.span({node_, SpanKind::restore, {}, from * us, to * us, id, false});
  }
  void asks(PreemptionReason reason, std::uint64_t victim, std::uint64_t waiting, std::uint64_t at,
            const char* limit = "") {
    const std::uint32_t queue = victim == 0 ? 0 : packets_[victim - 1].queue;
    checker_.request({node_, queue, ++ids_, at * us, reason, victim, waiting, log_.name(limit)});
  }
  /// What the hardware queue held comes back, and wants to go there again.
  void returns(std::uint64_t at, std::uint32_t queue = 0) {
    checker_.interrupt({node_, queue, InterruptType::dma_preempted, 0, 0, at * us, at * us, {}});
    const std::deque<std::uint64_t> back = std::exchange(held_[queue], {});
    PreemptionRecord record{};
    record.node = node_;
    record.hardware_queue = queue;
    record.free_ps = at * us;
    checker_.preemption(record);
    for (const std::uint64_t id : back) wants(id, at);
  }
  /// A step of the node's reset.
  void recovers(RecoveryRecord::Step step, std::uint64_t at, std::uint64_t packet = 0) {
    RecoveryRecord record{step, 1, at * us, node_};
    record.packet = packet;
    checker_.recovery(record);
    if (step == RecoveryRecord::Step::working) held_.assign(held_.size(), {});
  }
  void aborted(std::uint64_t id, std::uint64_t at) {
    PacketRecord record{};
    record.id = id;
    record.completed_ps = at * us;
    record.status = PacketStatus::timed_out;
    checker_.packet(record);
  }
  void attempts(std::uint64_t waiting, std::uint64_t running, std::uint64_t at) {
    checker_.attempt({node_, 0, waiting, running, log_.name("MissFenceCommand"), at * us});
  }

  /// What was found, one sentence each in a line.
  std::string found() const {
    std::string text;
    for (const std::string& one : violations_.kept()) text += one + "\n";
    return text;
  }

 private:
  struct Packet {
    std::size_t context;
    std::uint32_t queue;
  };
  EventLog log_;
  LogName node_;
  std::vector<std::deque<std::uint64_t>> held_;
  Violations violations_;
  RuleChecker checker_;
  std::vector<LogName> contexts_;
  std::vector<Who> who_;
  std::vector<Packet> packets_;
  std::uint64_t ids_ = 0;
};

/// Every process has this quantum and grace, microseconds; `floor`: the part of a normal band.
inline SchedulingRules wddm_rules(std::uint64_t process_quantum_us = 2500, std::uint64_t process_grace_us = 0,
                                  double floor = 0) {
  SchedulingRules rules;
  rules.process_quantum_ps.fill(process_quantum_us * us);
  rules.process_grace_ps.fill(process_grace_us * us);
  rules.floor = floor;
  return rules;
}
inline SchedulingRules rules_under(SchedulingPolicy policy) {
  SchedulingRules rules;
  rules.policy = &traits_of(policy);
  return rules;
}
inline Scene::Who in(PriorityBand band, const char* process, std::uint64_t grace_us = 0) {
  Scene::Who who;
  who.process = process;
  who.band = band;
  who.grace_us = grace_us;
  return who;
}

}  // namespace fenceline::testing
