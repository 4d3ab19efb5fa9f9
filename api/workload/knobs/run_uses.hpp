// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "api/workload/program.hpp"
#include "api/workload/workload.hpp"
#include "scheduler/policies/priority.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fenceline {

/// What command lists have in them, each as true if any has.
struct ListUse {
  bool draws = false;
  bool dispatches = false;
  bool changes_pipeline = false;  ///< draws of more than one graphics pipeline in one list
  bool has_extents = false;       ///< draws whose triangles are close to each other
  bool barriers = false;
  bool fetches = false;  ///< arguments or predicates from memory
  bool copies = false;
  bool to_device = false;  ///< over PCIe
  bool to_host = false;
  bool within_device = false;
  bool alu = false;
  bool sfu = false;
  bool texture = false;
  bool shared = false;  ///< accesses
  bool shared_memory = false;
  bool streams = false;  ///< thread groups move bytes, textures included
  bool reuses = false;   ///< of a working set
  void add(const CommandStream& stream);
  void add(const ListUse& other);
};

/// What becomes of a part of the machine in a run: who uses it, for what.
struct PartUse {
  ListUse lists;
  std::uint32_t queues = 0;
  std::set<std::string> processes;
  std::uint32_t waits = 0;                              ///< queues that wait for a fence
  std::uint32_t signals = 0;                            ///< queues that signal one
  std::uint32_t presents = 0;                           ///< queues that present
  std::array<std::uint32_t, priority_bands> in_band{};  ///< queues that may be in the band at some time
  std::array<std::map<std::string, std::uint32_t>, priority_bands> of_process_in_band;  ///< of these, by process
  std::array<bool, priority_bands> shared_by_queues{};                                  ///< two of them of one process
  std::array<bool, priority_bands> shared_by_processes{};
  bool own_barriers = false;  ///< a path without barrier_ns
};

/// What a program does with a machine, as far as can be said before it is played.
struct RunUses {
  RunUses(const MachineConfig& machine, const Program& program);
  PartUse all;
  std::vector<PartUse> nodes;                           ///< by engine
  std::map<std::string, std::array<PartUse, 3>> paths;  ///< by name, then by QueueType
  std::map<std::string, PartUse> runlists;
  bool names_every_path = true;  ///< no queue takes the default path
  bool pages = false;            ///< something does not fit into video memory, or is created not resident
  bool cpu_threads = false;
  bool cpu_waits = false;
  bool cpu_sleeps = false;
  bool cpu_computes = false;       ///< or calls
  bool root_constants = false;     ///< a list has commands that have some bound
  bool creates_pipelines = false;  ///< a CPU thread creates pipeline states
  bool creates_dxbc = false;       ///< some of them of DXBC
  bool background = false;         ///< a CPU thread changes the mode or queues tasks
  bool acts_on_bytes = false;      ///< resources say what they contain, or a CPU thread writes
  bool queues_tasks = false;       ///< that do not say their CPU time
};

/// What of a workload its timelines lead to: by name.
struct WorkloadUses {
  explicit WorkloadUses(const Workload& workload);
  std::set<std::string> lists;
  std::set<std::string> compute_pipelines;
  std::set<std::string> graphics_pipelines;
  std::set<std::string> resources;
  std::set<std::string> fences;
  std::set<std::string> processes;
  std::set<std::string> queues;  ///< something is submitted to them
  std::set<std::string> beats;   ///< something keeps them
};

}  // namespace fenceline
