// SPDX-License-Identifier: Apache-2.0
#include "api/workload/program_memory.hpp"

#include "api/resources/resource_table.hpp"
#include "api/timeline/each_step.hpp"
#include "sim/config_errors.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <type_traits>
#include <variant>

namespace fenceline {
namespace {

std::vector<AllocationConfig> allocations_of(const Workload& workload, const std::string& file) {
  const ResourceTable table(workload.resources, file);
  std::vector<AllocationConfig> allocations;
  for (std::size_t i = 0; i < workload.resources.size(); ++i) {
    std::visit(
        [&](const auto& resource) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(resource)>, MemoryResource>) {
            const ResourceInfo& info = table.resource(resource.name, fmt::format("/resources/{}", i));
            if (!info.allocation) return;
            allocations.push_back({resource.name, info.bytes, resource.residency_priority, resource.written,
                                   resource.create_not_resident, resource.fill, resource.paging_hangs});
          }
        },
        workload.resources[i]);
  }
  return allocations;
}

/// The lists that the timeline's steps execute are the device's of the process that has the queue.
void learn(const Timeline& timeline, const Workload& workload, const TimelinesView& timelines, ProgramMemory& memory) {
  for_each_step(timeline, [&](const Step& step, const std::string&) {
    if (step.kind != Step::Kind::execute) return;
    std::set<std::uint32_t>& known = memory.known[workload.queues[step.queue].process];
    for (const std::uint32_t list : step.lists) {
      const std::vector<std::uint32_t>& used = timelines.lists[list]->memory.allocations;
      known.insert(used.begin(), used.end());
    }
  });
}

}  // namespace

ProgramMemory memory_of(const Workload& workload, const TimelinesView& timelines, const std::string& file) {
  ProgramMemory memory;
  memory.allocations = allocations_of(workload, file);
  for (const Timeline& timeline : timelines.queues) learn(timeline, workload, timelines, memory);
  for (const Timeline& timeline : timelines.cpus) learn(timeline, workload, timelines, memory);
  ConfigErrors errors;
  for (const Timeline& timeline : timelines.cpus) {
    for_each_step(timeline, [&](const Step& step, const std::string& pointer) {
      if (step.kind != Step::Kind::make_resident && step.kind != Step::Kind::evict) return;
      const std::string process = step.process == Step::no_process ? "" : workload.processes[step.process].name;
      const std::set<std::uint32_t>& known = memory.known[process];
      for (std::size_t i = 0; i < step.allocations.size(); ++i) {
        if (known.count(step.allocations[i]) > 0) continue;
        errors.add({file, fmt::format("{}/resources/{}", pointer, i),
                    fmt::format("a resource that lists use which queues of process {} execute", in_quotes(process)),
                    in_quotes(memory.allocations[step.allocations[i]].name)});
      }
    });
  }
  errors.throw_any();
  return memory;
}

}  // namespace fenceline
