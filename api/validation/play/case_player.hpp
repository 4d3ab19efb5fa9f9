// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "api/validation/play/moment_log.hpp"
#include "api/validation/play/planned_case.hpp"
#include "api/validation/play/validation_case.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// Plays planned cases of one file, each on a new machine, and reads their figures off.
class CasePlayer {
 public:
  /// Both must outlive the player; `file` is for errors.
  CasePlayer(const MachineConfig& machine, const std::string& file) : machine_(machine), file_(file) {}

  /// Throws ConfigError at the case's row when the machine cannot play it.
  ValidationCase play(const PlannedCase& planned);
  /// The figure of one workload, microseconds.
  double figure_us(const Workload& workload, const Figure& figure, std::vector<ValidationOp>* ops = nullptr,
                   const std::vector<PlannedOp>& planned_ops = {}) const;
  /// What a host sees of an empty list on a Vulkan queue.
  double empty_list_us(QueueType type);

 private:
  /// The nearest of the modes that were played, and how often.
  void find_mode(const PlannedCase& planned, ValidationCase& result);
  /// The median with each of so many seeds.
  double empty_list_us(QueueType type, std::uint64_t seeds);
  void play(const Workload& workload, const MachineConfig& config, EventLog::Detail detail, MomentLog& moments) const;
  const std::vector<double>& samples_us(const Samples& samples);

  const MachineConfig& machine_;
  const std::string& file_;
  std::map<std::pair<QueueType, std::uint64_t>, double> empty_;  // by queue and number of seeds, 0 without jitter
  std::map<const Samples*, std::vector<double>> samples_;        // of what has been played
};

}  // namespace fenceline
