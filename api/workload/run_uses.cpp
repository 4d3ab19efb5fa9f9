// SPDX-License-Identifier: Apache-2.0
#include "api/workload/run_uses.hpp"

#include "engines/copy_cost.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>

namespace fenceline {
namespace {

void add_shader(ListUse& use, const ShaderCost& shader) {
  use.alu = use.alu || shader.alu_instructions > 0;
  use.sfu = use.sfu || shader.sfu_instructions > 0;
  use.texture = use.texture || shader.texture_samples > 0;
  use.shared = use.shared || shader.shared_accesses > 0;
  const bool samples_pass_l2 = shader.texture_samples > 0 && shader.texture_bytes_per_sample > 0;
  use.streams = use.streams || samples_pass_l2;
  use.reuses = use.reuses || (samples_pass_l2 && shader.texture_working_set_bytes > 0);
}

void add_draw(ListUse& use, const CommandStream& stream, const Draw& draw) {
  const GraphicsPipeline& pipeline = stream.graphics_pipelines[draw.pipeline];
  use.draws = true;
  use.has_extents = use.has_extents || draw.extent_pixels > 0;
  add_shader(use, pipeline.vertex_shader);
  add_shader(use, pipeline.pixel_shader);
}

void add_dispatch(ListUse& use, const CommandStream& stream, const Dispatch& dispatch) {
  const ComputePipeline& pipeline = stream.compute_pipelines[dispatch.pipeline];
  use.dispatches = true;
  add_shader(use, pipeline.work.shader);
  use.shared_memory = use.shared_memory || pipeline.group.shared_bytes > 0;
  use.streams = use.streams || pipeline.work.vram_bytes > 0;
  use.reuses = use.reuses || (pipeline.work.vram_bytes > 0 && pipeline.work.working_set_bytes > 0);
}

void add_route(ListUse& use, CopyRoute route) {
  use.copies = true;
  use.to_device = use.to_device || route == CopyRoute::host_to_device || route == CopyRoute::host_to_host;
  use.to_host = use.to_host || route == CopyRoute::device_to_host || route == CopyRoute::host_to_host;
  use.within_device = use.within_device || route == CopyRoute::device_to_device;
}

/// A queue as far as its timelines say.
struct QueueUse {
  ListUse lists;
  bool waits = false;
  bool signals = false;
  bool presents = false;
};

std::vector<QueueUse> uses_of_queues(const Program& program) {
  std::vector<ListUse> lists(program.lists.size());
  for (std::size_t i = 0; i < lists.size(); ++i) lists[i].add(*program.lists[i]);
  std::vector<QueueUse> queues(program.queues.size());
  const auto add = [&](const Timeline& timeline) {
    for (const StepBlock& block : timeline.blocks) {
      for (const Step& step : block.steps) {
        QueueUse& queue = queues[step.queue];
        if (step.kind == Step::Kind::execute) {
          for (const std::uint32_t list : step.lists) queue.lists.add(lists[list]);
        }
        queue.waits = queue.waits || step.kind == Step::Kind::queue_wait;
        queue.signals = queue.signals || step.kind == Step::Kind::queue_signal;
        queue.presents = queue.presents || step.kind == Step::Kind::present;
      }
    }
  };
  for (const Timeline& timeline : program.queue_timelines) add(timeline);
  for (const Timeline& timeline : program.cpu_timelines) add(timeline);
  return queues;
}

/// The bands that the queue's packets may be in: the focus may go to its process and leave it or be of no use to it,
/// and the process may change its class.
std::array<bool, priority_bands> bands_of(const QueueConfig& queue, const Program& program,
                                          const SchedulerConfig& scheduler) {
  const ContextPriority own{static_cast<int>(queue.priority), queue.in_process_priority, queue.realtime_level};
  ProcessConfig process;
  for (const ProcessConfig& one : program.processes) {
    if (one.name == queue.process) process = one;
  }
  std::vector<ProcessPriority> classes = {process.priority};
  const bool outstays = scheduler.focus_quantum_without_present_us.has_value();
  bool focus_moves = false;
  for (const Timeline& timeline : program.cpu_timelines) {
    for (const StepBlock& block : timeline.blocks) {
      for (const Step& step : block.steps) {
        focus_moves = focus_moves || step.kind == Step::Kind::focus;
        if (step.kind == Step::Kind::set_process_priority) classes.push_back(step.priority);
      }
    }
  }
  std::array<bool, priority_bands> bands{};
  const bool focus = process.focus;
  for (const ProcessPriority one : classes) {
    process.priority = one;
    for (const bool has : {false, true}) {
      process.focus = has;
      if (has == focus || focus_moves || (!has && outstays))
        bands[static_cast<std::size_t>(rank_of(own, process).band)] = true;
    }
  }
  return bands;
}

/// Counts a queue of the part's, after those of `others`.
void add_queue(PartUse& part, const QueueUse& use, const QueueConfig& queue, const Program& program,
               const SchedulerConfig& scheduler, const std::vector<const QueueConfig*>& others) {
  ++part.queues;
  part.lists.add(use.lists);
  part.processes.insert(queue.process);
  part.waits += use.waits ? 1 : 0;
  part.signals += use.signals ? 1 : 0;
  part.presents += use.presents ? 1 : 0;
  const auto bands = bands_of(queue, program, scheduler);
  for (std::size_t band = 0; band < priority_bands; ++band) {
    if (!bands[band]) continue;
    ++part.in_band[band];
    for (const QueueConfig* other : others) {
      if (!bands_of(*other, program, scheduler)[band]) continue;
      bool& shared = other->process == queue.process ? part.shared_by_queues[band] : part.shared_by_processes[band];
      shared = true;
    }
  }
}

}  // namespace

void ListUse::add(const CommandStream& stream) {
  std::optional<std::uint32_t> pipeline;
  for (const Command& recorded : stream.commands) {
    const Command* command = &recorded;
    if (const auto* indirect = std::get_if<ExecuteIndirect>(command)) {
      const IndirectCall& call = stream.indirect_calls[indirect->call];
      fetches = true;
      if (call.arguments_in_host) to_device = true;
      command = &call.command;
    }
    const auto* indexed = std::get_if<DrawIndexed>(command);
    if (const Draw* draw = indexed != nullptr ? &indexed->draw : std::get_if<Draw>(command)) {
      add_draw(*this, stream, *draw);
      changes_pipeline = changes_pipeline || (pipeline && *pipeline != draw->pipeline);
      pipeline = draw->pipeline;
    } else if (const auto* dispatch = std::get_if<Dispatch>(command)) {
      add_dispatch(*this, stream, *dispatch);
    } else if (const auto cost = copy_cost(*command)) {
      add_route(*this, cost->route);
    } else if (const auto* predication = std::get_if<SetPredication>(command)) {
      fetches = fetches || predication->reads;
    } else if (std::holds_alternative<Barrier>(*command)) {
      barriers = true;
    }
  }
}

void ListUse::add(const ListUse& other) {
  for (bool ListUse::*member :
       {&ListUse::draws, &ListUse::dispatches, &ListUse::changes_pipeline, &ListUse::has_extents, &ListUse::barriers,
        &ListUse::fetches, &ListUse::copies, &ListUse::to_device, &ListUse::to_host, &ListUse::within_device,
        &ListUse::alu, &ListUse::sfu, &ListUse::texture, &ListUse::shared, &ListUse::shared_memory, &ListUse::streams,
        &ListUse::reuses}) {
    this->*member = this->*member || other.*member;
  }
}

RunUses::RunUses(const MachineConfig& machine, const Program& program) : nodes(machine.engines.size()) {
  const std::vector<QueueUse> uses = uses_of_queues(program);
  const std::vector<std::uint32_t> node_of = nodes_of(program.queues, machine);
  std::vector<const QueueConfig*> before;
  for (std::size_t i = 0; i < program.queues.size(); ++i) {
    const QueueConfig& queue = program.queues[i];
    names_every_path = names_every_path && !queue.path.empty();
    const std::string& path = queue.path.empty() ? machine.default_path : queue.path;
    std::vector<const QueueConfig*> on_node;
    std::vector<const QueueConfig*> on_runlist;
    const std::string& runlist = engine_config(machine.engines[node_of[i]]).runlist;
    for (std::size_t j = 0; j < i; ++j) {
      if (node_of[j] == node_of[i]) on_node.push_back(&program.queues[j]);
      if (engine_config(machine.engines[node_of[j]]).runlist == runlist) on_runlist.push_back(&program.queues[j]);
    }
    add_queue(all, uses[i], queue, program, machine.scheduler, before);
    add_queue(nodes[node_of[i]], uses[i], queue, program, machine.scheduler, on_node);
    if (!runlist.empty()) add_queue(runlists[runlist], uses[i], queue, program, machine.scheduler, on_runlist);
    PartUse& part = paths[path][static_cast<std::size_t>(queue.type)];
    add_queue(part, uses[i], queue, program, machine.scheduler, {});
    const SubmissionPath& costs = machine.submission_paths.at(path);
    const NodePath& cost = queue.type == QueueType::direct    ? costs.graphics
                           : queue.type == QueueType::compute ? costs.compute
                                                              : static_cast<const NodePath&>(costs.copy);
    nodes[node_of[i]].own_barriers = nodes[node_of[i]].own_barriers || !cost.barrier_ns;
    before.push_back(&queue);
  }
  for (const Timeline& timeline : program.cpu_timelines) {
    for (const StepBlock& block : timeline.blocks) {
      for (const Step& step : block.steps) {
        cpu_threads = cpu_threads || (step.kind != Step::Kind::work && step.kind != Step::Kind::sleep_until);
        cpu_waits = cpu_waits || step.kind == Step::Kind::fence_wait;
        cpu_sleeps = cpu_sleeps || step.kind == Step::Kind::sleep_until;
      }
    }
  }
}

namespace {

/// Follows what one command names.
struct Follow {
  const Workload& workload;
  WorkloadUses& uses;
  void operator()(const DrawCommand& one) const { uses.graphics_pipelines.insert(one.pipeline); }
  void operator()(const DrawIndexedCommand& one) const { uses.graphics_pipelines.insert(one.pipeline); }
  void operator()(const DispatchCommand& one) const { uses.compute_pipelines.insert(one.pipeline); }
  void operator()(const ExecuteIndirectCommand& one) const {
    std::visit(*this, one.command);
    uses.resources.insert(one.arguments);
  }
  void operator()(const ExecuteBundleCommand& one) const { list(one.bundle); }
  void operator()(const ClearCommand& one) const { uses.resources.insert(one.target); }
  void operator()(const SetPredicationCommand& one) const { uses.resources.insert(one.buffer); }
  void operator()(const ResolveQueryDataCommand& one) const { uses.resources.insert(one.destination); }
  void operator()(const BeginRenderPassCommand& one) const {
    for (const RenderPassTarget& target : one.targets) {
      uses.resources.insert(target.target);
      uses.resources.insert(target.resolve_to);
    }
  }
  void operator()(const CopyBufferCommand& one) const { both(one); }
  void operator()(const CopyTextureCommand& one) const { both(one); }
  void operator()(const ResolveCommand& one) const { both(one); }
  void operator()(const BarrierCommand&) const {}
  void operator()(const TimestampCommand&) const {}
  void operator()(const BeginQueryCommand&) const {}
  void operator()(const EndQueryCommand&) const {}
  void operator()(const EndRenderPassCommand&) const {}

  template <class Copy>
  void both(const Copy& copy) const {
    uses.resources.insert(copy.source);
    uses.resources.insert(copy.destination);
  }
  void list(const std::string& name) const {
    if (!uses.lists.insert(name).second) return;
    for (const CommandListInfo& one : workload.command_lists) {
      if (one.name != name) continue;
      for (const CommandInfo& command : one.commands) std::visit(*this, command);
    }
  }

  // Steps; `queue` is whose timeline it is.
  template <class Step>
  void step(const Step& step, const std::string& queue) const {
    if constexpr (std::is_base_of_v<ExecuteStep, Step>) {
      for (const std::string& name : step.lists) list(name);
    }
    if constexpr (std::is_base_of_v<FenceValue, Step>) uses.fences.insert(step.fence);
    if constexpr (std::is_same_v<Step, CpuFocus>) uses.processes.insert(step.process);
    if constexpr (std::is_same_v<Step, CpuSetProcessPriority>) uses.processes.insert(step.process);
    if constexpr (std::is_same_v<Step, CpuExecute> || std::is_same_v<Step, CpuQueueSignal> ||
                  std::is_same_v<Step, CpuQueueWait> || std::is_same_v<Step, CpuPresent>) {
      uses.queues.insert(step.queue);
    } else if constexpr (std::is_same_v<Step, QueueRepeat> || std::is_same_v<Step, CpuRepeat>) {
      for (const auto& inner : step.steps) {
        std::visit([&](const auto& one) { this->step(one, queue); }, inner);
      }
    } else if (!queue.empty()) {
      uses.queues.insert(queue);
    }
  }
};

}  // namespace

WorkloadUses::WorkloadUses(const Workload& workload) {
  const Follow follow{workload, *this};
  for (const QueueInfo& queue : workload.queues) {
    processes.insert(queue.process);
    for (const QueueStep& step : queue.timeline) {
      std::visit([&](const auto& one) { follow.step(one, queue.name); }, step);
    }
  }
  for (const CpuInfo& cpu : workload.cpus) {
    for (const CpuStep& step : cpu.timeline) std::visit([&](const auto& one) { follow.step(one, ""); }, step);
  }
  for (const DeadlineInfo& deadline : workload.deadlines) fences.insert(deadline.fence);
}

}  // namespace fenceline
