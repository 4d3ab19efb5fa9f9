// SPDX-License-Identifier: Apache-2.0
// How the cost of a command grows with their number: submission, scheduling, engine, shader array, fences and log.
#include "api/machine.hpp"
#include "api/report/packets.hpp"
#include "api/report/perfetto/perfetto.hpp"
#include "api/report/stats.hpp"
#include "api/report/text.hpp"
#include "bench/cpu_time.hpp"
#include "bench/heap.hpp"
#include "sim/files/output_file.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace {

using namespace fenceline;
using bench::heap;

/// What listens while a machine runs.
enum Logging : std::int64_t {
  none,   ///< nothing
  stats,  ///< one log entry a command and packet, added up
  files,  ///< all that `fenceline run` writes: trace.json, packets.csv, log.txt and the statistics
};

/// The sinks of a run, their files going nowhere.
class Sinks {
 public:
  Sinks(EventLog& log, std::int64_t logging) {
    if (logging >= stats) log.attach(stats_, EventLog::Detail::commands);
    if (logging < files) return;
    log.attach(perfetto_, EventLog::Detail::commands);
    log.attach(packets_, EventLog::Detail::commands);
    log.attach(text_, EventLog::Detail::commands);
  }

 private:
  StatsSink stats_;
  OutputFile trace_file_{"/dev/null"};
  OutputFile packets_file_{"/dev/null"};
  OutputFile text_file_{"/dev/null"};
  PerfettoSink perfetto_{trace_file_};
  PacketsSink packets_{packets_file_};
  TextSink text_{text_file_};
};

std::shared_ptr<CommandStream> dispatch_list(std::size_t count) {
  auto stream = std::make_shared<CommandStream>();
  stream->name = "list";
  ComputePipeline pipeline;
  pipeline.name = "kernel";
  pipeline.work.cycles = 1000;
  stream->compute_pipelines.push_back(pipeline);
  stream->commands.assign(count, Dispatch{0, 1});
  return stream;
}

/// Runs `submit` and the machine once per iteration; reports time and heap per item.
void measure(benchmark::State& state, std::int64_t items, std::int64_t logging,
             const std::function<void(Machine&)>& submit) {
  const MachineConfig config = builtin_machine("h200");
  double heap_bytes = 0;
  double total_seconds = 0;
  for (auto _ : state) {
    Machine machine(config);
    Sinks sinks(machine.log(), logging);
    bench::reset_heap_peak();
    const std::uint64_t before = heap().live;
    const double start = bench::cpu_seconds();
    submit(machine);
    const bool completed = machine.run();
    const double seconds = bench::cpu_seconds() - start;
    heap_bytes = static_cast<double>(heap().peak - before);
    state.SetIterationTime(seconds);
    total_seconds += seconds;
    if (!completed) state.SkipWithError("the machine did not complete");
  }
  const auto count = static_cast<double>(items);
  state.SetItemsProcessed(state.iterations() * items);
  state.counters["ns_each"] = total_seconds * 1e9 / (count * static_cast<double>(state.iterations()));
  state.counters["heap_bytes_each"] = heap_bytes / count;
}

/// Each dispatch is a command list and a packet of its own.
void dispatches_in_lists_of_one(benchmark::State& state) {
  measure(state, state.range(0), state.range(1), [&](Machine& machine) {
    const ContextId queue = machine.create_queue({"compute", QueueType::compute, QueuePriority::normal, "cuda_stream"});
    const std::shared_ptr<const CommandStream> list = dispatch_list(1);
    for (std::int64_t i = 0; i < state.range(0); ++i) machine.execute(queue, list);
  });
}

/// All dispatches are in one command list.
void dispatches_in_one_list(benchmark::State& state) {
  measure(state, state.range(0), state.range(1), [&](Machine& machine) {
    const ContextId queue = machine.create_queue({"compute", QueueType::compute, QueuePriority::normal, "cuda_stream"});
    machine.execute(queue, dispatch_list(static_cast<std::size_t>(state.range(0))));
  });
}

/// Two queues, each waiting for the other's last signal.
void fence_hops_between_two_queues(benchmark::State& state) {
  measure(state, state.range(0), state.range(1), [&](Machine& machine) {
    const ContextId ping = machine.create_queue({"ping", QueueType::compute, QueuePriority::normal, "cuda_stream"});
    const ContextId pong = machine.create_queue({"pong", QueueType::compute, QueuePriority::normal, "cuda_stream"});
    const FenceId fence = machine.create_fence("ball");
    for (std::int64_t hop = 0; hop < state.range(0); ++hop) {
      const ContextId queue = hop % 2 == 0 ? ping : pong;
      machine.wait(queue, fence, static_cast<std::uint64_t>(hop));
      machine.signal(queue, fence, static_cast<std::uint64_t>(hop) + 1);
    }
  });
}

/// A queue and a packet each, all ready at once.
void queues_of_one_packet(benchmark::State& state) {
  measure(state, state.range(0), state.range(1), [&](Machine& machine) {
    const std::shared_ptr<const CommandStream> list = dispatch_list(1);
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      const ContextId queue =
          machine.create_queue({fmt::format("{}", i), QueueType::compute, QueuePriority::normal, "cuda_stream"});
      machine.execute(queue, list);
    }
  });
}

/// A queue, a packet and a fence each; every queue waits for the one before.
void queues_in_a_chain_of_fences(benchmark::State& state) {
  measure(state, state.range(0), state.range(1), [&](Machine& machine) {
    const std::shared_ptr<const CommandStream> list = dispatch_list(1);
    std::optional<FenceId> before;
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      const std::string name = fmt::format("{}", i);
      const ContextId queue = machine.create_queue({name, QueueType::compute, QueuePriority::normal, "cuda_stream"});
      if (before) machine.wait(queue, *before, 1);
      machine.execute(queue, list);
      before = machine.create_fence(name);
      machine.signal(queue, *before, 1);
    }
  });
}

void queue_sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"n", "log"})->UseManualTime()->Unit(benchmark::kMillisecond);
  for (const std::int64_t logging : {none, files}) {
    for (const std::int64_t count : {1'000, 10'000, 100'000}) bench->Args({count, logging});
  }
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"n", "log"})->UseManualTime()->Unit(benchmark::kMillisecond);
  for (const std::int64_t logging : {stats, files}) {
    for (const std::int64_t count : {1'000, 100'000, 1'000'000}) bench->Args({count, logging});
  }
}
BENCHMARK(dispatches_in_lists_of_one)->Apply(sizes);
BENCHMARK(dispatches_in_one_list)->Apply(sizes);
BENCHMARK(fence_hops_between_two_queues)->Apply(sizes);
BENCHMARK(queues_of_one_packet)->Apply(queue_sizes);
BENCHMARK(queues_in_a_chain_of_fences)->Apply(queue_sizes);

}  // namespace
