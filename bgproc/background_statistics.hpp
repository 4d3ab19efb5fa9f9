// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline {

/// What the variants of a pipeline state came to.
struct PipelineStatistics {
  std::string name;                      ///< as `name_task_subject` was told; empty: it was not
  std::uint64_t executions = 0;          ///< with root constants bound: of the original and variants
  std::uint64_t variants = 0;            ///< compiled and in use
  std::uint64_t specialised = 0;         ///< executions of variants
  std::uint64_t saved_instructions = 0;  ///< of all their threads, against the original
  bool patterns = false;                 ///< executions said their branches or resources: what follows tells of these
  std::uint64_t branch_misses = 0;       ///< executions of variants that took other branches than these assume
  std::uint64_t resource_misses = 0;     ///< that had other resources bound
  std::uint64_t promised_instructions = 0;  ///< what variants were to save in their executions
};

/// What background processing of a device came to.
struct BackgroundStatistics {
  std::uint64_t queued = 0;  ///< tasks
  std::uint64_t finished = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t pending = 0;      ///< queued or running when it was asked: with finished and cancelled ones all tasks
  std::uint64_t cpu_ps = 0;       ///< of finished tasks, picoseconds
  std::uint64_t variants = 0;     ///< of pipeline states, compiled and in use
  std::uint64_t dropped = 0;      ///< compiled for pipeline states that were gone
  std::uint64_t specialised = 0;  ///< executions of variants
  std::uint64_t saved_instructions = 0;  ///< of all their threads, against the originals
  /// Of each pipeline state that has been executed, in the order of their creation, also of those that are gone. Their
  /// variants, executions of variants and saved instructions add up to those above.
  std::vector<PipelineStatistics> pipelines;
};

}  // namespace fenceline
