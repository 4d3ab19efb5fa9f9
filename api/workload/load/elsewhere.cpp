// SPDX-License-Identifier: Apache-2.0
#include "api/workload/load/elsewhere.hpp"

#include "api/machine_config.hpp"
#include "api/queue_rules.hpp"
#include "api/workload/program.hpp"
#include "api/workload/workload.hpp"

#include <cstddef>
#include <string>
#include <variant>

namespace fenceline {
namespace {

void take_paths(const MachineConfig& machine, Workload& workload, Program& program) {
  for (std::size_t i = 0; i < program.queues.size(); ++i) {
    std::string& path = program.queues[i].path;
    if (path.empty() || machine.submission_paths.count(path) > 0) continue;
    path = d3d12_path(machine);
    workload.queues[i].path = path;
  }
}

void take_outputs(const MachineConfig& machine, Workload& workload, Program& program) {
  const auto take = [&](std::string& output) {
    if (!output.empty() && !output_named(machine.display, output)) output.clear();
  };
  for (QueueInfo& queue : workload.queues) take(queue.output);
  for (SwapChainInfo& chain : workload.swap_chains) take(chain.output);
  for (ProgramScreen& screen : program.screens) take(screen.output);
  for (CpuInfo& cpu : workload.cpus) {
    for (CpuStep& step : cpu.timeline) {
      if (auto* const wait = std::get_if<CpuWaitVblank>(&step)) take(wait->output);
      auto* const repeat = std::get_if<CpuRepeat>(&step);
      if (repeat == nullptr) continue;
      for (CpuSimpleStep& repeated : repeat->steps) {
        if (auto* const wait = std::get_if<CpuWaitVblank>(&repeated)) take(wait->output);
      }
    }
  }
  for (Timeline& timeline : program.cpu_timelines) {
    for (StepBlock& block : timeline.blocks) {
      for (Step& step : block.steps) {
        if (step.kind == Step::Kind::wait_vblank) take(step.name);
      }
    }
  }
}

}  // namespace

void take_what_is_there(const MachineConfig& machine, Workload& workload, Program& program) {
  take_paths(machine, workload, program);
  take_outputs(machine, workload, program);
}

}  // namespace fenceline
