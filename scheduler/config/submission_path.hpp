// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/preemption.hpp"
#include "sim/config/described.hpp"

#include <optional>
#include <string>

namespace fenceline {

/// What a packet costs around its work on one kind of node, and how a queue there learns of fences.
struct NodePath {
  double launch_ns = 0;
  double retire_ns = 0;
  double copy_setup_ns = 0;  ///< on a copy node
  double follow_ns = 0;
  double completion_ns = 0;
  double to_device_share = 1;
  double to_host_share = 1;
  std::optional<double> barrier_ns;  ///< unset: the engine's barrier_cycles
  ComputePreemption finest_preemption = ComputePreemption::shader_boundary;
  double fence_same_node_ns = 0;
  double fence_cross_node_ns = 0;
  double fence_from_cpu_ns = 0;
};
void describe(Fields& f, NodePath& c);

/// On a copy node, whose copies are set up one by one: all of it.
struct CopyNodePath : NodePath {};
void describe(Fields& f, CopyNodePath& c);

/// What work costs between a queue and the hardware by the way it is submitted. CUDA streams, graphs and the queues of
/// a graphics driver reach the same engines with different costs; a queue names its path.
struct SubmissionPath {
  std::string source;
  NodePath graphics;
  NodePath compute;
  CopyNodePath copy;
  double fence_next_waiter_ns = 0;
  double launch_jitter_ns = 0;              ///< mean, in runs with jitter
  double fence_jitter_ns = 0;               ///< the same
  std::optional<double> time_slice_us;      ///< unset: the scheduler's
  std::optional<double> process_switch_us;  ///< the same
};
void describe(Fields& f, SubmissionPath& c);

}  // namespace fenceline
