// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/random_scenario.hpp"
#include "tests/support/units.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <variant>

namespace fenceline::testing {
namespace {

constexpr std::uint64_t grid_ps = 10 * us;
constexpr std::uint64_t copied_bytes = 65536;  // in one step of the grid
constexpr double gb_per_s = 6.5536;

/// Everything takes a multiple of ten microseconds, or nothing: much happens at one moment.
class Coincidences {
 public:
  Coincidences(Scenario& scenario, std::uint64_t seed) : scenario_(scenario), random_(seed) {}

  void add() {
    if (below(4) != 0) return;
    make_array();
    make_engines();
    make_links();
    make_scheduler();
    make_timeouts();
    for (auto& list : scenario_.lists) list = on_grid(*list);
    for (Step& step : scenario_.steps) step.at_ps = step.at_ps / grid_ps * grid_ps;  // their order stays
    for (AllocationConfig& one : scenario_.allocations) one.bytes = (1 + one.bytes / copied_bytes) * copied_bytes;
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  static double rounded_us(double value_us) { return std::round(value_us / 10) * 10; }
  static void round_up(double& value_us) { value_us = std::max(10.0, rounded_us(value_us)); }

  void make_array() {
    ShaderArrayConfig& array = scenario_.machine.shader_array;
    array.clock_mhz = 1000;
    array.group_overhead_cycles = array.group_launch_cycles = array.sm_skew_cycles = 0;
    array.group_retire_cycles = array.group_refill_cycles = 0;
    array.warp_launch_cycles = 0;
  }

  void make_engines() {
    for (NodeConfig& node : scenario_.machine.engines) {
      EngineConfig& engine = std::visit([](auto& one) -> EngineConfig& { return one; }, node);
      engine.clock_mhz = 1000;
      engine.command_cycles = engine.barrier_cycles = 0;
      engine.indirect_fetch_ns = 0;
      engine.context_state.bytes = 0;
      engine.context_state.thread_bytes = 0;
      for (double* const one :
           {&engine.context_state.save_us, &engine.context_state.restore_us, &engine.context_state.switch_us}) {
        *one = rounded_us(*one);
      }
      if (auto* const graphics = std::get_if<GraphicsEngineConfig>(&node)) {
        graphics->pipeline_change_cycles = graphics->dispatch_switch_cycles = 0;
      }
    }
    for (auto& [name, path] : scenario_.machine.submission_paths) {
      const SubmissionPath before = path;
      path = {};
      path.time_slice_us = before.time_slice_us;
      if (before.process_switch_us) path.process_switch_us = rounded_us(*before.process_switch_us);
    }
  }

  void make_links() {
    MemoryConfig& memory = scenario_.machine.memory;
    const std::initializer_list<LinkConfig*> links = {&memory.vram, &memory.pcie_to_device, &memory.pcie_to_host};
    for (LinkConfig* const link : links) {
      link->gb_per_s = gb_per_s;
      link->latency_ns = 0;
    }
    memory.vram.contention_exponent = 0;
    memory.device_copy_setup_ns = 0;
  }

  void make_scheduler() {
    SchedulerConfig& scheduler = scenario_.machine.scheduler;
    for (BandConfig* const band :
         {&scheduler.bands.idle, &scheduler.bands.normal, &scheduler.bands.focus, &scheduler.bands.realtime}) {
      round_up(band->quantum_us);
      round_up(band->process_quantum_us);
      band->grace_us = rounded_us(band->grace_us);
      band->process_grace_us = rounded_us(band->process_grace_us);
    }
    scheduler.process_switch_us = rounded_us(scheduler.process_switch_us);
    scheduler.isr_us = rounded_us(scheduler.isr_us);
    scheduler.dpc_us = rounded_us(scheduler.dpc_us);
    scheduler.interrupt_jitter_us = 0;
    for (QueueConfig& queue : scenario_.queues) {
      if (queue.quantum_us) round_up(*queue.quantum_us);
      if (queue.grace_us) queue.grace_us = rounded_us(*queue.grace_us);
      if (queue.grace_same_priority_us) queue.grace_same_priority_us = rounded_us(*queue.grace_same_priority_us);
    }
  }

  void make_timeouts() {
    TdrConfig& tdr = scenario_.machine.tdr;
    round_up(tdr.delay_us);
    round_up(tdr.too_long_us);
    for (double* const one : {&tdr.dependent_wait_us, &tdr.engine_reset_us, &tdr.adapter_reset_us}) {
      *one = rounded_us(*one);
    }
    scenario_.machine.scheduler.preemption_timeout_us = tdr.delay_us;
  }

  std::shared_ptr<const CommandStream> on_grid(const CommandStream& list) {
    auto stream = std::make_shared<CommandStream>(list);
    for (ComputePipeline& pipeline : stream->compute_pipelines) {
      const std::uint64_t cycles = pipeline.work.cycles < 1'000'000 ? 10'000 * below(3) : pipeline.work.cycles;
      pipeline.work = {};
      pipeline.work.cycles = cycles;
    }
    for (Command& command : stream->commands) {
      if (auto* const dispatch = std::get_if<Dispatch>(&command)) dispatch->groups %= 4;
      if (auto* const copy = std::get_if<CopyBuffer>(&command)) copy->bytes = copied_bytes * below(3);
      if (auto* const resolve = std::get_if<ResolveQueryData>(&command)) resolve->bytes = copied_bytes * below(2);
    }
    return stream;
  }

  Scenario& scenario_;
  std::mt19937_64 random_;
};

}  // namespace

Scenario with_coincidences(Scenario scenario, std::uint64_t seed) {
  Coincidences(scenario, seed ^ 0xc2b2ae3d27d4eb4fU).add();
  return scenario;
}

}  // namespace fenceline::testing
