// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine.hpp"
#include "scheduler/residency/allocation.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fenceline::testing {

/// What happens to a machine at one moment.
struct Step {
  enum class What : std::uint8_t {
    execute,
    signal,
    wait,
    cpu_signal,
    preempt,
    focus,
    set_priority,
    set_process_priority,
    suspend,
    resume,
    present,
    compose,
    create_device,
    make_resident,
    evict,
    set_residency_priority,
    reserve
  };
  std::uint64_t at_ps = 0;
  What what = What::execute;
  std::size_t queue = 0;
  std::size_t list = 0;  ///< make_resident, evict, set_residency_priority: an allocation
  std::size_t fence = 0;
  std::uint64_t value = 0;  ///< of a fence; set_residency_priority: the priority; reserve: bytes
  bool tearing = false;     ///< present, whose interval is `value`
  int priority = 0;         ///< set_priority: in-process; set_process_priority: a ProcessPriority
};

/// Where a queue presents to.
struct ScenarioScreen {
  std::uint32_t output = 0;
  std::optional<std::size_t> composed_by = {};  ///< a queue
};

/// A machine and a program for it that cannot deadlock: every wait is for a value that something before it in one order
/// of all steps brings its fence to, and such fences only grow.
struct Scenario {
  MachineConfig machine;
  std::vector<ProcessConfig> processes;
  std::vector<QueueConfig> queues;
  std::vector<ScenarioScreen> screens;  ///< by queue; empty: nothing presents
  std::size_t fences = 0;
  std::vector<std::shared_ptr<const CommandStream>> lists;
  std::vector<Step> steps;                                    ///< in the order of time
  std::vector<AllocationConfig> allocations = {};             ///< in video memory
  std::map<std::string, std::set<std::uint32_t>> known = {};  ///< by process: those that its device has
};

/// Some scenarios get DMA buffers that their lists do not fit, with lists that leak bindings, linked adapters, or both,
/// or a driver without contexts.
Scenario with_splits(Scenario scenario, std::uint64_t seed);
/// A third of the scenarios get timeouts after microseconds, packets that never end, run far too long or fault, engines
/// that fall together, and devices that are made anew. What the scenario had is as it was.
Scenario with_hangs(Scenario scenario, std::uint64_t seed);
/// A third of the scenarios get little video memory, and lists that use more than fits.
Scenario with_memory(Scenario scenario, std::uint64_t seed);
/// A quarter of the scenarios get times that are multiples of ten microseconds: much happens at one moment.
Scenario with_coincidences(Scenario scenario, std::uint64_t seed);
/// The same number gives the same scenario.
Scenario random_scenario(std::uint64_t n);

nlohmann::ordered_json json_of(const Scenario& scenario);

}  // namespace fenceline::testing
