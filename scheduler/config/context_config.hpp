// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/config/submission_path.hpp"
#include "scheduler/policies/priority.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fenceline {

/// A process of one scheduler. 0 is the process of whatever names none.
enum class ProcessId : std::uint32_t {};

/// A context of one scheduler.
enum class ContextId : std::uint32_t {};

/// A context to be made on a node.
struct ContextConfig {
  std::string name;                                   ///< last part of its path
  std::uint32_t node = 0;                             ///< index of the node it runs on
  ContextPriority priority = {};                      ///< where it stands
  ProcessId process{};                                ///< who owns it
  NodePath path;                                      ///< what its packets and fences cost on that node
  double fence_next_waiter_ns = 0;                    ///< as the queue's submission path has it
  double launch_jitter_ns = 0;                        ///< the same; 0 in runs without jitter
  double fence_jitter_ns = 0;                         ///< the same
  std::optional<double> quantum_us = {};              ///< of a turn among its process's contexts; unset: its band's
  std::optional<double> grace_us = {};                ///< once a higher rank is ready; unset: its band's
  std::optional<double> grace_same_priority_us = {};  ///< once its turn is over; unset: none
  std::optional<double> time_slice_us = {};  ///< of its process, if this is the process's first; unset: the scheduler's
  std::optional<double> process_switch_us = {};  ///< the same
  std::optional<ContextId> broadcast_with = {};  ///< linked adapters: the same queue's first context, if it is another
  bool disable_gpu_timeout = false;              ///< D3D12_COMMAND_QUEUE_FLAG_DISABLE_GPU_TIMEOUT
};

}  // namespace fenceline
