// SPDX-License-Identifier: Apache-2.0
#include "api/workload/knobs/run_uses.hpp"

#include "engines/command/command.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
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
        if (step.queue >= queues.size()) continue;  // a step of no queue's, and there is none
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

/// The bands that a queue's packets may be in: the focus may go to its process and leave it or be of no use to it, and
/// the process may change its class.
class Bands {
 public:
  Bands(const Program& program, const SchedulerConfig& scheduler)
      : outstays_(scheduler.focus_quantum_without_present_us.has_value()) {
    for (const ProcessConfig& process : program.processes) processes_[process.name] = process;
    for (const Timeline& timeline : program.cpu_timelines) {
      for (const StepBlock& block : timeline.blocks) {
        for (const Step& step : block.steps) {
          focus_moves_ = focus_moves_ || step.kind == Step::Kind::focus;
          if (step.kind == Step::Kind::set_process_priority) classes_.insert(step.priority);
        }
      }
    }
  }
  std::array<bool, priority_bands> of(const QueueConfig& queue) const {
    const ContextPriority own{static_cast<int>(queue.priority), queue.in_process_priority, queue.realtime_level};
    const auto known = processes_.find(queue.process);
    ProcessConfig process = known != processes_.end() ? known->second : ProcessConfig{};
    const bool focus = process.focus;
    std::set<ProcessPriority> classes = classes_;
    classes.insert(process.priority);
    std::array<bool, priority_bands> bands{};
    for (const ProcessPriority one : classes) {
      process.priority = one;
      for (const bool has : {false, true}) {
        process.focus = has;
        if (has == focus || focus_moves_ || (!has && outstays_))
          bands[static_cast<std::size_t>(rank_of(own, process).band)] = true;
      }
    }
    return bands;
  }

 private:
  std::map<std::string, ProcessConfig> processes_;
  std::set<ProcessPriority> classes_;  // that some process is given
  bool focus_moves_ = false;
  bool outstays_;
};

/// Counts a queue of the part's.
void add_queue(PartUse& part, const QueueUse& use, const QueueConfig& queue,
               const std::array<bool, priority_bands>& bands) {
  ++part.queues;
  part.lists.add(use.lists);
  part.processes.insert(queue.process);
  part.waits += use.waits ? 1 : 0;
  part.signals += use.signals ? 1 : 0;
  part.presents += use.presents ? 1 : 0;
  for (std::size_t band = 0; band < priority_bands; ++band) {
    if (!bands[band]) continue;
    std::uint32_t& of_process = part.of_process_in_band[band][queue.process];
    if (of_process > 0) part.shared_by_queues[band] = true;
    if (part.in_band[band] > of_process) part.shared_by_processes[band] = true;
    ++of_process;
    ++part.in_band[band];
  }
}

/// Something may have to move into video memory, or is used in place.
bool may_page(const MachineConfig& machine, const Program& program) {
  const std::uint64_t page = std::uint64_t{machine.video_memory.page_kib} << 10;
  std::uint64_t left = std::uint64_t{machine.video_memory.dedicated_mib} << 20;
  for (const AllocationConfig& one : program.memory.allocations) {
    const std::uint64_t bytes = (one.bytes + page - 1) / page * page;
    if (one.not_resident || one.fill || bytes > left) return true;
    left -= bytes;
  }
  return false;
}

/// What moves resources does to a node.
void add_paging(PartUse& part) {
  ListUse moves;
  moves.barriers = moves.copies = moves.to_device = moves.to_host = moves.within_device = true;
  QueueUse use;
  use.lists = moves;
  std::array<bool, priority_bands> bands{};
  bands[static_cast<std::size_t>(PriorityBand::realtime)] = true;
  QueueConfig queue;
  queue.process = "System";
  add_queue(part, use, queue, bands);
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
  const Bands bands(program, machine.scheduler);
  for (std::size_t i = 0; i < program.queues.size(); ++i) {
    const QueueConfig& queue = program.queues[i];
    names_every_path = names_every_path && !queue.path.empty();
    const std::string& path = queue.path.empty() ? machine.default_path : queue.path;
    const std::string& runlist = engine_config(machine.engines[node_of[i]]).runlist;
    const auto in = bands.of(queue);
    add_queue(all, uses[i], queue, in);
    add_queue(nodes[node_of[i]], uses[i], queue, in);
    if (!runlist.empty()) add_queue(runlists[runlist], uses[i], queue, in);
    add_queue(paths[path][static_cast<std::size_t>(queue.type)], uses[i], queue, in);
    const SubmissionPath& costs = machine.submission_paths.at(path);
    const NodePath& cost = queue.type == QueueType::direct    ? costs.graphics
                           : queue.type == QueueType::compute ? costs.compute
                                                              : static_cast<const NodePath&>(costs.copy);
    nodes[node_of[i]].own_barriers = nodes[node_of[i]].own_barriers || !cost.barrier_ns;
  }
  pages = may_page(machine, program);
  if (pages) {
    add_paging(all);
    for (PartUse& node : nodes) add_paging(node);  // of others what is used in place
    for (auto& [name, types] : paths) {
      for (PartUse& path : types) add_paging(path);
    }
    add_paging(paths[machine.default_path][static_cast<std::size_t>(QueueType::copy)]);
    names_every_path = false;
  }
  acts_on_bytes = program.contents != nullptr;
  for (const auto& list : program.lists) root_constants = root_constants || !list->root_constants.empty();
  for (const Timeline& timeline : program.cpu_timelines) {
    for (const StepBlock& block : timeline.blocks) {
      for (const Step& step : block.steps) {
        const bool takes_time = step.kind != Step::Kind::sleep_until && step.kind != Step::Kind::write;
        cpu_threads = cpu_threads || (takes_time && step.kind != Step::Kind::work);
        cpu_waits = cpu_waits || step.kind == Step::Kind::fence_wait || step.kind == Step::Kind::wait_vblank;
        cpu_sleeps = cpu_sleeps || step.kind == Step::Kind::sleep_until;
        cpu_computes = cpu_computes || takes_time;
        queues_tasks = queues_tasks || (step.kind == Step::Kind::queue_processing_work && !step.task_ps);
        if (step.kind == Step::Kind::create_pipeline_states) {
          creates_pipelines = true;
          creates_dxbc = creates_dxbc || !program.created[step.pipeline].takes.dxbc.empty();
        }
        background = background || step.kind == Step::Kind::queue_processing_work ||
                     step.kind == Step::Kind::set_background_processing_mode;
      }
    }
  }
}

namespace {

/// Follows what one command names.
struct Follow {
  const std::map<std::string_view, const CommandListInfo*>& list_of;
  WorkloadUses& uses;
  template <class Named>
  void operator()(const Named& one) const {
    const auto add = [this](const std::string& name) { uses.resources.insert(name); };
    one.for_each_resource(add);
    if (const auto* const effects = effects_of(one)) {
      for (const EffectInfo& effect : *effects) for_each_name(effect, add);
    }
    pipeline_or_list(one);
  }

  template <class Named>
  void pipeline_or_list(const Named&) const {}
  void pipeline_or_list(const DrawCommand& one) const { uses.graphics_pipelines.insert(one.pipeline); }
  void pipeline_or_list(const DrawIndexedCommand& one) const { uses.graphics_pipelines.insert(one.pipeline); }
  void pipeline_or_list(const DispatchCommand& one) const { uses.compute_pipelines.insert(one.pipeline); }
  void pipeline_or_list(const ExecuteIndirectCommand& one) const { std::visit(*this, one.command); }
  void pipeline_or_list(const ExecuteBundleCommand& one) const { list(one.bundle); }
  void pipeline_or_list(const RepeatCommand& one) const {
    for (const SimpleCommandInfo& command : one.commands) std::visit(*this, command);
  }
  void list(const std::string& name) const {
    if (!uses.lists.insert(name).second) return;
    const auto one = list_of.find(name);
    if (one == list_of.end()) return;
    for (const CommandInfo& command : one->second->commands) std::visit(*this, command);
    uses.resources.insert(one->second->uses.begin(), one->second->uses.end());
  }

  // Steps; `queue` is whose timeline it is.
  template <class Step>
  void step(const Step& step, const std::string& queue) const {
    if constexpr (std::is_base_of_v<ExecuteStep, Step>) {
      for (const std::string& name : step.lists) list(name);
    }
    if constexpr (std::is_base_of_v<FenceValue, Step>) uses.fences.insert(step.fence);
    if constexpr (std::is_same_v<Step, CpuWrite>) uses.resources.insert(step.resource);
    if constexpr (std::is_same_v<Step, CpuFocus>) uses.processes.insert(step.process);
    if constexpr (std::is_same_v<Step, CpuSetProcessPriority>) uses.processes.insert(step.process);
    if constexpr (std::is_same_v<Step, CpuQueueProcessingWork>) uses.processes.insert(step.process);
    if constexpr (std::is_same_v<Step, CpuShaderCacheControl>) uses.processes.insert(step.process);
    if constexpr (std::is_same_v<Step, CpuCreatePipelineStates>) {
      uses.processes.insert(step.process);
      uses.compute_pipelines.insert(step.pipeline);
      uses.graphics_pipelines.insert(step.pipeline);
    }
    if constexpr (std::is_same_v<Step, CpuSleepUntil> || std::is_same_v<Step, QueueRepeat> ||
                  std::is_same_v<Step, CpuRepeat>) {
      if (step.beat) uses.beats.insert(*step.beat);
    }
    if constexpr (std::is_same_v<Step, CpuCloseSwapChain>) uses.queues.insert(step.swap_chain);
    if constexpr (std::is_same_v<Step, CpuEvict>) uses.processes.insert(step.process);
    if constexpr (std::is_same_v<Step, CpuSetVideoMemoryReservation>) uses.processes.insert(step.process);
    if constexpr (std::is_same_v<Step, CpuWaitForBudgetChange>) uses.processes.insert(step.process);
    if constexpr (std::is_same_v<Step, CpuMakeResident>) {
      uses.processes.insert(step.process);
      uses.fences.insert(step.fence);
    }
    if constexpr (std::is_same_v<Step, CpuSetBackgroundProcessingMode>) {
      uses.processes.insert(step.process);
      uses.fences.insert(step.fence);
    }
    if constexpr (std::is_same_v<Step, CpuExecute> || std::is_same_v<Step, CpuQueueSignal> ||
                  std::is_same_v<Step, CpuQueueWait> || std::is_same_v<Step, CpuPresent> ||
                  std::is_same_v<Step, CpuInput> || std::is_same_v<Step, CpuCompose>) {
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
  std::map<std::string_view, const CommandListInfo*> list_of;
  for (const CommandListInfo& one : workload.command_lists) list_of.emplace(one.name, &one);
  const Follow follow{list_of, *this};
  for (const QueueInfo& queue : workload.queues) {
    processes.insert(queue.process);
    for (const QueueStep& step : queue.timeline) {
      std::visit([&](const auto& one) { follow.step(one, queue.name); }, step);
    }
  }
  for (const CpuInfo& cpu : workload.cpus) {
    for (const CpuStep& step : cpu.timeline) std::visit([&](const auto& one) { follow.step(one, ""); }, step);
  }
  for (const DeadlineInfo& deadline : workload.deadlines) {
    fences.insert(deadline.fence);
    if (deadline.beat) beats.insert(*deadline.beat);
  }
}

}  // namespace fenceline
