// SPDX-License-Identifier: Apache-2.0
// What preempting costs: a second of long kernels that short ones of high priority interrupt 10,000 times.
#include "api/machine.hpp"
#include "api/stream_builder.hpp"
#include "bench/cpu_time.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>

namespace {

using namespace fenceline;

constexpr std::uint64_t preemptions = 10'000;
constexpr std::uint64_t second_ps = 1'000'000'000'000;

class Requests final : public LogSink {
 public:
  void preemption(const EventLog&, const PreemptionRecord& record) override { stopped += record.packets > 0; }
  std::uint64_t stopped = 0;
};

std::shared_ptr<const CommandStream> kernel(std::uint64_t groups, std::uint64_t cycles) {
  return StreamBuilder("kernel").dispatch(compute_pipeline("", cycles), groups).finish();
}

/// The H200 with one compute queue in hardware, stopped inside kernels. Counters: stopped packets, and microseconds of
/// the host for each.
void preempted_kernels(benchmark::State& state) {
  MachineConfig config = builtin_machine("h200");
  config.scheduler.policy = SchedulingPolicy::strict_priority;
  for (NodeConfig& node : config.engines) {
    if (auto* engine = std::get_if<ComputeEngineConfig>(&node)) engine->hardware_queues = 1;
  }
  const auto long_kernel = kernel(132 * 16, 1'000'000);
  const auto short_kernel = kernel(1, 1'000);
  double seconds = 0;
  std::uint64_t stopped = 0;
  for (auto _ : state) {
    Machine machine(config);
    Requests requests;
    machine.log().attach(requests, EventLog::Detail::packets);
    const double start = bench::cpu_seconds();
    const ContextId low = machine.create_queue({"low", QueueType::compute, QueuePriority::normal, "cuda_stream"});
    const ContextId high = machine.create_queue({"high", QueueType::compute, QueuePriority::high, "cuda_stream"});
    for (int i = 0; i < 1200; ++i) machine.execute(low, long_kernel);
    for (std::uint64_t i = 1; i <= preemptions; ++i) {
      machine.advance_to(i * (second_ps / preemptions));
      machine.execute(high, short_kernel);
    }
    if (!machine.run()) state.SkipWithError("the machine did not complete");
    const double taken = bench::cpu_seconds() - start;
    state.SetIterationTime(taken);
    seconds += taken;
    stopped += requests.stopped;
  }
  if (stopped < preemptions * state.iterations() * 9 / 10) state.SkipWithError("hardly anything was preempted");
  const auto runs = static_cast<double>(state.iterations());
  state.counters["preemptions"] = static_cast<double>(stopped) / runs;
  state.counters["us_each"] = seconds * 1e6 / static_cast<double>(stopped);
}
BENCHMARK(preempted_kernels)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
