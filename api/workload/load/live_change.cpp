// SPDX-License-Identifier: Apache-2.0
#include "api/workload/load/live_change.hpp"

#include "api/machine_change.hpp"
#include "api/workload/load/overrides.hpp"
#include "api/workload/workload.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_pointer.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace fenceline {
namespace {

/// Of a workload what has a standing before the scheduler.
struct Contenders {
  std::vector<QueueInfo> queues;  // without their timelines
  std::vector<ProcessInfo> processes;
};
void describe(Fields& f, Contenders& c) {
  f.about("what has a standing before the scheduler");
  f.optional("queues", c.queues, "as in a workload");
  f.optional("processes", c.processes, "as in a workload");
}

Contenders contenders_of(const Workload& workload) {
  Contenders all;
  for (const QueueInfo& queue : workload.queues) {
    QueueInfo one;
    static_cast<QueueConfig&>(one) = queue;
    one.output = queue.output;
    one.composed_by = queue.composed_by;
    all.queues.push_back(std::move(one));
  }
  all.processes = workload.processes;
  return all;
}

void check_live(const std::vector<std::string>& sets) {
  for (const std::string& set : sets) {
    const std::string pointer = "/workload" + set.substr(0, set.find('='));
    if (!reaches_any(live_workload_parameters(), pointer)) refuse_not_live(pointer, "what is the workload's");
  }
}

}  // namespace

LiveChange live_change(const Workload& workload, const MachineConfig& machine, const std::vector<std::string>& sets) {
  const Overrides overrides(sets);
  LiveChange change{changed_machine(machine, overrides.machine), {}, {}};
  if (overrides.workload.empty()) return change;
  check_live(overrides.workload);
  Contenders changed;
  std::vector<std::string> pointers;
  try {
    pointers = read_overridden(dump_config(contenders_of(workload)), workload.name, overrides.workload,
                               type_of<Contenders>(), &changed);
  } catch (const ConfigError& error) {
    throw ConfigError(error.file(), "/workload" + error.pointer(), error.expected(), error.found());
  }
  for (const std::string& pointer : pointers) {
    const std::vector<std::string> place = *split_pointer(pointer);
    const std::size_t index = std::stoul(place.at(1));
    if (place.front() == "processes") {
      change.processes[index] = changed.processes[index];
      continue;
    }
    const QueueConfig& queue = changed.queues[index];
    if (const std::string reason = refusal(queue, machine); !reason.empty()) {
      throw ConfigError("--set", "/workload" + pointer, "what the machine can give the queue", reason);
    }
    change.queues[index] = queue;
  }
  return change;
}

}  // namespace fenceline
