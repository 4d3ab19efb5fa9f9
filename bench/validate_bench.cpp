// SPDX-License-Identifier: Apache-2.0
// Simulated against real time on measured work, and large grids.
#include "api/machine.hpp"
#include "api/stream_builder.hpp"
#include "api/validation/validation.hpp"

#include <benchmark/benchmark.h>

#include <memory>

namespace {

using namespace fenceline;

/// The measured multi-queue workloads. `real_time_factor` above 1 is faster than the hardware itself.
void measured_workloads(benchmark::State& state) {
  const MachineConfig config = builtin_machine("h200");
  double simulated_us = 0;
  for (auto _ : state) {
    const Validation validation = validate(FENCELINE_SOURCE_DIR "/bench/hardware/h200/workloads.json", config);
    for (const ValidationCase* one : validation.cases()) simulated_us += one->simulated_us;
  }
  state.counters["real_time_factor"] = benchmark::Counter(simulated_us * 1e-6, benchmark::Counter::kIsRate);
}
BENCHMARK(measured_workloads)->Unit(benchmark::kMillisecond);

/// One grid alone, of groups of so many threads. `alu` instructions of a thread: 0 takes a fixed time, 500 keeps the
/// ALU busy at 256 threads.
void groups_of_one_grid(benchmark::State& state) {
  const MachineConfig config = builtin_machine("h200");
  ComputePipeline pipeline;
  pipeline.group.threads = static_cast<std::uint32_t>(state.range(1));
  pipeline.work.cycles = 2000;
  pipeline.work.shader.alu_instructions = static_cast<double>(state.range(2));
  const auto stream = StreamBuilder("grid").dispatch(pipeline, static_cast<std::uint64_t>(state.range(0))).finish();
  for (auto _ : state) {
    Machine machine(config);
    machine.execute(machine.create_queue({"compute", QueueType::compute, QueuePriority::normal, ""}), stream);
    if (!machine.run()) state.SkipWithError("the machine did not complete");
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(groups_of_one_grid)
    ->ArgNames({"groups", "threads", "alu"})
    ->Unit(benchmark::kMillisecond)
    ->Args({1'000, 256, 0})
    ->Args({100'000, 256, 0})
    ->Args({10'000'000, 64, 0})
    ->Args({10'000'000, 256, 0})
    ->Args({10'000'000, 1024, 0})
    ->Args({10'000'000, 256, 500});

}  // namespace
