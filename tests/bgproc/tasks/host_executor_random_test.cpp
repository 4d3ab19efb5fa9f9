// SPDX-License-Identifier: Apache-2.0
#include "tests/bgproc/tasks/host_bench.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <deque>
#include <random>
#include <thread>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("host executor: threads, modes, commits and destruction at random end each task once", "[bgproc]") {
  HostExecutor executor;
  for (int round = 0; round < host_stress_rounds; ++round) {
    constexpr int crew = 4;
    constexpr int steps = 25;
    std::deque<HostJob> jobs(static_cast<std::size_t>(crew * steps));
    std::vector<std::vector<HostJob*>> accepted(crew);
    std::atomic<int> commits{0};
    std::atomic<int> completed{0};
    RunKeeper keeper;
    {
      TaskQueue queue({1 + static_cast<std::uint32_t>(round % 3), round % 2 == 0}, executor, &keeper);
      on_host_threads(crew, [&](int thread) {
        std::mt19937 random(static_cast<std::uint32_t>(round * crew + thread));
        for (int i = 0; i < steps; ++i) {
          HostJob& job = jobs[static_cast<std::size_t>(thread) * steps + static_cast<std::size_t>(i)];
          switch (random() % 8) {
            case 0: queue.set_disabled(random() % 3 == 0); break;
            case 1:
              ++commits;
              queue.commit(random() % 2 == 0, [&completed] { ++completed; });
              break;
            case 2: job.action = [] { std::this_thread::yield(); }; [[fallthrough]];
            default:
              if (job.queue_in(queue)) accepted[static_cast<std::size_t>(thread)].push_back(&job);
          }
          if (round % 4 == 3 && thread == 0 && i == steps * 3 / 4) queue.close();
        }
      });
    }
    int sum = 0;
    for (const HostJob& job : jobs) sum += job.called + job.cancelled;
    int ended_once = 0;
    int taken = 0;
    for (const std::vector<HostJob*>& of_thread : accepted) {
      for (const HostJob* job : of_thread) ended_once += job->called + job->cancelled == 1 ? 1 : 0;
      taken += static_cast<int>(of_thread.size());
    }
    REQUIRE(ended_once == taken);
    REQUIRE(sum == taken);
    REQUIRE(completed == commits);
    REQUIRE(static_cast<int>(keeper.runs.size()) + keeper.cancelled == taken);
    REQUIRE(keeper.started == static_cast<int>(keeper.runs.size()));
  }
}
