// SPDX-License-Identifier: Apache-2.0
#include "scheduler/checker/recovery_checker.hpp"

#include <fmt/format.h>

namespace fenceline {

using Step = RecoveryRecord::Step;

/// The name that contexts have for it.
LogName RecoveryChecker::owner(LogName process) {
  const std::string name = text(process);
  return log_.name("process " + (name.empty() ? "default" : name));
}

void RecoveryChecker::recovery(const RecoveryRecord& record) {
  Episode& episode = episodes_[record.episode];
  switch (record.step) {
    case Step::timeout:
      episode.timeout = true;
      episode.timeout_ps = record.at_ps;
      check_timeout(record);
      break;
    case Step::engine_reset: resetting_[record.node] = record.at_ps; break;
    case Step::engine_reset_done: check_reset(record, rules_.engine_reset_ps, text(record.node)); break;
    case Step::adapter_reset:
      episode.adapter = true;
      resetting_.clear();  // engines that have failed
      resetting_[LogName{}] = record.at_ps;
      requested_ps_.clear();
      check_limit(record);
      break;
    case Step::adapter_reset_done: check_reset(record, rules_.adapter_reset_ps, "the adapter"); break;
    case Step::aborted:
      aborted_.insert(record.packet);
      episode.aborted.insert(record.process);
      break;
    case Step::device_removed: check_removal(record); break;
    case Step::device_created: removed_.erase(owner(record.process)); break;
    case Step::page_fault:
    case Step::no_reset:
    case Step::dependent_asked:
    case Step::process_blocked:
    case Step::cancelled:
    case Step::flushed:
    case Step::returned:
    case Step::bugcheck: break;
  }
}

/// Rule 2.
void RecoveryChecker::check_timeout(const RecoveryRecord& record) {
  if (!rules_.preemption_aware) return;
  const Queue queue = {record.node, record.hardware_queue.value_or(0)};
  const std::string where = fmt::format("{} queue {}", text(queue.first), queue.second);
  const auto request = requested_ps_.find(queue);
  if (request == requested_ps_.end()) {
    violation(record.at_ps, where, "a timeout of a request that has no answer (rule 2)", "one without a request");
  } else if (record.at_ps != request->second + rules_.delay_ps) {
    violation(record.at_ps, where,
              "a timeout at " + Violations::time_of(request->second + rules_.delay_ps) +
                  ", the delay after its request (rule 2)",
              "one at " + Violations::time_of(record.at_ps));
  }
}

/// Rules 8 and 12.
void RecoveryChecker::check_reset(const RecoveryRecord& record, std::uint64_t takes_ps, const std::string& where) {
  const auto since = resetting_.find(record.node);
  if (since == resetting_.end()) return;  // of another hardware queue of the node
  if (record.at_ps < since->second + takes_ps) {
    violation(record.at_ps, where,
              "its reset to take until " + Violations::time_of(since->second + takes_ps) + " (rules 8 and 12)",
              "its end at " + Violations::time_of(record.at_ps));
  }
  resetting_.erase(since);
  for (auto request = requested_ps_.begin(); request != requested_ps_.end();) {
    request = request->first.first == record.node ? requested_ps_.erase(request) : std::next(request);
  }
}

/// Rule 14.
void RecoveryChecker::check_limit(const RecoveryRecord& record) {
  const Episode& episode = episodes_[record.episode];
  if (!episode.timeout || rules_.debug_mode == TdrDebugMode::recover_always) return;
  if (beyond_limit(adapter_timeouts_ps_, episode.timeout_ps, rules_.limit_count, rules_.limit_time_ps)) {
    violation(record.at_ps, "the adapter",
              fmt::format("at most {} timeouts with its reset in {} (rule 14)", rules_.limit_count,
                          Violations::time_of(rules_.limit_time_ps)),
              "one more");
  }
  adapter_timeouts_ps_.push_back(episode.timeout_ps);
}

/// Rules 10 and 13; a binding leak is no episode of its own (rule 8 of docs/splitting.md).
void RecoveryChecker::check_removal(const RecoveryRecord& record) {
  const Episode& episode = episodes_[record.episode];
  const std::string reason = text(record.reason);
  const bool hung = reason == "device_hung";
  if (hung && episode.aborted.count(record.process) == 0) {
    violation(record.at_ps, text(owner(record.process)), "device_hung of who had a packet aborted (rule 10)",
              "of one that had none");
  }
  if (reason == "device_reset" && !episode.adapter) {
    violation(record.at_ps, text(owner(record.process)), "device_reset with a reset of the adapter (rule 13)",
              "without");
  }
  if (!removed_.insert(owner(record.process)).second) {
    violation(record.at_ps, text(owner(record.process)), "the removal of a device that there is", "another one");
  }
}

void RecoveryChecker::request(const PreemptionRequest& request) {
  requested_ps_.try_emplace({request.node, request.hardware_queue}, request.at_ps);
}

void RecoveryChecker::interrupt(const InterruptRecord& interrupt) {
  if (interrupt.type == InterruptType::dma_preempted) requested_ps_.erase({interrupt.node, interrupt.hardware_queue});
}

bool RecoveryChecker::is_removed(LogName context) const {
  const auto process = process_of_.find(context);
  return process != process_of_.end() && removed_.count(process->second) > 0;
}

/// Rules 7, 12, 16 and 17.
void RecoveryChecker::submission(const SubmissionRecord& submission) {
  if (resetting_.count(submission.node) > 0 || resetting_.count(LogName{}) > 0) {
    violation(submission.at_ps, text(submission.node), "nothing for an engine that is being reset (rules 7 and 12)",
              fmt::format("packet {}", submission.packet));
  }
  if (is_removed(submission.context)) {
    violation(submission.at_ps, text(submission.context), "nothing of a removed device to go to the hardware (rule 16)",
              fmt::format("packet {}", submission.packet));
  }
}

/// Rules 9, 11 and 16: who is innocent ends as ever.
void RecoveryChecker::packet(const PacketRecord& packet) {
  const std::string where = fmt::format("packet {} of {}", packet.id, text(packet.context));
  if (packet.status == PacketStatus::timed_out && aborted_.count(packet.id) == 0) {
    violation(packet.completed_ps, where, "timed_out of an aborted packet (rule 9)", "of one that was not");
  }
  if (packet.status == PacketStatus::completed && aborted_.count(packet.id) > 0) {
    violation(packet.completed_ps, where, "timed_out, as it was aborted (rule 9)", "completed");
  }
  const bool removed = is_removed(packet.context) || resetting_.count(LogName{}) > 0;
  if (packet.status == PacketStatus::discarded && !removed) {
    violation(packet.completed_ps, where, "no innocent packet to be discarded (rule 11)", "discarded");
  }
}

}  // namespace fenceline
