// SPDX-License-Identifier: Apache-2.0
#include "bgproc/cores/cpu_cores.hpp"

#include "sim/kernel/now.hpp"
#include "tests/bgproc/cores/cores_bench.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

using Ends = std::vector<std::uint64_t>;

/// Each end lies within `changes` picoseconds of the exact time: whenever the rates change, a thread ends at a whole
/// picosecond, and the others' ends move with it. (Works are small enough for rounded rates not to show.)
void check_ends(CoresBench& bench, const Ends& exact, std::uint64_t changes) {
  const Ends ends = bench.ends();
  CAPTURE(ends, exact);
  REQUIRE(ends.size() == exact.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    CHECK(ends[i] + changes >= exact[i]);
    CHECK(ends[i] <= exact[i] + changes);
  }
}

/// Starts these amounts of work at time 0 and checks when they end.
void check_together(const CpuConfig& config, const std::vector<std::pair<std::uint64_t, CpuPriority>>& work,
                    const Ends& exact, std::uint64_t changes = 1) {
  CoresBench bench(config);
  bench.enter([&work](CoresTop& t) {
    for (const auto& [amount, priority] : work) t.start(0, amount, priority);
  });
  check_ends(bench, exact, changes);
}

}  // namespace

TEST_CASE("cpu cores: one thread takes its work, whatever the shape", "[bgproc]") {
  for (const std::uint32_t cores : {0u, 1u, 8u}) {
    for (const std::uint32_t width : {1u, 2u}) {
      for (const CpuPriority priority : {as_normal, as_idle}) {
        for (const std::uint64_t work : {1ull, 7ull, 1000ull, 123'456'789'012'345ull}) {
          CoresBench bench(cpu_of(cores, width));
          bench.enter([&](CoresTop& t) { t.start(500, work, priority); });
          CHECK(bench.ends() == Ends{500 + work});
        }
      }
    }
  }
}

TEST_CASE("cpu cores: processors are counted over all cores, and are 8 without cores", "[bgproc]") {
  const auto processors_of = [](std::uint32_t cores, std::uint32_t width) {
    CoresBench bench(cpu_of(cores, width));
    return bench.top().cores.processors();
  };
  CHECK(processors_of(0, 1) == 8);
  CHECK(processors_of(1, 1) == 1);
  CHECK(processors_of(4, 1) == 4);
  CHECK(processors_of(3, 4) == 12);
  CHECK(processors_of(64, 2) == 128);
}

TEST_CASE("cpu cores: work of nothing ends at once, but not from inside", "[bgproc]") {
  for (const std::uint32_t cores : {0u, 1u, 4u}) {
    CoresBench bench(cpu_of(cores, 2));
    bench.enter([](CoresTop& t) {
      t.start(0, 0);
      t.start(300, 0, as_idle);
    });
    CHECK(bench.ends() == Ends{0, 300});
  }
}

TEST_CASE("cpu cores: threads of one core take their work over what each of them gets", "[bgproc]") {
  // 1.25 / 2, 1.5 / 3 and 1.75 / 4 of full speed.
  check_together(cpu_of(1, 2), {{1000, as_normal}, {1000, as_normal}}, {1600, 1600});
  check_together(cpu_of(1, 2), {{625'000, as_idle}, {625'000, as_idle}}, {1'000'000, 1'000'000});
  check_together(cpu_of(1, 3), {{500, as_normal}, {500, as_normal}, {500, as_normal}}, {1000, 1000, 1000});
  check_together(cpu_of(1, 4), {{7000, as_idle}, {7000, as_idle}, {7000, as_idle}, {7000, as_idle}},
                 {16'000, 16'000, 16'000, 16'000});
  check_together(cpu_of(1, 2, 0), {{1000, as_normal}, {1000, as_normal}}, {2000, 2000});
  check_together(cpu_of(1, 2, 1), {{1000, as_normal}, {1000, as_normal}}, {1000, 1000});
  // In turns: 1 / 2, 1 / 4 and 1.25 / 5 each.
  check_together(cpu_of(1, 1), {{1000, as_normal}, {1000, as_normal}}, {2000, 2000});
  check_together(cpu_of(1, 1), {{1000, as_idle}, {1000, as_idle}, {1000, as_idle}, {1000, as_idle}},
                 {4000, 4000, 4000, 4000});
  check_together(cpu_of(1, 2), std::vector<std::pair<std::uint64_t, CpuPriority>>(5, {1000, as_normal}), Ends(5, 4000));
}

TEST_CASE("cpu cores: threads on cores of their own, or without cores, do not disturb each other", "[bgproc]") {
  for (const CpuConfig& config : {cpu_of(0, 1, 0.25, 0.5), cpu_of(3, 2, 0, 0.5)}) {
    check_together(config, {{1000, as_normal}, {2000, as_normal}, {700, as_normal}}, {1000, 2000, 700}, 0);
  }
  check_together(cpu_of(0, 1, 0.25, 0.5), {{1000, as_normal}, {2000, as_idle}, {700, as_idle}}, {1000, 2000, 700}, 0);
}

TEST_CASE("cpu cores: who ends leaves his share to those that remain", "[bgproc]") {
  // The shorter one ends after 500 / 0.625; then 500 are left.
  check_together(cpu_of(1, 2), {{500, as_normal}, {1000, as_normal}}, {800, 1300}, 2);
  // In turns 300 each until 900; 200 each more, by halves, until 1300; 500 alone.
  check_together(cpu_of(1, 1, 0.25), {{300, as_normal}, {500, as_normal}, {1000, as_normal}}, {900, 1300, 1800}, 3);
}

TEST_CASE("cpu cores: who begins later slows the others from then on", "[bgproc]") {
  SECTION("two on the processors of one core") {
    CoresBench bench(cpu_of(1, 2));
    bench.enter([](CoresTop& t) {
      t.start(0, 1000);    // 200 alone, 800 in 1280
      t.start(200, 1000);  // 800 until 1480, 200 alone
    });
    check_ends(bench, {1480, 1680}, 2);
  }
  SECTION("a short one in the midst of a long one") {
    CoresBench bench(cpu_of(1, 2));
    bench.enter([](CoresTop& t) {
      t.start(0, 3000);    // 1000 alone, 500 in 800, 1500 alone
      t.start(1000, 500);  // 800
    });
    check_ends(bench, {3300, 1800}, 2);
  }
  SECTION("a third one on two cores, in turns") {
    CoresBench bench(cpu_of(2, 1));
    bench.enter([](CoresTop& t) {
      t.start(0, 1000);
      t.start(0, 1000);    // each has 500 left at 500, which take 750 at two thirds
      t.start(500, 1000);  // has done 500 by 1250; the rest alone
    });
    check_ends(bench, {1250, 1250, 1750}, 3);
  }
  SECTION("one after another without meeting") {
    CoresBench bench(cpu_of(1, 1));
    bench.enter([](CoresTop& t) {
      t.start(0, 100);
      t.start(100, 100);
      t.start(5000, 100);
    });
    check_ends(bench, {100, 200, 5100}, 1);
  }
}

TEST_CASE("cpu cores: idle threads wait for normal ones, and slow those beside which they run", "[bgproc]") {
  check_together(cpu_of(1, 1), {{1000, as_idle}, {1000, as_normal}}, {2000, 1000}, 2);
  // The idle one gets the first core at 500; the last 300 of the third thread take 303 beside it.
  check_together(cpu_of(2, 1), {{500, as_idle}, {500, as_normal}, {800, as_normal}}, {1000, 500, 803}, 2);
  check_together(cpu_of(2, 1), {{99'000, as_normal}, {1'000'000, as_idle}}, {100'000, 1'000'000});
  check_together(cpu_of(2, 1, 0.25, 0.5), {{1000, as_normal}, {10'000, as_idle}}, {2000, 10'000});
  check_together(cpu_of(4, 1, 0.25, 0.1), {{81'000, as_normal}, {1'000'000, as_idle}, {1'000'000, as_idle}},
                 {100'000, 1'000'000, 1'000'000});
  // On one core: 0.625 x 0.99 beside 0.625, of which 100'000 are done when the normal one ends at 160'000.
  check_together(cpu_of(1, 2), {{99'000, as_normal}, {150'000, as_idle}}, {160'000, 210'000}, 2);
}

TEST_CASE("cpu cores: a changed priority counts from then on", "[bgproc]") {
  const auto check_change = [](const std::vector<std::pair<std::size_t, CpuPriority>>& changes, const Ends& exact) {
    CoresBench bench(cpu_of(1, 1));
    bench.enter([&changes](CoresTop& t) {
      t.start(0, 1000, as_normal);
      t.start(0, 500, as_idle);
      for (const auto& [index, priority] : changes) t.set_priority(400, index, priority);
    });
    check_ends(bench, exact, 3);
  };
  check_change({}, {1000, 1500});
  check_change({{0, as_normal}, {1, as_idle}}, {1000, 1500});  // as they were
  check_change({{1, as_normal}}, {1500, 1400});                // by halves until the second has its 500
  check_change({{0, as_idle}}, {1500, 1400});
  check_change({{0, as_idle}, {1, as_normal}}, {1500, 900});
  check_change({{1, as_normal}, {1, as_idle}}, {1000, 1500});  // and back at once
}

TEST_CASE("cpu cores: a cancelled thread is not called, and what it had left is told", "[bgproc]") {
  const auto left_of = [](const CpuConfig& config, std::uint64_t cancel_ps, const Ends& exact) {
    CoresBench bench(config);
    bench.enter([cancel_ps](CoresTop& t) {
      t.start(0, 1000);
      t.cancel(cancel_ps, t.start(0, 1000));
    });
    check_ends(bench, exact, 2);
    CHECK(bench.top().threads[1].done == 0);
    return bench.top().threads[1].left;
  };
  CHECK(left_of(cpu_of(0, 1), 0, {1000, 0}) == 1000);
  CHECK(left_of(cpu_of(0, 1), 400, {1000, 400}) == 600);
  CHECK(left_of(cpu_of(2, 1), 999, {1000, 999}) == 1);
  CHECK(left_of(cpu_of(1, 2), 800, {1300, 800}) == 500);  // both have done 500
  CHECK(left_of(cpu_of(1, 1), 0, {1000, 0}) == 1000);
  CHECK(left_of(cpu_of(1, 1), 1000, {1500, 1000}) == 500);
}

TEST_CASE("cpu cores: a thread that waits for a processor has all left when it is cancelled", "[bgproc]") {
  CoresBench bench(cpu_of(1, 1));
  bench.enter([](CoresTop& t) {
    t.start(0, 1000, as_normal);
    t.cancel(600, t.start(0, 700, as_idle));
  });
  check_ends(bench, {1000, 600}, 1);
  CHECK(bench.top().threads[1].left == 700);
}

TEST_CASE("cpu cores: a thread's processor is told while it has one of its own", "[bgproc]") {
  using Places = std::vector<std::optional<std::uint32_t>>;
  CoresBench bench(cpu_of(2, 2));
  Places early;
  Places crowded;
  Places late;
  const auto ask = [&bench](std::uint64_t at_ps, std::size_t count, Places& answer) {
    bench.top().script.at(at_ps, [&t = bench.top(), count, &answer] {
      for (std::size_t i = 0; i < count; ++i) answer.push_back(t.cores.processor_of(t.threads[i].id));
    });
  };
  bench.enter([&ask, &early, &crowded, &late](CoresTop& t) {
    t.start(0, 1'000'000);
    t.start(0, 2'000'000);
    t.start(0, 3'000'000, as_idle);
    ask(10, 3, early);
    const std::size_t fourth = t.start(1000, 1'000'000);
    const std::size_t fifth = t.start(1000, 1'000'000);
    t.start(1000, 1'000'000);
    ask(1010, 3, crowded);
    for (const std::size_t gone : {fourth, fifth, fifth + 1}) t.cancel(2000, gone);
    ask(2010, 3, late);
  });
  bench.kernel.run_to_end();
  CHECK(early == Places{0u, 2u, 1u});
  CHECK(crowded == Places(3));  // five normal threads in turns, the idle one waits
  CHECK(late == Places{0u, 2u, 1u});
}

TEST_CASE("cpu cores: a lower order comes first, however often it begins anew", "[bgproc]") {
  CoresBench bench(cpu_of(3, 1));
  std::vector<std::uint32_t> seen;
  bench.enter([&](CoresTop& t) {
    t.start(0, 100'000);                // first of those without an order
    t.start(0, 100'000, as_normal, 7);  // behind order 3
    t.start(0, 1000, as_normal, 3);
    t.when_done = [&t](std::size_t index) {
      if (index == 2 && now_ps() < 50'000) t.start_now(2, as_normal, 3);
    };
    for (std::uint64_t at_ps = 500; at_ps < 50'000; at_ps += 1000) {
      t.script.at(at_ps, [&] {
        for (std::size_t i = 0; i < 3; ++i) seen.push_back(t.cores.processor_of(t.threads[i].id).value_or(99));
      });
    }
  });
  bench.kernel.run_to_end();
  REQUIRE(seen.size() == 150);
  for (std::size_t i = 0; i < seen.size(); i += 3) {
    CHECK(std::vector<std::uint32_t>(seen.begin() + static_cast<std::ptrdiff_t>(i),
                                     seen.begin() + static_cast<std::ptrdiff_t>(i) + 3) ==
          std::vector<std::uint32_t>{2, 1, 0});
  }
  CHECK(bench.top().threads[2].done == 50);
  CHECK(bench.top().threads[0].end == 100'000);
}

TEST_CASE("cpu cores: a thread that ended with another has nothing left, and no priority to change", "[bgproc]") {
  for (const bool cancels : {false, true}) {
    CoresBench bench(cpu_of(2, 1));
    bench.enter([cancels](CoresTop& t) {
      t.start(0, 1000);
      t.start(0, 1000);
      t.when_done = [&t, cancels](std::size_t index) {
        if (index != 0) return;
        Computing& other = t.threads[1];
        if (!cancels) return t.cores.set_priority(other.id, as_idle);
        other.cancelled = true;
        other.end = t.threads[0].end;
        CHECK(t.cores.cancel(other.id) == 0);
      };
    });
    CHECK(bench.ends() == Ends{1000, 1000});
  }
}
