// SPDX-License-Identifier: Apache-2.0
// What one frame of a game costs: 3,000 draws, 200 dispatches, 400 barriers and 50 copies on three queues.
#include "api/machine.hpp"
#include "api/report/stats.hpp"
#include "bench/cpu_time.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace {

using namespace fenceline;
using Stream = std::shared_ptr<const CommandStream>;

constexpr std::int64_t draws = 3000;
constexpr std::int64_t dispatches = 200;
constexpr std::int64_t barriers = 400;
constexpr std::int64_t copies = 50;
constexpr std::int64_t commands = draws + dispatches + barriers + copies;

/// Pipeline states as a frame has them: light and heavy ones.
std::shared_ptr<CommandStream> list(const char* name) {
  auto stream = std::make_shared<CommandStream>();
  stream->name = name;
  for (int i = 0; i < 8; ++i) {
    GraphicsPipeline graphics;
    graphics.name = "pixels";
    graphics.vertex_shader.alu_instructions = 40 + 10 * i;
    graphics.pixel_shader.alu_instructions = 30 * (i + 1);
    graphics.pixel_shader.texture_samples = i;
    graphics.bytes_per_vertex = 32;
    graphics.depth_bytes_per_pixel = 4;
    stream->graphics_pipelines.push_back(graphics);
    ComputePipeline compute;
    compute.name = "threads";
    compute.work.shader.alu_instructions = 100 * (i + 1);
    compute.work.vram_bytes = 2048;
    stream->compute_pipelines.push_back(compute);
  }
  return stream;
}

/// 20 lists of 150 draws and 5 dispatches in 15 batches, a barrier before each batch.
Stream direct_list() {
  const auto stream = list("draws");
  for (std::uint32_t batch = 0; batch < 15; ++batch) {
    stream->commands.emplace_back(Barrier{});
    for (std::uint32_t i = 0; i < 10; ++i) {
      const std::uint64_t triangles = 50 + 37 * i;
      stream->commands.emplace_back(
          DrawIndexed{{(batch + i / 4) % 8, 3 * triangles, 1, triangles, 2000 + 300 * i}, triangles});
    }
    if (batch % 3 == 0) stream->commands.emplace_back(Dispatch{batch % 8, 240});
  }
  return stream;
}

/// 10 lists of 10 dispatches and barriers.
Stream compute_list() {
  const auto stream = list("dispatches");
  for (std::uint32_t i = 0; i < 10; ++i) {
    stream->commands.emplace_back(Dispatch{i % 8, 60 + 200 * i});
    stream->commands.emplace_back(Barrier{});
  }
  return stream;
}

/// 10 lists of 5 copies.
Stream copy_list() {
  const auto stream = list("copies");
  for (std::uint64_t i = 0; i < 5; ++i) {
    stream->commands.emplace_back(CopyBuffer{CopyRoute::host_to_device, std::uint64_t{40'000} << i});
  }
  return stream;
}

/// Async compute beside the draws; each of ten steps uploads, computes, and draws what the step before computed.
void mixed_frame(benchmark::State& state) {
  const MachineConfig config = builtin_machine("rtx_4090");
  const Stream draw = direct_list();
  const Stream compute = compute_list();
  const Stream copy = copy_list();
  double seconds = 0;
  double simulated = 0;
  for (auto _ : state) {
    Machine machine(config);
    StatsSink stats;
    machine.log().attach(stats, EventLog::Detail::commands);
    const double start = bench::cpu_seconds();
    const ContextId direct_queue = machine.create_queue({"direct", QueueType::direct, QueuePriority::normal, ""});
    const ContextId compute_queue = machine.create_queue({"compute", QueueType::compute, QueuePriority::normal, ""});
    const ContextId copy_queue = machine.create_queue({"copy", QueueType::copy, QueuePriority::normal, ""});
    const FenceId uploaded = machine.create_fence("uploaded");
    const FenceId computed = machine.create_fence("computed");
    for (std::uint64_t step = 1; step <= 10; ++step) {
      machine.execute(copy_queue, copy);
      machine.signal(copy_queue, uploaded, step);
      machine.wait(compute_queue, uploaded, step);
      machine.execute(compute_queue, compute);
      machine.signal(compute_queue, computed, step);
      machine.wait(direct_queue, computed, step - 1);
      machine.execute(direct_queue, draw);
      machine.execute(direct_queue, draw);
    }
    if (!machine.run()) state.SkipWithError("the machine did not complete");
    const double taken = bench::cpu_seconds() - start;
    state.SetIterationTime(taken);
    seconds += taken;
    simulated += static_cast<double>(machine.now_ps()) / 1e12;
  }
  const auto frames = static_cast<double>(state.iterations());
  state.counters["ns_each"] = seconds * 1e9 / (frames * static_cast<double>(commands));
  state.counters["ms_per_frame"] = seconds * 1e3 / frames;
  state.counters["simulated_ms"] = simulated * 1e3 / frames;
  state.counters["real_time_factor"] = simulated / seconds;
}
BENCHMARK(mixed_frame)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
