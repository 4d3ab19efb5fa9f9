// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/random_scenario.hpp"

#include "api/workload/program.hpp"
#include "sim/config/config.hpp"
#include "tests/fuzz/random_screens.hpp"
#include "tests/support/units.hpp"

#include <algorithm>
#include <initializer_list>
#include <random>
#include <utility>

namespace fenceline::testing {
namespace {

class Builder {
 public:
  explicit Builder(std::uint64_t seed) : random_(seed) {}

  Scenario build() {
    make_machine();
    make_queues();
    make_lists();
    make_program();
    return std::move(scenario_);
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *(choices.begin() + below(choices.size()));
  }

  template <class Granularity, std::size_t Count>
  void make_preemption(ClassPreemption<Granularity>& preemption, const EnumNames<Granularity, Count>& names) {
    const std::size_t first = coarsest_ == 0 ? 0 : 1;
    const std::size_t finest = first + below(Count - first);
    preemption.granularity = names[finest].first;
    if (!one_in(3)) return;
    double after_us = 0;
    for (std::size_t i = first; i <= finest; ++i) {
      if (i < finest && one_in(2)) continue;
      preemption.escalation.push_back({names[i].first, after_us});
      after_us += one_of({0.001, 1.0, 7.0, 30.0});
    }
  }

  void make_engine(EngineConfig& engine) {
    engine.clock_mhz = one_of({500.0, 1000.0, 1755.0});
    engine.hardware_queues = 1 + static_cast<std::uint32_t>(one_in(4) ? below(32) : below(3));
    engine.hardware_queue_depth = 1 + static_cast<std::uint32_t>(one_in(4) ? below(15) : below(4));
    if (one_in(3)) engine.hardware_queue_refill = static_cast<std::uint32_t>(below(engine.hardware_queue_depth));
    engine.command_cycles = one_of({0U, 10U, 700U});
    engine.barrier_cycles = one_of({0U, 500U});
    engine.commands_in_flight = one_of({1U, 2U, 7U, 128U});
    engine.indirect_fetch_ns = one_of({0.0, 500.0});
    if (one_in(2)) engine.runlist = one_of({"a", "b"});
    if (one_in(2)) return;
    engine.context_state.bytes = one_of<std::uint64_t>({0, 4096, 65536});
    engine.context_state.thread_bytes = one_of({0U, 64U});
    engine.context_state.save_us = one_of({0.0, 0.5, 4.0});
    engine.context_state.restore_us = one_of({0.0, 0.5, 4.0});
    engine.context_state.switch_us = one_of({0.0, 1.0, 10.0});
    engine.context_state.gb_per_s = one_of({10.0, 1000.0});
  }

  void make_machine() {
    MachineConfig& machine = scenario_.machine;
    machine.name = "random";
    make_scheduler(machine.scheduler);
    ShaderArrayConfig& array = machine.shader_array;
    array.sms = 1 + static_cast<std::uint32_t>(below(8));
    array.graphics_sms = 1 + static_cast<std::uint32_t>(below(array.sms));
    array.clock_mhz = one_of<double>({1000, 1980, 1234.567});
    array.groups_per_sm = one_of({1U, 4U, 32U});
    array.group_overhead_cycles = one_of({0U, 100U});
    array.group_launch_cycles = one_of({0U, 20U});
    array.warp_launch_cycles = one_of({0.0, 2.5});
    array.sm_skew_cycles = one_of({0U, 3U});
    array.group_retire_cycles = one_of({0U, 50U});
    array.group_refill_cycles = one_of({0U, 30U});
    MemoryConfig& memory = machine.memory;
    const std::initializer_list<LinkConfig*> channels = {&memory.vram, &memory.pcie_to_device, &memory.pcie_to_host};
    for (LinkConfig* channel : channels) {
      channel->gb_per_s = one_of({11.0, 100.0, 1000.0});
      channel->latency_ns = one_of({0.0, 300.0, 2000.0});
      channel->sharing = one_in(2) ? ChannelSharing::fair : ChannelSharing::in_order;
    }
    memory.vram.sharing = ChannelSharing::fair;
    memory.vram.contention_exponent = one_of({0.0, 4.0});
    if (one_in(2)) {
      memory.l2.hit_bytes = 1 << 18;
      memory.l2.miss_bytes = 1 << 20;
    }
    memory.device_copy_setup_ns = one_of({0.0, 800.0});
    machine.engines.clear();
    for (std::uint64_t i = 1 + below(2); i > 0; --i) {
      GraphicsEngineConfig engine;
      make_engine(engine);
      make_preemption(engine.graphics_preemption, enum_names(GraphicsPreemption{}));
      make_preemption(engine.compute_preemption, enum_names(ComputePreemption{}));
      engine.pipeline_change_cycles = one_of({0U, 100U});
      engine.dispatch_switch_cycles = one_of({0U, 100U});
      machine.engines.emplace_back(engine);
    }
    for (std::uint64_t i = below(3); i > 0; --i) {
      ComputeEngineConfig engine;
      make_engine(engine);
      make_preemption(engine.compute_preemption, enum_names(ComputePreemption{}));
      machine.engines.emplace_back(engine);
    }
    for (std::uint64_t i = below(3); i > 0; --i) {
      CopyEngineConfig engine;
      make_engine(engine);
      if (one_in(2)) engine.commands_in_flight = 1;
      make_preemption(engine.copy_preemption, enum_names(CopyPreemption{}));
      machine.engines.emplace_back(engine);
    }
    machine.submission_paths.clear();
    for (const char* name : {"default", "other"}) {
      SubmissionPath path;
      for (NodePath* node : std::initializer_list<NodePath*>{&path.graphics, &path.compute, &path.copy}) {
        make_path(*node);
      }
      path.fence_next_waiter_ns = one_of({0.0, 100.0});
      if (one_in(4)) path.time_slice_us = one_of({20.0, 100.0});
      if (one_in(4)) path.process_switch_us = one_of({0.0, 20.0});
      machine.submission_paths[name] = path;
    }
  }

  void make_path(NodePath& path) {
    if (one_in(3)) return;
    path.launch_ns = one_of({0.0, 1500.0});
    path.retire_ns = one_of({0.0, 700.0});
    path.completion_ns = one_of({0.0, 900.0});
    path.follow_ns = one_of({0.0, 400.0});
    path.copy_setup_ns = one_of({0.0, 300.0});
    if (one_in(3)) path.barrier_ns = one_of({0.0, 250.0});
    path.to_device_share = one_of({1.0, 0.3});
    path.fence_same_node_ns = one_of({0.0, 500.0});
    path.fence_cross_node_ns = one_of({0.0, 1100.0});
    path.fence_from_cpu_ns = one_of({0.0, 1300.0});
    if (one_in(4)) {
      const auto& names = enum_names(path.finest_preemption);
      path.finest_preemption = names[coarsest_ == 0 ? below(names.size()) : 1 + below(names.size() - 1)].first;
    }
  }

  void make_scheduler(SchedulerConfig& scheduler) {
    scheduler.policy = enum_names(SchedulingPolicy{})[below(policy_traits.size())].first;
    for (BandConfig* band :
         {&scheduler.bands.idle, &scheduler.bands.normal, &scheduler.bands.focus, &scheduler.bands.realtime}) {
      band->quantum_us = one_of({5.0, 10.0, 60.0, 2500.0});
      band->process_quantum_us = one_of({5.0, 10.0, 60.0, 2500.0});
      band->grace_us = one_of({0.0, 0.0, 3.0, 40.0});
      band->process_grace_us = one_of({0.0, 0.0, 2.0, 30.0});
    }
    scheduler.target_normal_band_percentage = one_of({0.0, 10.0, static_cast<double>(below(51))});
    scheduler.time_slice_us = one_of({20.0, 50.0, 200.0});
    scheduler.process_switch_us = one_of({0.0, 2.0, 30.0});
    scheduler.hardware_waits = one_in(3);
    if (!scheduler.hardware_waits) {
      // A hardware queue that cannot be stopped and holds a wait may never get to what the wait is for.
      coarsest_ = 0;
      scheduler.caps.preemption_aware = !one_in(5);
      if (!scheduler.caps.preemption_aware) scheduler.enable_preemption = one_in(2);
    }
    if (one_in(4)) scheduler.caps.hw_queue_packet_cap = 1 + static_cast<std::uint32_t>(below(3));
    scheduler.hardware_scheduling = one_in(3);
    scheduler.fences = enum_names(FenceKind{})[below(2)].first;
    scheduler.isr_us = one_of({0.0, 0.3, 5.0});
    scheduler.dpc_us = one_of({0.0, 0.7, 5.0});
    scheduler.interrupt_jitter_us = one_of({0.0, 0.0, 1.0, 10.0});
    scheduler.seed = below(1000);
  }

  void make_queues() {
    for (const char* name : {"a", "b", "c"}) {
      ProcessConfig process;
      process.name = name;
      process.priority = enum_names(ProcessPriority{})[below(6)].first;
      if (process.priority == ProcessPriority::realtime) process.realtime_level = one_of({0U, 1U, 15U, 31U});
      process.focus = one_in(3);
      if (one_in(2)) scenario_.processes.push_back(process);
    }
    for (std::uint64_t i = 2 + below(7); i > 0; --i) {
      QueueConfig queue;
      queue.name = "queue" + std::to_string(scenario_.queues.size());
      do {
        queue.type = enum_names(QueueType{})[below(3)].first;
      } while (!refusal(queue, scenario_.machine).empty());
      queue.priority =
          one_of({QueuePriority::normal, QueuePriority::normal, QueuePriority::high, QueuePriority::global_realtime});
      if (!refusal(queue, scenario_.machine).empty()) queue.priority = QueuePriority::high;  // it cannot be preempted
      queue.path = one_of({"", "other"});
      queue.process = one_of({"", "a", "b", "c"});
      if (one_in(3)) queue.in_process_priority = static_cast<int>(below(15)) - 7;
      if (one_in(6)) queue.quantum_us = one_of({1.0, 7.0, 50.0});
      if (one_in(6)) queue.grace_us = one_of({0.0, 2.0, 35.0});
      if (one_in(6)) queue.grace_same_priority_us = one_of({0.0, 2.0, 25.0});
      scenario_.queues.push_back(queue);
    }
  }

  void make_lists() {
    for (std::size_t type = 0; type < 3; ++type) {
      for (int i = 0; i < lists_of_type; ++i) scenario_.lists.push_back(make_list(static_cast<QueueType>(type)));
    }
  }

  std::shared_ptr<const CommandStream> make_list(QueueType type) {
    auto list = std::make_shared<CommandStream>();
    list->name = std::string(name_of(type)) + " list " + std::to_string(scenario_.lists.size());
    for (int i = 0; i < 2; ++i) {
      list->compute_pipelines.push_back(make_compute_pipeline("cs" + std::to_string(i)));
      list->graphics_pipelines.push_back(make_graphics_pipeline("gs" + std::to_string(i)));
    }
    for (std::uint64_t left = one_in(8) ? 0 : 1 + below(7); left > 0; --left) add_command(*list, type);
    return list;
  }

  ComputePipeline make_compute_pipeline(const std::string& name) {
    ComputePipeline pipeline;
    pipeline.name = name;
    pipeline.group.threads = one_of({1U, 64U, 100U, 256U, 1024U});
    pipeline.group.registers_per_thread = one_of({16U, 32U, 64U});
    pipeline.group.shared_bytes = one_of({0U, 4096U, 40000U});
    pipeline.work.cycles = one_of<std::uint64_t>({0, 100, 5000, 20000});
    pipeline.work.shader.alu_instructions = one_of({0.0, 50.0, 1000.5});
    pipeline.work.shader.sfu_instructions = one_of({0.0, 10.0});
    pipeline.work.vram_bytes = one_of<std::uint64_t>({0, 0, 256, 16384});
    if (pipeline.group.threads == 1) pipeline.work.vram_bytes /= 64;  // else half a millisecond for each group
    pipeline.work.working_set_bytes = one_of<std::uint64_t>({0, 4096, 500000});
    return pipeline;
  }

  GraphicsPipeline make_graphics_pipeline(const std::string& name) {
    GraphicsPipeline pipeline;
    pipeline.name = name;
    pipeline.vertex_shader.alu_instructions = one_of({0.0, 20.0, 200.0});
    pipeline.pixel_shader.alu_instructions = one_of({0.0, 20.0, 500.0});
    pipeline.pixel_shader.texture_samples = one_of({0.0, 2.0});
    pipeline.bytes_per_vertex = one_of({0U, 32U});
    pipeline.depth_bytes_per_pixel = one_of({0U, 4U});
    pipeline.blend = one_in(2);
    return pipeline;
  }

  CopyRoute route() { return static_cast<CopyRoute>(below(4)); }
  std::uint64_t bytes() { return one_of<std::uint64_t>({0, 1, 999, 65536, 1 << 20}) + below(1000); }
  std::uint32_t pipeline() { return static_cast<std::uint32_t>(below(2)); }

  Draw draw() {
    Draw draw{};
    draw.pipeline = pipeline();
    draw.vertices = one_of<std::uint64_t>({0, 3, 300, 5000});
    draw.instances = one_of<std::uint64_t>({0, 1, 1, 3});
    draw.triangles = draw.vertices / 3 * draw.instances;
    draw.pixels = draw.triangles == 0 ? 0 : one_of<std::uint64_t>({0, 100, 20000, 200000});
    draw.extent_pixels = one_of<std::uint64_t>({0, 100000});
    return draw;
  }
  Dispatch dispatch() { return {pipeline(), one_of<std::uint64_t>({0, 1, 10, 100, 600}) + below(10)}; }

  void add_command(CommandStream& list, QueueType type) {
    auto& commands = list.commands;
    if (one_in(6)) commands.emplace_back(Barrier{});
    if (one_in(6)) commands.emplace_back(Timestamp{static_cast<std::uint32_t>(commands.size())});
    const std::uint64_t kind = type == QueueType::copy ? below(3) : type == QueueType::compute ? below(9) : below(16);
    switch (kind) {
      case 0: commands.emplace_back(CopyBuffer{route(), bytes()}); break;
      case 1: commands.emplace_back(CopyTexture{route(), 1 + below(3000), 1 + below(200)}); break;
      case 2: commands.emplace_back(ResolveQueryData{route(), bytes()}); break;
      case 3: commands.emplace_back(Clear{bytes()}); break;
      case 4: commands.emplace_back(SetPredication{one_in(2), one_in(2)}); break;
      case 5: {
        IndirectCall call;
        if (type == QueueType::direct && one_in(2)) {
          call.command = draw();
        } else {
          call.command = dispatch();
        }
        call.count = below(5);
        call.stride_bytes = 16;
        call.count_buffer = one_in(2);
        call.arguments_in_host = one_in(2);
        list.indirect_calls.push_back(call);
        commands.emplace_back(ExecuteIndirect{static_cast<std::uint32_t>(list.indirect_calls.size() - 1)});
        break;
      }
      case 6:
      case 7:
      case 8: commands.emplace_back(dispatch()); break;
      case 9: commands.emplace_back(Resolve{bytes(), 4}); break;
      case 10: commands.emplace_back(BeginQuery{QueryType::occlusion, 0}); break;
      case 11: commands.emplace_back(EndQuery{QueryType::occlusion, 0}); break;
      case 12: commands.emplace_back(BeginRenderPass{one_in(2) ? 0 : bytes()}); break;
      case 13: commands.emplace_back(EndRenderPass{one_in(2) ? 0 : bytes()}); break;
      case 14: {
        const Draw indexed = draw();
        commands.emplace_back(DrawIndexed{indexed, indexed.vertices / 2 + 1});
        break;
      }
      default: commands.emplace_back(draw());
    }
  }

  /// Each queue has a fence that it alone signals, the CPU one, and all of them a last one for which nobody waits.
  void make_program() {
    const std::size_t queues = scenario_.queues.size();
    const std::size_t cpu_fence = queues;
    const std::size_t wild_fence = queues + 1;
    scenario_.fences = queues + 2;
    std::vector<std::uint64_t> promised(queues + 1);  // by what comes before in the order of all steps
    std::vector<std::uint64_t> at_ps(queues);         // of the queue's next step
    for (std::uint64_t& at : at_ps) at = one_in(2) ? 0 : below(100 * us);
    std::uint64_t cpu_ps = 0;
    for (std::uint64_t left = 10 + below(70); left > 0; --left) {
      Step step;
      step.queue = below(queues);
      if (one_in(5)) at_ps[step.queue] += below(50 * us);
      step.at_ps = at_ps[step.queue];
      switch (below(24)) {
        case 23:
          step.what = Step::What::set_priority;
          step.at_ps = below(400 * us);
          step.priority = static_cast<int>(below(15)) - 7;
          break;
        case 22:
          step.what = Step::What::set_process_priority;
          step.at_ps = below(400 * us);
          step.priority = static_cast<int>(below(6));
          break;
        case 21: {
          step.what = Step::What::suspend;
          step.at_ps = below(400 * us);
          Step resume = step;
          resume.what = Step::What::resume;
          resume.at_ps += below(100 * us);
          scenario_.steps.push_back(step);
          scenario_.steps.push_back(resume);
          continue;
        }
        case 20:
          step.what = Step::What::focus;
          step.at_ps = below(400 * us);
          break;
        case 0:  // by the CPU, sooner or later
          step.what = Step::What::cpu_signal;
          cpu_ps += below(80 * us);
          step.at_ps = cpu_ps;
          step.fence = one_in(4) ? wild_fence : cpu_fence;
          step.value = step.fence == wild_fence ? below(20) : ++promised[cpu_fence];
          break;
        case 1:
        case 2:
          step.what = Step::What::preempt;
          step.at_ps = below(400 * us);
          break;
        case 3:
        case 4:
        case 5:
        case 6:
          step.what = Step::What::signal;
          step.fence = one_in(5) ? wild_fence : step.queue;
          step.value = step.fence == wild_fence ? below(20) : promised[step.queue] += 1 + below(3);
          break;
        case 7:
        case 8:
        case 9:
          step.what = Step::What::wait;
          step.fence = below(queues + 1);
          step.value = below(promised[step.fence] + 1);
          break;
        default:
          step.list =
              static_cast<std::size_t>(scenario_.queues[step.queue].type) * lists_of_type + below(lists_of_type);
      }
      scenario_.steps.push_back(step);
    }
    std::stable_sort(scenario_.steps.begin(), scenario_.steps.end(),
                     [](const Step& a, const Step& b) { return a.at_ps < b.at_ps; });
  }

  static constexpr int lists_of_type = 4;
  std::mt19937_64 random_;
  std::size_t coarsest_ = 1;  // index of the coarsest granularity
  Scenario scenario_;
};
}  // namespace

Scenario random_scenario(std::uint64_t n) {
  return with_coincidences(with_memory(with_splits(with_hangs(with_screens(Builder(n).build(), n), n), n), n), n);
}

}  // namespace fenceline::testing
