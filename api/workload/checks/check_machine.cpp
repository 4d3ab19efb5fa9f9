// SPDX-License-Identifier: Apache-2.0
#include "api/timeline/each_step.hpp"
#include "api/workload/program.hpp"
#include "sim/config_errors.hpp"

#include <fmt/format.h>

namespace fenceline {
namespace {

/// What a system without developer mode refuses.
void check_mode(const Step& step, const MachineConfig& machine, const std::string& file, const std::string& pointer) {
  const bool developer_mode = machine.background_processing.developer_mode;
  std::string reason;
  if (step.kind == Step::Kind::set_background_processing_mode) reason = refusal_of(step.mode, developer_mode);
  if (step.kind == Step::Kind::shader_cache_control && !developer_mode) {
    reason = "control of implicit shader caches, for developer mode alone";
  }
  if (reason.empty()) return;
  throw ConfigError(file, pointer, "what the machine's system allows (/background_processing/developer_mode)", reason);
}

/// It is one of the machine's outputs, or says nothing.
void check_output(const std::string& name, const MachineConfig& machine, const std::string& file,
                  const std::string& pointer) {
  if (name.empty() || output_named(machine.display, name)) return;
  std::string names;
  for (const OutputConfig& output : screens_of(machine.display)) names += " " + in_quotes(output.name);
  throw ConfigError(file, pointer + "/output", "an output of the machine:" + names, in_quotes(name));
}

/// IDXGIAdapter3::SetVideoMemoryReservation: at most AvailableForReservation.
void check_reservation(const Step& step, const MachineConfig& machine, const std::string& file,
                       const std::string& pointer) {
  if (step.kind != Step::Kind::set_video_memory_reservation) return;
  const std::uint32_t most = machine.video_memory.dedicated_mib / 2;
  if (step.reserved_mib <= most || machine.video_memory.over_reservation == OverReservation::clamp) return;
  throw ConfigError(file, pointer + "/mib", fmt::format("at most {}, half of the machine's dedicated_mib", most),
                    fmt::format("{}", step.reserved_mib));
}

}  // namespace

void check_machine(const Program& program, const std::string& file, const MachineConfig& machine) {
  if (machine.background_processing.executor != TaskExecution::simulated) {
    throw ConfigError(file, "",
                      "a machine whose /background_processing/executor is simulated, for the same bytes at every run",
                      "host");
  }
  ConfigErrors errors;
  const auto check_presents = [&](std::size_t queue) {
    if (may_present(program.queues[queue])) return;
    errors.add({file, fmt::format("/queues/{}/node_mask", queue),
                "bit 0 for a queue that presents: swap chains are on the first of the linked adapters",
                fmt::format("{}", program.queues[queue].node_mask)});
  };
  for (const Timeline& timeline : program.cpu_timelines) {
    for_each_step(timeline, [&](const Step& step, const std::string& pointer) {
      errors.keep([&] { check_mode(step, machine, file, pointer); });
      if (step.kind == Step::Kind::wait_vblank) errors.keep([&] { check_output(step.name, machine, file, pointer); });
      errors.keep([&] { check_reservation(step, machine, file, pointer); });
      if (step.kind == Step::Kind::present) check_presents(step.queue);
    });
  }
  for (const Timeline& timeline : program.queue_timelines) {
    for_each_step(timeline, [&](const Step& step, const std::string&) {
      if (step.kind == Step::Kind::present) check_presents(step.queue);
    });
  }
  for (std::size_t i = 0; i < program.queues.size(); ++i) {
    const std::string pointer = fmt::format("/queues/{}", i);
    const std::string reason = refusal(program.queues[i], machine);
    if (!reason.empty()) errors.add({file, pointer, "a queue that the machine can have", reason});
  }
  for (std::size_t i = 0; i < program.screens.size(); ++i) {
    const std::size_t queues = program.queues.size();
    const std::string pointer = i < queues ? fmt::format("/queues/{}", i) : fmt::format("/swap_chains/{}", i - queues);
    errors.keep([&] { check_output(program.screens[i].output, machine, file, pointer); });
  }
  for (std::size_t i = 0; i < program.lists.size(); ++i) {
    // That the commands suit the list's type was seen when it was recorded; what is left is their size.
    const std::string reason = refusal(*program.lists[i], QueueType::direct, machine);
    if (reason.empty()) continue;
    errors.add({file, fmt::format("/command_lists/{}", i), "commands that the machine can run", reason});
  }
  errors.throw_any();
}

}  // namespace fenceline
