// SPDX-License-Identifier: Apache-2.0
#include "tests/bgproc/tasks/simulated_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("simulated executor: idle tasks on one processor share it, two at a time", "[bgproc]") {
  check_task_ends(machine_of(1), {1000}, {1000});
  check_task_ends(machine_of(1), {1000, 1000}, {2000, 2000});
  check_task_ends(machine_of(1), {1000, 1000, 1000}, {2000, 2000, 3000});
  check_task_ends(machine_of(1), {1000, 1000, 1000, 1000, 1000}, {2000, 2000, 4000, 4000, 5000});
  // By halves: the second has 2000 left when the first ends, 1500 when the third does.
  check_task_ends(machine_of(1), {1000, 3000, 500}, {2000, 4500, 3000});
}

TEST_CASE("simulated executor: idle tasks on two cores have one each", "[bgproc]") {
  for (const std::uint32_t cores : {2u, 3u, 16u}) {
    check_task_ends(machine_of(cores), {1000}, {1000});
    check_task_ends(machine_of(cores), {1000, 1000}, {1000, 1000});
    check_task_ends(machine_of(cores), {1000, 1000, 1000}, {1000, 1000, 2000});
    check_task_ends(machine_of(cores), {1000, 1000, 1000, 1000, 1000}, {1000, 1000, 2000, 2000, 3000});
    check_task_ends(machine_of(cores), {1000, 3000, 500, 200}, {1000, 3000, 1500, 1700});
  }
}

TEST_CASE("simulated executor: idle tasks on the two processors of one core slow each other", "[bgproc]") {
  check_task_ends(machine_of(1, 2), {1000}, {1000});
  check_task_ends(machine_of(1, 2), {1000, 1000}, {1600, 1600});  // 1.25 / 2
  check_task_ends(machine_of(1, 2), {1000, 1000, 1000}, {1600, 1600, 2600});
  check_task_ends(machine_of(1, 2), {1000, 1000, 1000, 1000, 1000}, {1600, 1600, 3200, 3200, 4200});
}

TEST_CASE("simulated executor: without cores idle tasks run two at a time at full speed", "[bgproc]") {
  check_task_ends(machine_of(0), {1000}, {1000});
  check_task_ends(machine_of(0), {1000, 1000}, {1000, 1000});
  check_task_ends(machine_of(0), {1000, 1000, 1000}, {1000, 1000, 2000});
  check_task_ends(machine_of(0), {1000, 1000, 1000, 1000, 1000}, {1000, 1000, 2000, 2000, 3000});
}

TEST_CASE("simulated executor: a task that does not say its CPU time takes the default", "[bgproc]") {
  for (const std::uint64_t default_ps : {1ull, 700ull, 1'000'000'000ull}) {
    TasksBench bench(machine_of(2), default_ps);
    bench.at(50, [](TasksTop& t) {
      t.add({});
      t.add(300);
    });
    CHECK(bench.run() == TaskTimes{50 + default_ps, 350});
    REQUIRE(bench.top().runs.size() == 2);
    for (const auto& [id, run] : bench.top().runs) CHECK(run.cpu_ps == (id == 1 ? default_ps : 300));
  }
}

TEST_CASE("simulated executor: a task of no CPU time ends when it starts, and holds up nobody", "[bgproc]") {
  for (const std::uint32_t cores : {0u, 1u, 2u}) {
    TasksBench bench(machine_of(cores), 700);
    bench.add_at(50, {0, 0, 0, 300, 0});
    CHECK(bench.run() == TaskTimes{50, 50, 50, 350, 50});
    REQUIRE(bench.top().runs.size() == 5);
    for (const auto& [id, run] : bench.top().runs) CHECK(run.cpu_ps == (id == 4 ? 300 : 0));
  }
}

TEST_CASE("simulated executor: tasks start when they can and end, for everybody, at one time", "[bgproc]") {
  using Marks = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  TasksBench bench(machine_of(2));
  bench.add_at(100, {1000, 400, 1000});
  bench.at(200, [](TasksTop& t) { t.commit(false); });
  bench.at(300, [](TasksTop& t) { t.add(1); });
  bench.run();
  CHECK(bench.all("started") == Marks{{100, 1}, {100, 2}, {500, 3}, {1100, 4}});
  CHECK(bench.all("called") == Marks{{500, 2}, {1100, 1}, {1101, 4}, {1500, 3}});
  CHECK(bench.all("finished") == bench.all("called"));
  CHECK(bench.all("completed") == Marks{{1500, 1}});
}

TEST_CASE("simulated executor: tasks may come from outside of the simulation and from tasks", "[bgproc]") {
  TasksBench bench(machine_of(1));
  bench.enter([](TasksTop& t) { t.add(1000); });
  bench.top().items[0].when_called = [&t = bench.top()] { t.add(500); };
  CHECK(bench.run() == TaskTimes{1000, 1500});
  bench.kernel.advance_to(10'000);
  bench.enter([](TasksTop& t) { t.add(7); });
  CHECK(bench.run() == TaskTimes{1000, 1500, 10'007});
}

TEST_CASE("simulated executor: a commit of high priority uses all processors", "[bgproc]") {
  const auto check_commit = [](const CpuConfig& cpu, const TaskTimes& cpu_ps, const TaskTimes& ends) {
    TasksBench bench(cpu);
    bench.add_at(0, cpu_ps);
    bench.at(0, [](TasksTop& t) { t.commit(true); });
    CHECK(bench.run() == ends);
    CHECK(bench.top().completed_ps == TaskTimes{*std::max_element(ends.begin(), ends.end())});
    CHECK(bench.top().queue->priority() == TaskPriority::idle);
  };
  check_commit(machine_of(4), TaskTimes(6, 1000), {1000, 1000, 1000, 1000, 2000, 2000});
  check_commit(machine_of(8), TaskTimes(6, 1000), TaskTimes(6, 1000));
  check_commit(machine_of(2, 2), TaskTimes(4, 1000), TaskTimes(4, 1600));
  check_commit(machine_of(1, 4), TaskTimes(4, 7000), TaskTimes(4, 16'000));  // 1.75 / 4
  // Without cores there are 8.
  check_commit(machine_of(0), TaskTimes(9, 1000), {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 2000});
}

TEST_CASE("simulated executor: a commit of high priority boosts what runs already, and later tasks are idle again",
          "[bgproc]") {
  TasksBench bench(machine_of(0));
  bench.add_at(0, TaskTimes(4, 1000));
  bench.at(500, [](TasksTop& t) {
    t.commit(true);                           // 3 and 4 begin
    for (int i = 0; i < 6; ++i) t.add(5000);  // 5 to 8 begin, for there are 8 processors
  });
  // 9 and 10 get the places of 1 and 2; at 1500 the set has finished.
  CHECK(bench.run() == TaskTimes{1000, 1000, 1500, 1500, 5500, 5500, 5500, 5500, 6000, 6000});
  CHECK(bench.top().completed_ps == TaskTimes{1500});
  bench.enter([](TasksTop& t) {
    for (int i = 0; i < 3; ++i) t.add(1000);
  });
  const TaskTimes ends = bench.run();
  CHECK(TaskTimes(ends.begin() + 10, ends.end()) == TaskTimes{7000, 7000, 8000});
  CHECK(bench.all("boosted").size() == 8);
  CHECK(bench.all("started").size() == 5);
}

TEST_CASE("simulated executor: a boost may end in the picosecond in which other tasks end", "[bgproc]") {
  for (const std::uint32_t cores : {0u, 2u}) {
    TasksBench bench(machine_of(cores));
    bench.add_at(0, {1000});
    bench.at(0, [](TasksTop& t) { t.commit(true); });
    bench.add_at(0, {1000, 500});
    CHECK(bench.run() == (cores == 0 ? TaskTimes{1000, 1000, 500} : TaskTimes{1000, 1000, 1500}));
    CHECK(bench.top().completed_ps == TaskTimes{1000});
  }
  TasksBench begins(machine_of(2));  // and begin
  begins.add_at(0, {1000, 1000});
  begins.at(500, [](TasksTop& t) { t.items[0].when_called = [&t] { t.commit(true); }; });
  CHECK(begins.run() == TaskTimes{1000, 1000});
}

TEST_CASE("simulated executor: workers may be waited for in the picosecond in which they end", "[bgproc]") {
  TasksBench bench(machine_of(4));
  bench.add_at(0, {1000, 1000, 1000});
  bench.at(0, [](TasksTop& t) { t.foreground(1000); });
  bench.at(500, [](TasksTop& t) { t.items[0].when_called = [&t] { t.executor.wait_for_workers(); }; });
  CHECK(bench.run() == TaskTimes{1000, 1000, 1000});
}

TEST_CASE("simulated executor: after a boost no task begins until fewer than two run", "[bgproc]") {
  TasksBench bench(machine_of(4));
  bench.add_at(0, {1000});
  bench.at(0, [](TasksTop& t) { t.commit(true); });
  bench.add_at(0, {5000, 4000, 3000, 100, 100});
  // 2, 3 and 4 began boosted and go on; 5 begins when 4 and 3 have ended, 6 when 5 has.
  CHECK(bench.run() == TaskTimes{1000, 5000, 4000, 3000, 4100, 4200});
}

TEST_CASE("simulated executor: idle tasks wait for a program's thread, boosted ones do not", "[bgproc]") {
  for (const bool boosted : {false, true}) {
    TasksBench bench(machine_of(1));
    bench.at(0, [boosted](TasksTop& t) {
      t.foreground(10'000);
      t.add(1000);
      if (boosted) t.commit(true);
    });
    CHECK(bench.run() == TaskTimes{boosted ? 2000u : 11'000u});
    CHECK(bench.top().foreground_ps == TaskTimes{boosted ? 11'000u : 10'000u});
  }
  TasksBench late(machine_of(1));
  late.at(0, [](TasksTop& t) {
    t.foreground(10'000);
    t.add(1000);
  });
  late.at(3000, [](TasksTop& t) { t.commit(true); });  // from now on by halves
  CHECK(late.run() == TaskTimes{5000});
  CHECK(late.top().foreground_ps == TaskTimes{11'000});
}

TEST_CASE("simulated executor: each idle task that runs slows a program's thread, boosted ones do not", "[bgproc]") {
  const auto foreground_of = [](int tasks, bool boosted, double slowdown) {
    TasksBench bench(machine_of(8, 1, slowdown));
    bench.at(0, [=](TasksTop& t) {
      t.foreground(98'010);
      for (int i = 0; i < tasks; ++i) t.add(1'000'000);
      if (boosted) t.commit(true);
    });
    bench.run();
    return bench.top().foreground_ps;
  };
  CHECK(foreground_of(0, false, 0.01) == TaskTimes{98'010});
  CHECK(foreground_of(1, false, 0.01) == TaskTimes{99'000});   // 0.99
  CHECK(foreground_of(2, false, 0.01) == TaskTimes{100'000});  // 0.99 ^ 2
  CHECK(foreground_of(5, false, 0.01) == TaskTimes{100'000});  // two at a time
  CHECK(foreground_of(2, false, 0.1) == TaskTimes{121'000});   // 98'010 / 0.81
  CHECK(foreground_of(2, true, 0.1) == TaskTimes{98'010});
}

TEST_CASE("simulated executor: destroying the queue ends what runs at once and passes no time", "[bgproc]") {
  for (const bool inside : {false, true}) {
    for (const bool boosted : {false, true}) {
      TasksBench bench(machine_of(4));
      bench.add_at(0, TaskTimes(6, 1000));
      bench.at(10, [boosted](TasksTop& t) { t.commit(boosted); });
      if (inside) bench.at(500, [](TasksTop& t) { t.queue.reset(); });
      bench.kernel.advance_to(500);
      if (!inside) bench.enter([](TasksTop& t) { t.queue.reset(); });
      CHECK(bench.kernel.now_ps() == 500);
      const auto check_all = [&bench, boosted] {
        for (const TasksTop::Item& item : bench.top().items) {
          const int calls = item.number <= (boosted ? 4 : 2) ? 1 : 0;
          CHECK(item.calls == calls);
          CHECK(item.cancels == 1 - calls);
          CHECK(item.end_ps == 500);
        }
        CHECK(bench.all("finished").size() == (boosted ? 4 : 2));
        CHECK(bench.all("dropped").size() == (boosted ? 2 : 4));
        CHECK(bench.top().completed_ps == TaskTimes{500});
      };
      check_all();
      bench.enter([](TasksTop& t) { t.foreground(5000); });
      bench.kernel.run_to_end();
      CHECK(bench.top().foreground_ps == TaskTimes{5500});  // nothing is left on the cores
      check_all();
    }
  }
}

TEST_CASE("simulated executor: disabling lets those run that are queued and have not begun", "[bgproc]") {
  TasksBench bench(machine_of(2));
  bench.add_at(0, TaskTimes(4, 1000));
  bench.at(300, [](TasksTop& t) { t.queue->set_disabled(true); });
  CHECK(bench.run() == TaskTimes{1000, 1000, 2000, 2000});
}

TEST_CASE("simulated executor: a disabled queue cancels a task at the time at which it is queued", "[bgproc]") {
  TasksBench bench(machine_of(1));
  bench.add_at(0, {1000});
  bench.at(300, [](TasksTop& t) {
    t.queue->set_disabled(true);
    t.add(1000);
    CHECK(t.items[1].cancels == 1);
    t.queue->set_disabled(false);
    t.add(1000);
  });
  bench.kernel.run_to_end();
  const auto& items = bench.top().items;
  CHECK(items[1].end_ps == 300);
  // Alone until 300, then by halves: 1 has 700 left, 3 then 300.
  CHECK(items[0].end_ps == 1700);
  CHECK(items[2].end_ps == 2000);
}
