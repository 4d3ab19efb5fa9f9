// SPDX-License-Identifier: Apache-2.0
#include "scheduler/checker/recovery_checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace fenceline {

using Step = RecoveryRecord::Step;

/// The name that contexts have for it.
LogName RecoveryChecker::owner(LogName process) {
  const std::string name = text(process);
  return log_.name("process " + (name.empty() ? "default" : name));
}

void RecoveryChecker::recovery(const RecoveryRecord& record) {
  Episode& episode = episodes_[record.episode];
  check_blocked(record);
  switch (record.step) {
    case Step::timeout:
      begin(episode, record);
      check_timeout(record);
      break;
    case Step::page_fault:
      begin(episode, record);
      check_fault(record);
      break;
    case Step::no_reset:
      if (episode.timeout) engine_timeouts_ps_[episode.process].pop_back();
      break;
    case Step::dependent_asked: episode.asks = true; break;
    case Step::held:
      held_.insert(record.node);
      if (record.node == episode.node) ignored_.insert(record.node);
      break;
    case Step::engine_reset:
      check_begun(episode, record);
      ignored_.insert(record.node);
      resetting_[record.node] = record.at_ps;
      break;
    case Step::engine_reset_done:
      check_reset(record, rules_.engine_reset_ps, text(record.node));
      last_aborted_[{record.node, record.hardware_queue.value_or(0)}] = record.fence_id;
      break;
    case Step::adapter_reset:
      check_begun(episode, record);
      episode.adapter = true;
      resetting_.clear();  // engines that have failed
      resetting_[LogName{}] = record.at_ps;
      requested_ps_.clear();
      last_aborted_.clear();
      faults_.clear();
      for (const auto& [queue, packets] : packets_) ignored_.insert(queue.first);
      check_limit(record);
      break;
    case Step::adapter_reset_done:
      check_reset(record, rules_.threads_leave_ps + rules_.adapter_reset_ps, "the adapter");
      break;
    case Step::aborted:
      check_aborted(record);
      aborted_.insert(record.packet);
      episode.aborted.insert(record.process);
      break;
    case Step::returned: check_returned(record); break;
    case Step::working: check_working(record); break;
    case Step::device_removed: check_removal(record); break;
    case Step::device_created: removed_.erase(owner(record.process)); break;
    case Step::process_blocked:
    case Step::cancelled:
    case Step::flushed:
    case Step::bugcheck: break;
  }
}

void RecoveryChecker::begin(Episode& episode, const RecoveryRecord& record) {
  episode.timeout = record.step == Step::timeout;
  episode.began_ps = record.at_ps;
  episode.node = record.node;
  episode.process = record.process;
  if (episode.timeout) engine_timeouts_ps_[record.process].push_back(record.at_ps);
}

/// Rule 18.
void RecoveryChecker::check_fault(const RecoveryRecord& record) {
  const Queue queue = {record.node, record.hardware_queue.value_or(0)};
  const auto fault = faults_.find(queue);
  const bool told = fault != faults_.end() && fault->second.fence_id == record.fence_id;
  if (!told || fault->second.known_ps != record.at_ps) {
    violation(record.at_ps, fmt::format("{} queue {}", text(queue.first), queue.second),
              "a page fault whose interrupt is handled at this moment (rule 18)",
              told ? "one whose interrupt is at " + Violations::time_of(fault->second.known_ps) : "one without");
  }
  if (told) faults_.erase(fault);
}

/// The episode's first reset (rules 7, 12 and 18): at once where no dependent is asked.
void RecoveryChecker::check_begun(Episode& episode, const RecoveryRecord& record) {
  for (auto fault = faults_.begin(); fault != faults_.end();) {
    fault = fault->first.first == record.node ? faults_.erase(fault) : std::next(fault);
  }
  if (std::exchange(episode.reset, true)) return;
  const std::uint64_t until_ps = episode.began_ps + (episode.asks ? rules_.dependent_wait_ps : 0);
  if (record.at_ps <= until_ps) return;
  violation(record.at_ps, record.node == LogName{} ? "the adapter" : text(record.node),
            fmt::format("its reset to begin at {} at the latest (rules 7 and 18)", Violations::time_of(until_ps)),
            "it beginning at " + Violations::time_of(record.at_ps));
}

/// Rules 8 and 9: from the first one in the hardware queue up to the last that the reset of the engine has named.
void RecoveryChecker::check_aborted(const RecoveryRecord& record) {
  const Queue queue = {record.node, record.hardware_queue.value_or(0)};
  const std::string where = fmt::format("packet {} on {} queue {}", record.packet, text(queue.first), queue.second);
  std::deque<Held>& packets = packets_[queue];
  if (packets.empty() || packets.front().packet != record.packet) {
    violation(record.at_ps, where, "the first of its hardware queue to be aborted (rule 9)", "another");
  } else {
    packets.pop_front();
  }
  const auto last = last_aborted_.find(queue);
  if (last != last_aborted_.end() && record.fence_id > last->second) {
    violation(record.at_ps, where, fmt::format("none behind submission {} to be aborted (rule 9)", last->second),
              fmt::format("submission {}", record.fence_id));
  }
}

/// Rule 11: from the last one in the hardware queue on, and none that the reset of the engine has aborted.
void RecoveryChecker::check_returned(const RecoveryRecord& record) {
  const Queue queue = {record.node, record.hardware_queue.value_or(0)};
  const std::string where = fmt::format("packet {} on {} queue {}", record.packet, text(queue.first), queue.second);
  std::deque<Held>& packets = packets_[queue];
  if (packets.empty() || packets.back().packet != record.packet) {
    violation(record.at_ps, where, "the last of its hardware queue to go back (rule 11)", "another");
    return;
  }
  const std::uint64_t fence_id = packets.back().fence_id;
  const auto last = last_aborted_.find(queue);
  if (last != last_aborted_.end() && fence_id <= last->second) {
    violation(record.at_ps, where, fmt::format("submissions up to {} to be aborted (rule 9)", last->second),
              fmt::format("submission {} going back", fence_id));
  }
  returned_[record.packet] = fence_id;
  packets.pop_back();
}

/// Rule 11: whoever was there is aborted or back.
void RecoveryChecker::check_working(const RecoveryRecord& record) {
  held_.erase(record.node);
  const bool reset = ignored_.erase(record.node) > 0;
  for (auto& [queue, packets] : packets_) {
    if (queue.first != record.node || !reset) continue;
    last_aborted_.erase(queue);
    requested_ps_.erase(queue);
    for (const Held& one : packets) {
      violation(record.at_ps, fmt::format("packet {} on {} queue {}", one.packet, text(queue.first), queue.second),
                "no packet to be lost in a reset: aborted, or back (rule 11)", "it forgotten");
    }
    packets.clear();
  }
}

/// Rule 15.
void RecoveryChecker::check_blocked(const RecoveryRecord& record) {
  const std::optional<LogName> expected = std::exchange(blocks_, {});
  const bool blocked = record.step == Step::process_blocked;
  const std::string where = text(owner(blocked || !expected ? record.process : *expected));
  if (blocked && expected != record.process) {
    violation(record.at_ps, where,
              fmt::format("none blocked before it has caused {} resets of engines in {} (rule 15)", rules_.limit_count,
                          Violations::time_of(rules_.limit_time_ps)),
              "it blocked");
  }
  if (expected && !blocked) {
    violation(record.at_ps, where,
              fmt::format("it blocked: it has caused {} resets of engines in {} (rule 15)", rules_.limit_count,
                          Violations::time_of(rules_.limit_time_ps)),
              "it not blocked");
  }
  if (blocked) blocked_.insert(record.process);
  if (record.step == Step::device_created && blocked_.count(record.process) > 0) {
    violation(record.at_ps, where, "no device for a process that is blocked (rule 15)", "another one");
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
  if (beyond_limit(adapter_timeouts_ps_, episode.began_ps, rules_.limit_count, rules_.limit_time_ps)) {
    violation(record.at_ps, "the adapter",
              fmt::format("at most {} timeouts with its reset in {} (rule 14)", rules_.limit_count,
                          Violations::time_of(rules_.limit_time_ps)),
              "one more");
  }
  adapter_timeouts_ps_.push_back(episode.began_ps);
}

/// Rules 10 and 13; a binding leak is no episode of its own (rule 8 of docs/splitting.md).
void RecoveryChecker::check_removal(const RecoveryRecord& record) {
  const Episode& episode = episodes_[record.episode];
  const std::string reason = text(record.reason);
  const bool hung = reason == "device_hung";
  const auto pages = [this](LogName process) { return text(process) == "System"; };
  const bool paged = std::any_of(episode.aborted.begin(), episode.aborted.end(), pages);  // for whom is not told
  if (hung && !paged && episode.aborted.count(record.process) == 0) {
    violation(record.at_ps, text(owner(record.process)), "device_hung of who had a packet aborted (rule 10)",
              "of one that had none");
  }
  const bool limits = episode.timeout && !episode.adapter && rules_.engine_reset == EngineResets::supported &&
                      rules_.debug_mode != TdrDebugMode::recover_always;
  if (hung && limits && record.process == episode.process &&
      beyond_limit(engine_timeouts_ps_[record.process], episode.began_ps, rules_.limit_count, rules_.limit_time_ps)) {
    blocks_ = record.process;
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
  if (resetting_.count(request.node) > 0 || resetting_.count(LogName{}) > 0) {
    violation(request.at_ps, text(request.node), "nothing asked of an engine that is being reset (rules 8 and 12)",
              fmt::format("request {}", request.preemption_fence_id));
  }
  requested_ps_.try_emplace({request.node, request.hardware_queue}, request.at_ps);
}

void RecoveryChecker::interrupt(const InterruptRecord& interrupt) {
  const Queue queue = {interrupt.node, interrupt.hardware_queue};
  const bool ignored = ignored_.count(interrupt.node) > 0;
  std::deque<Held>& packets = packets_[queue];
  switch (interrupt.type) {
    case InterruptType::dma_preempted:
      requested_ps_.erase(queue);
      if (!ignored) packets.clear();
      break;
    case InterruptType::dma_completed:
      if (!ignored && !packets.empty() && packets.front().fence_id == interrupt.fence_id) packets.pop_front();
      break;
    case InterruptType::dma_page_faulted:
      if (!ignored) faults_[queue] = {interrupt.fence_id, interrupt.dpc_ps};
      break;
    default: break;
  }
}

/// Rule 18: what the engine has told of has been dealt with.
void RecoveryChecker::rests(std::uint64_t at_ps) {
  for (const auto& [queue, fault] : faults_) {
    violation(at_ps, fmt::format("{} queue {}", text(queue.first), queue.second),
              "a reset for the page fault that is known at " + Violations::time_of(fault.known_ps) + " (rule 18)",
              "none");
  }
}

bool RecoveryChecker::is_removed(LogName context) const {
  const auto process = process_of_.find(context);
  return process != process_of_.end() && removed_.count(process->second) > 0;
}

/// Rules 7, 12, 16 and 17.
void RecoveryChecker::submission(const SubmissionRecord& submission) {
  packets_[{submission.node, submission.hardware_queue}].push_back({submission.packet, submission.submission_fence_id});
  const auto returned = returned_.find(submission.packet);
  if (returned != returned_.end()) {
    const bool paging = submission.type == PacketType::paging;
    const bool kept = submission.submission_fence_id == returned->second;
    if (paging ? !kept : submission.submission_fence_id <= returned->second) {
      violation(submission.at_ps, fmt::format("packet {} of {}", submission.packet, text(submission.context)),
                fmt::format(paging ? "its old id, {} (rule 11)" : "a new id, above {} (rule 11)", returned->second),
                std::to_string(submission.submission_fence_id));
    }
    returned_.erase(returned);
  }
  const bool held = held_.count(submission.node) > 0;
  if (held || resetting_.count(submission.node) > 0 || resetting_.count(LogName{}) > 0) {
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
  returned_.erase(packet.id);
  const bool removed = is_removed(packet.context) || resetting_.count(LogName{}) > 0;
  if (packet.status == PacketStatus::discarded && !removed) {
    violation(packet.completed_ps, where, "no innocent packet to be discarded (rule 11)", "discarded");
  }
}

}  // namespace fenceline
