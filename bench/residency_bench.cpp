// SPDX-License-Identifier: Apache-2.0
// What video memory costs the simulator, by how many allocations there are.
#include "api/machine.hpp"
#include "bench/cpu_time.hpp"
#include "engines/command/command.hpp"
#include "scheduler/residency/allocation.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace fenceline;

constexpr std::uint64_t block_bytes = 64 << 10;
constexpr std::uint32_t blocks_per_mib = 16;

/// Machine `tiny` with room for so many blocks.
MachineConfig machine_of(std::int64_t blocks, ResidencyModel residency) {
  MachineConfig config = builtin_machine("tiny");
  config.video_memory.dedicated_mib = static_cast<std::uint32_t>(blocks) / blocks_per_mib;
  config.video_memory.shared_mib = 1 << 20;
  config.video_memory.residency = residency;
  config.video_memory.over_commit = OverCommit::page;
  return config;
}

std::uint32_t create_block(Machine& machine, const std::string& process, bool not_resident) {
  AllocationConfig block;
  block.name = fmt::format("{}{}", process, machine.allocations());
  block.bytes = block_bytes;
  block.not_resident = not_resident;
  const std::uint32_t number = machine.create_allocation(block);
  machine.know_allocation(process, number);
  return number;
}

std::shared_ptr<const CommandStream> list_using(std::uint32_t first, std::uint32_t count) {
  auto stream = std::make_shared<CommandStream>();
  stream->name = "list";
  ComputePipeline pipeline;
  pipeline.name = "kernel";
  pipeline.work.cycles = 1000;
  stream->compute_pipelines.push_back(pipeline);
  stream->commands.push_back(Dispatch{0, 1});
  stream->memory.allocations.resize(count);
  std::iota(stream->memory.allocations.begin(), stream->memory.allocations.end(), first);
  stream->memory.allocations_end = first + count;
  for (const std::uint32_t one : stream->memory.allocations) {
    stream->memory.uses.push_back({0, one, AllocationUse::As::other});
  }
  return stream;
}

/// Runs `play` on a machine of its own once per iteration; reports time per item.
template <class Play>
void measure(benchmark::State& state, const MachineConfig& config, std::int64_t items, const Play& play) {
  double total_seconds = 0;
  for (auto _ : state) {
    Machine machine(config);
    const double start = bench::cpu_seconds();
    play(machine);
    if (!machine.run()) state.SkipWithError("the machine did not complete");
    const double seconds = bench::cpu_seconds() - start;
    state.SetIterationTime(seconds);
    total_seconds += seconds;
  }
  state.counters["ns_each"] = total_seconds * 1e9 / static_cast<double>(items * state.iterations());
}

/// device_list: a program whose list fills the memory, and which evicts and makes resident one of n each frame of ten
/// packets. Items: packets.
void residency_of_a_streaming_program(benchmark::State& state) {
  const std::int64_t blocks = state.range(0);
  constexpr std::int64_t frames = 200;
  constexpr std::int64_t packets = 10;
  measure(state, machine_of(blocks, ResidencyModel::device_list), frames * packets, [&](Machine& machine) {
    const ContextId queue = machine.create_queue({"queue", QueueType::compute});
    for (std::int64_t i = 0; i < blocks + frames; ++i) create_block(machine, {}, i >= blocks);
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
      const auto coming = static_cast<std::uint32_t>(blocks) + frame;
      machine.evict({}, {frame});
      machine.make_resident({}, {coming}, false, nullptr);
      for (std::int64_t i = 0; i < packets; ++i) machine.execute(queue, list_using(coming - 8, 8));
      machine.run();
    }
  });
}

/// device_list: two programs, each of which fills the memory, take turns of a packet each. Items: blocks that move.
void residency_of_two_programs(benchmark::State& state) {
  const std::int64_t blocks = state.range(0);
  constexpr std::int64_t turns = 4;
  measure(state, machine_of(blocks, ResidencyModel::device_list), turns * blocks, [&](Machine& machine) {
    std::vector<ContextId> queues;
    for (const char* const process : {"a", "b"}) {
      QueueConfig queue{process, QueueType::compute};
      queue.process = process;
      queues.push_back(machine.create_queue(queue));
      for (std::int64_t i = 0; i < blocks; ++i) create_block(machine, process, false);
    }
    for (std::int64_t turn = 0; turn <= turns; ++turn) {
      const auto of = static_cast<std::size_t>(turn % 2);
      machine.execute(queues[of], list_using(of == 0 ? 0 : static_cast<std::uint32_t>(blocks), 8));
      machine.run();
    }
  });
}

/// allocation_list: packets that use eight blocks each, over twice as many as there is room for. Items: packets.
void residency_of_a_sweep(benchmark::State& state) {
  const std::int64_t blocks = state.range(0);
  constexpr std::int64_t packets = 500;
  measure(state, machine_of(blocks, ResidencyModel::allocation_list), packets, [&](Machine& machine) {
    const ContextId queue = machine.create_queue({"queue", QueueType::compute});
    for (std::int64_t i = 0; i < 2 * blocks; ++i) create_block(machine, {}, false);
    for (std::int64_t i = 0; i < packets; ++i) {
      machine.execute(queue, list_using(static_cast<std::uint32_t>((blocks + i * 8) % (2 * blocks - 8)), 8));
    }
  });
}

void block_counts(benchmark::internal::Benchmark* bench) {
  bench->ArgName("n")->UseManualTime()->Unit(benchmark::kMillisecond);
  for (const std::int64_t count : {1'024, 10'240, 102'400}) bench->Arg(count);
}
BENCHMARK(residency_of_a_streaming_program)->Apply(block_counts);
BENCHMARK(residency_of_two_programs)->Apply(block_counts);
BENCHMARK(residency_of_a_sweep)->Apply(block_counts);

}  // namespace
