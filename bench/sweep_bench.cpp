// SPDX-License-Identifier: Apache-2.0
// Sweeps: what a second worker brings, and what many runs keep in memory. Each sweep is a process of its own.
#include <benchmark/benchmark.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

struct Swept {
  bool good = false;
  double seconds = 0;  // by the clock
  double mib = 0;      // of the largest process, resident
};

/// Plays a workload with so many clocks of its 3D engine, by so many workers.
Swept swept(const std::string& workload, int runs, int jobs) {
  std::string directory = (std::filesystem::temp_directory_path() / "fenceline-sweep-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) return {};
  std::vector<std::string> words = {FENCELINE_BINARY,
                                    "sweep",
                                    FENCELINE_SOURCE_DIR "/configs/workloads/" + workload + ".json",
                                    "--machine",
                                    "h200",
                                    "--vary",
                                    "/engines/3d/clock_mhz=1000.." + std::to_string(999 + runs),
                                    "--metric",
                                    "makespan_us",
                                    "--jobs",
                                    std::to_string(jobs),
                                    "--quiet",
                                    "--out",
                                    directory + "/out"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  int status = 0;
  rusage used{};
  Swept result;
  result.good = child > 0 && ::wait4(child, &status, 0, &used) == child && status == 0;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.mib = static_cast<double>(used.ru_maxrss) / 1024;  // of it, and of the workers that it waited for
  std::error_code none;
  std::filesystem::remove_all(directory, none);
  return result;
}

/// `scaling`: 40 runs of 0.1 s by one worker, over the same by two, by the clock; `efficiency` would be half of it.
void sweep_by_two_workers(benchmark::State& state) {
  double one = 0;
  double two = 0;
  for (auto _ : state) {
    for (const int jobs : {1, 2}) {
      const Swept sweep = swept("pipelined_compute_graphics", 40, jobs);
      if (!sweep.good) return state.SkipWithError("the sweep failed");
      (jobs == 1 ? one : two) += sweep.seconds;
    }
  }
  state.counters["scaling"] = one / two;
}
BENCHMARK(sweep_by_two_workers)->Unit(benchmark::kSecond)->Iterations(3)->UseRealTime();

/// `max_mib`: resident in the largest of the processes. `runs_per_s`: by the clock, of two workers.
void sweep_of_many_runs(benchmark::State& state) {
  const auto runs = static_cast<int>(state.range(0));
  double seconds = 0;
  for (auto _ : state) {
    const Swept sweep = swept("ring_buffer", runs, 2);
    if (!sweep.good) return state.SkipWithError("the sweep failed");
    seconds += sweep.seconds;
    state.counters["max_mib"] = sweep.mib;
  }
  state.counters["runs_per_s"] = static_cast<double>(runs) * static_cast<double>(state.iterations()) / seconds;
}
BENCHMARK(sweep_of_many_runs)
    ->ArgName("runs")
    ->Unit(benchmark::kSecond)
    ->Iterations(1)
    ->UseRealTime()
    ->Arg(100)
    ->Arg(1'000)
    ->Arg(10'000);

}  // namespace
