// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/checker/violations.hpp"
#include "scheduler/recovery/watchdog.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// Holds timeouts, resets and removed devices against docs/recovery.md: when a request times out (rule 2), when a reset
/// begins, what it takes and that the engine gets nothing and is asked nothing meanwhile (7, 8, 12), who is aborted and
/// removed for it, and no other (9, 10, 13), that everybody else's packets come back, are submitted with new ids
/// (paging: their old ones) and are not lost (11), how many resets are borne (14), who is blocked (15), that a removed
/// device runs nothing (16, 17), and that a page fault is one that the engine has told of (18).
class RecoveryChecker {
 public:
  RecoveryChecker(EventLog& log, const TdrRules& rules, Violations& violations)
      : log_(log), rules_(rules), violations_(violations) {}

  void recovery(const RecoveryRecord& record);
  void context(const ContextRecord& record) { process_of_[record.context] = record.process; }
  void request(const PreemptionRequest& request);
  void interrupt(const InterruptRecord& interrupt);
  void submission(const SubmissionRecord& submission);
  void packet(const PacketRecord& packet);
  /// Nothing more will happen.
  void rests(std::uint64_t at_ps);
  /// The device of the context's process.
  bool is_removed(LogName context) const;

 private:
  using Queue = std::pair<LogName, std::uint32_t>;
  struct Episode {
    std::uint64_t began_ps = 0;
    LogName node{};
    LogName process{};  // of the packet that ran
    bool timeout = false;
    bool adapter = false;
    bool asks = false;  // dependents
    bool reset = false;
    std::set<LogName> aborted;  // processes
  };
  /// A packet in a hardware queue, as far as the scheduler knows or will learn.
  struct Held {
    std::uint64_t packet;
    std::uint64_t fence_id;
  };
  struct Fault {
    std::uint64_t fence_id;
    std::uint64_t known_ps;
  };
  void violation(std::uint64_t at_ps, const std::string& where, const std::string& expected, const std::string& found) {
    violations_.add(at_ps, where, expected, found);
  }
  std::string text(LogName name) const { return std::string(log_.text(name)); }
  void begin(Episode& episode, const RecoveryRecord& record);
  void check_timeout(const RecoveryRecord& record);
  void check_fault(const RecoveryRecord& record);
  void check_begun(Episode& episode, const RecoveryRecord& record);
  void check_aborted(const RecoveryRecord& record);
  void check_returned(const RecoveryRecord& record);
  void check_working(const RecoveryRecord& record);
  void check_blocked(const RecoveryRecord& record);
  void check_reset(const RecoveryRecord& record, std::uint64_t takes_ps, const std::string& where);
  void check_limit(const RecoveryRecord& record);
  void check_removal(const RecoveryRecord& record);
  LogName owner(LogName process);

  EventLog& log_;
  TdrRules rules_;
  Violations& violations_;
  std::map<LogName, LogName> process_of_;            // by context
  std::map<Queue, std::uint64_t> requested_ps_;      // of the request that has no answer
  std::map<std::uint64_t, Episode> episodes_;        // by number
  std::map<LogName, std::uint64_t> resetting_;       // nodes, since when; the empty name: the adapter
  std::set<std::uint64_t> aborted_;                  // packets
  std::set<LogName> removed_;                        // processes
  std::set<LogName> held_;                           // nodes that get nothing
  std::set<LogName> ignored_;                        // nodes of whose interrupts nobody learns
  std::map<Queue, std::deque<Held>> packets_;        // in their order
  std::map<Queue, std::uint64_t> last_aborted_;      // as the engine's reset has returned it
  std::map<std::uint64_t, std::uint64_t> returned_;  // packets, and their last id
  std::map<Queue, Fault> faults_;                    // that the operating system has not dealt with
  std::vector<std::uint64_t> adapter_timeouts_ps_;
  std::map<LogName, std::vector<std::uint64_t>> engine_timeouts_ps_;  // by process
  std::optional<LogName> blocks_;                                     // who is to be told of as blocked next
  std::set<LogName> blocked_;                                         // processes
};

}  // namespace fenceline
