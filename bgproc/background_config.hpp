// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/pgo/pgo_config.hpp"
#include "bgproc/tasks/task_execution.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <string>

namespace fenceline {

/// Background processing of a machine: what its driver supports, what the runtime allows.
struct BackgroundConfig {
  std::string source;
  bool supported = true;       ///< D3D12_FEATURE_DATA_D3D12_OPTIONS6::BackgroundProcessingSupported
  bool developer_mode = true;  ///< of the system: else the modes that disable and high priority are refused
  TaskExecution executor = TaskExecution::simulated;
  std::uint32_t parallel_tasks = 2;
  bool disabling_cancels = false;
  double task_us = 1000;  ///< CPU time of tasks that do not say theirs
  FoldedParts folded;     ///< of pipeline states that do not say theirs
  PgoConfig pgo;
};
void describe(Fields& f, BackgroundConfig& c);

}  // namespace fenceline
