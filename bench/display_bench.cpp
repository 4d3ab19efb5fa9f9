// SPDX-License-Identifier: Apache-2.0
// What screens cost on which nothing changes: 24 simulated hours between two frames.
#include "api/machine.hpp"
#include "bench/cpu_time.hpp"
#include "scheduler/display/display.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

namespace {

using namespace fenceline;

constexpr std::uint64_t day_ps = 86'400'000'000'000'000;

/// Three outputs of machine `tiny`, one of them of variable refresh, each with a frame at the day's beginning and one
/// at its end. Counter: simulated over host time.
void idle_screens_for_a_day(benchmark::State& state) {
  MachineConfig config = builtin_machine("tiny");
  config.display.refresh_hz = 59.94;
  OutputConfig film;
  film.name = "film";
  film.refresh_hz = 23.976;
  OutputConfig variable;
  variable.name = "variable";
  variable.refresh_hz = 144;
  variable.variable_refresh_min_hz = 48;
  config.display.outputs = {film, variable};
  double seconds = 0;
  for (auto _ : state) {
    const double start = bench::cpu_seconds();
    Machine machine(config);
    const ContextId queue = machine.create_queue({"frames", QueueType::direct});
    std::vector<SwapChainId> chains;
    for (const std::uint32_t output : {0U, 1U, 2U}) {
      chains.push_back(machine.create_swap_chain("screen", nullptr, {static_cast<OutputId>(output), {}}));
    }
    const auto present = [&] {
      for (const SwapChainId chain : chains) {
        Frame frame;
        frame.interval = 1;
        machine.present(queue, chain, frame);
      }
    };
    present();
    machine.advance_to(day_ps);
    present();
    if (!machine.run()) state.SkipWithError("the machine did not complete");
    // 86,400 s are 5,178,816 refreshes of 59.94 Hz: what is ready just then is on screen at the next.
    const std::uint64_t next_ps = machine.display().vblanks().time_of(5'178'817);
    if (machine.display().presented(chains[0]).shown_at_ps.back() != next_ps) state.SkipWithError("the clock drifts");
    const double taken = bench::cpu_seconds() - start;
    state.SetIterationTime(taken);
    seconds += taken;
  }
  state.counters["real_time_factor"] =
      static_cast<double>(state.iterations()) * static_cast<double>(day_ps) / 1e12 / seconds;
}
BENCHMARK(idle_screens_for_a_day)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
