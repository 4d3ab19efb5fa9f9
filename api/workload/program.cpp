// SPDX-License-Identifier: Apache-2.0
#include "api/workload/program.hpp"

#include "api/resources/names.hpp"
#include "api/timeline/each_step.hpp"
#include "api/workload/beats.hpp"
#include "api/workload/created_pipelines.hpp"
#include "api/workload/recorded_contents.hpp"
#include "api/workload/recorder.hpp"
#include "api/workload/step_resolver.hpp"
#include "api/workload/swap_chain_names.hpp"
#include "sim/config_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline {
namespace {

/// Fences that tell of frames: of swap chains that are there.
void take_frame_fences(const Workload& workload, const std::string& file, Program& program) {
  const SwapChainNames chains(workload, file);
  program.frames_of.resize(workload.fences.size());
  ConfigErrors errors;
  for (std::size_t i = 0; i < workload.fences.size(); ++i) {
    const std::string& chain = workload.fences[i].frames_of;
    if (chain.empty()) continue;
    errors.keep([&] { program.frames_of[i] = chains.index(chain, fmt::format("/fences/{}/frames_of", i)); });
  }
  errors.throw_any();
}

/// Nobody signals fences that tell of frames.
void check_frame_fences(const std::string& file, const Program& program) {
  ConfigErrors errors;
  const auto check = [&](const Step& step, const std::string& pointer) {
    const bool by_event = step.kind == Step::Kind::set_background_processing_mode && step.mode.has_event;
    const bool by_paging = step.kind == Step::Kind::make_resident && step.fence != Step::no_fence;
    const bool signals =
        step.kind == Step::Kind::queue_signal || step.kind == Step::Kind::fence_signal || by_event || by_paging;
    if (!signals || !program.frames_of[step.fence]) return;
    errors.add({file, pointer + "/fence", "a fence that does not tell of frames (frames_of)",
                in_quotes(program.fences[step.fence].name)});
  };
  for (const Timeline& timeline : program.queue_timelines) for_each_step(timeline, check);
  for (const Timeline& timeline : program.cpu_timelines) for_each_step(timeline, check);
  errors.throw_any();
}

/// Queues, their screens, and what queues and CPU threads do. What CPU threads write.
std::vector<ContentWrite> resolve_timelines(const Workload& workload, const std::string& file, Program& program,
                                            ConfigErrors& errors) {
  StepResolver resolver(workload, file);
  errors.keep([&] { resolver.check_names(); });
  errors.keep([&] { Names(file, "CPU threads", "cpus", workload.cpus).check(); });
  const auto check_process = [&](const std::string& process, const char* key, std::size_t i) {
    errors.keep([&] { resolver.check_process(process, fmt::format("/{}/{}/process", key, i)); });
  };
  for (std::uint32_t i = 0; i < workload.queues.size(); ++i) {
    const std::string& process = workload.queues[i].process;
    if (!workload.processes.empty() && !process.empty()) check_process(process, "queues", i);
    program.queues.push_back(workload.queues[i]);
    program.queue_timelines.push_back(resolver.timeline(workload.queues[i], i));
  }
  program.screens = screens_of(workload, file, errors);
  for (std::size_t i = 0; i < workload.fences.size(); ++i) {
    const std::string& process = workload.fences[i].process;
    if (!process.empty()) check_process(process, "fences", i);
  }
  for (std::uint32_t i = 0; i < workload.cpus.size(); ++i) {
    program.cpu_timelines.push_back(resolver.timeline(workload.cpus[i], i));
    program.captured.push_back(workload.cpus[i].captured);
  }
  resolver.throw_errors();
  return resolver.take_writes();
}

}  // namespace

namespace {

/// Of a workload whose beats are resolved. `errors`: what was wrong with them.
Program program_of(const Workload& workload, const std::string& file, ConfigErrors errors) {
  Program program;
  program.name = workload.name;
  program.fences = workload.fences;
  program.processes = workload.processes;
  errors.keep([&] { program.lists = record_lists(workload, file); });
  for (const ComputePipelineInfo& one : workload.compute_pipelines) {
    if (one.folded) program.folded_compute[one.name] = *one.folded;
  }
  for (const GraphicsPipelineInfo& one : workload.graphics_pipelines) {
    if (one.folded) program.folded_graphics[one.name] = *one.folded;
  }
  program.created = created_pipelines(workload);
  std::vector<ContentWrite> writes;
  errors.keep([&] { writes = resolve_timelines(workload, file, program, errors); });
  errors.keep([&] { take_frame_fences(workload, file, program); });
  errors.keep([&] { program.deadlines = deadlines_of(workload, file); });
  std::vector<ContentResource> contents;
  errors.keep([&] { contents = initial_contents(workload, file); });
  errors.throw_any();  // what follows takes lists and timelines as they are
  do_each([&] { check_frame_fences(file, program); },
          [&] {
            program.memory = memory_of(workload, {program.lists, program.queue_timelines, program.cpu_timelines}, file);
          },
          [&] { program.contents = recorded_contents(workload, std::move(contents), std::move(writes), file); });
  return program;
}

}  // namespace

Program make_program(const Workload& workload, const std::string& file) {
  ConfigErrors errors;
  if (!keeps_beats(workload)) return program_of(workload, file, errors);
  Workload resolved = workload;
  errors.keep([&] { resolve_beats(resolved, file); });
  return program_of(resolved, file, errors);
}

const std::string& process_of(const Program& program, const Step& step) {
  static const std::string without_name;
  return step.process == Step::no_process ? without_name : program.processes[step.process].name;
}

std::uint64_t packets_of(const Program& program) {
  std::uint64_t packets = 0;
  const auto add = [&](const Timeline& timeline) {
    for (const StepBlock& block : timeline.blocks) {
      for (const Step& step : block.steps) {
        const std::uint64_t times = block.count > step.from_iteration ? block.count - step.from_iteration : 0;
        if (step.kind == Step::Kind::execute) packets += times * step.lists.size();
        if (step.kind == Step::Kind::queue_signal || step.kind == Step::Kind::queue_wait ||
            step.kind == Step::Kind::present) {
          packets += times;
        }
      }
    }
  };
  for (const Timeline& timeline : program.queue_timelines) add(timeline);
  for (const Timeline& timeline : program.cpu_timelines) add(timeline);
  return packets;
}

}  // namespace fenceline
