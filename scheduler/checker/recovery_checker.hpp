// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/checker/violations.hpp"
#include "scheduler/recovery/watchdog.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// Holds timeouts, resets and removed devices against docs/recovery.md: when a request times out (rule 2), what a reset
/// takes and that nothing goes to the engine meanwhile (7, 8, 12), who is aborted and removed for it, and no other (9,
/// 10, 11, 13), how many resets are borne (14), and that a removed device runs nothing (16, 17).
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
  /// The context's process has no device now.
  bool is_removed(LogName context) const;

 private:
  using Queue = std::pair<LogName, std::uint32_t>;
  struct Episode {
    std::uint64_t timeout_ps = 0;
    bool timeout = false;
    bool adapter = false;
    std::set<LogName> aborted;  // processes
  };
  void violation(std::uint64_t at_ps, const std::string& where, const std::string& expected, const std::string& found) {
    violations_.add(at_ps, where, expected, found);
  }
  std::string text(LogName name) const { return std::string(log_.text(name)); }
  void check_timeout(const RecoveryRecord& record);
  void check_reset(const RecoveryRecord& record, std::uint64_t takes_ps, const std::string& where);
  void check_limit(const RecoveryRecord& record);
  void check_removal(const RecoveryRecord& record);
  LogName owner(LogName process);

  EventLog& log_;
  TdrRules rules_;
  Violations& violations_;
  std::map<LogName, LogName> process_of_;        // by context
  std::map<Queue, std::uint64_t> requested_ps_;  // of the request that has no answer
  std::map<std::uint64_t, Episode> episodes_;    // by number
  std::map<LogName, std::uint64_t> resetting_;   // nodes, since when; the empty name: the adapter
  std::set<std::uint64_t> aborted_;              // packets
  std::set<LogName> removed_;                    // processes
  std::vector<std::uint64_t> adapter_timeouts_ps_;
};

}  // namespace fenceline
