// SPDX-License-Identifier: Apache-2.0
// What a machine costs by itself.
#include "api/machine.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace fenceline;

void create_and_destroy_machine(benchmark::State& state) {
  const MachineConfig config = builtin_machine("h200");
  for (auto _ : state) {
    Machine machine(config);
    benchmark::DoNotOptimize(machine.now_ps());
  }
}
BENCHMARK(create_and_destroy_machine)->Unit(benchmark::kMicrosecond);

}  // namespace
