// SPDX-License-Identifier: Apache-2.0
#include "tests/bgproc/tasks/simulated_bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <random>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("simulated executor: the same inputs give the same events at the same times", "[bgproc]") {
  const auto happenings_of = [](std::uint32_t seed) {
    std::mt19937 random(seed);
    TasksBench bench(machine_of(seed % 4, 1 + seed % 2), 500, {1 + seed % 3, seed % 2 == 1});
    for (int i = 0; i < 40; ++i) {
      const std::uint64_t at_ps = random() % 5000;
      const std::uint64_t work_ps = random() % 1500;
      const unsigned what = random() % 10;
      bench.at(at_ps, [work_ps, what](TasksTop& t) {
        switch (what) {
          case 0: t.commit(false); break;
          case 1: t.commit(true); break;
          case 2: t.queue->set_disabled(work_ps % 3 == 0); break;
          case 3: t.foreground(work_ps); break;
          default: t.add(work_ps);
        }
      });
    }
    bench.kernel.run_to_end();
    CHECK(bench.top().queue->idle());
    CHECK(bench.top().completed_ps.size() == bench.top().commits);
    for (const TasksTop::Item& item : bench.top().items) CHECK(item.calls + item.cancels == 1);
    Happenings happened = bench.top().happened;
    for (const std::uint64_t end_ps : bench.top().foreground_ps) happened.emplace_back(end_ps, "foreground", 0);
    return happened;
  };
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    CHECK(happenings_of(seed) == happenings_of(seed));
  }
}

TEST_CASE("simulated executor: at random, with ends that coincide, each task ends once", "[bgproc]") {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    TasksBench bench(machine_of(seed % 4, 1 + seed % 2, 0), 100, {1 + seed % 3, seed % 2 == 1});
    for (int i = 0; i < 30; ++i) {
      const std::uint64_t work_ps = 100 * (1 + random() % 3);
      const unsigned what = random() % 6;
      const unsigned then = random() % 6;
      bench.at(100 * (random() % 12), [work_ps, what, then](TasksTop& t) {
        if (what == 0) return t.foreground(work_ps);
        if (what == 1) return t.commit(true);
        t.add(work_ps);
        if (then < 2) t.items.back().when_called = [&t, then] { t.commit(then == 0); };
      });
    }
    bench.kernel.run_to_end();
    CHECK(bench.top().queue->idle());
    CHECK(bench.top().completed_ps.size() == bench.top().commits);
    for (const TasksTop::Item& item : bench.top().items) REQUIRE(item.calls + item.cancels == 1);
  }
}
