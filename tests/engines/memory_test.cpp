// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/memory.hpp"

#include "sim/kernel/now.hpp"
#include "tests/support/script.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

struct MemoryTop : sc_core::sc_module {
  MemoryTop(sc_core::sc_module_name module_name, const MemoryConfig& config)
      : sc_module(module_name), memory("memory", config, log), script("script") {}
  Callback done() {
    const std::size_t index = ends_ps.size();
    ends_ps.push_back(0);
    return script.callback([this, index] {
      CHECK(ends_ps[index] == 0);  // once
      ends_ps[index] = now_ps();
    });
  }
  EventLog log;
  Memory memory;
  Script script;
  std::vector<std::uint64_t> ends_ps;
};

MemoryConfig config_of(double vram, double to_device, double to_host) {
  MemoryConfig config;
  config.vram.gb_per_s = vram;
  config.pcie_to_device.gb_per_s = to_device;
  config.pcie_to_host.gb_per_s = to_host;
  config.device_copy_gb_per_s = 1e6;
  return config;
}

using Copies = std::vector<std::pair<CopyRoute, std::uint64_t>>;
std::vector<std::uint64_t> run(const MemoryConfig& config, const Copies& copies) {
  KernelOf<MemoryTop> bench(config);
  bench.enter([&](MemoryTop& top) {
    for (const auto& [route, bytes] : copies) top.memory.copy(route, bytes, 1, top.done());
  });
  bench.kernel.run_to_end();
  return bench.top().ends_ps;
}

using Ends = std::vector<std::uint64_t>;

/// Rates are whole bytes a second: a byte less than could pass shows in picoseconds.
void check_near(const Ends& found, const Ends& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i] >= expected[i]);
    CHECK(found[i] <= expected[i] + 2);
  }
}

}  // namespace

TEST_CASE("memory: the slowest channel of a route decides", "[engines]") {
  CHECK(run(config_of(1000, 50, 40), {{CopyRoute::host_to_device, 3 * mega}}) == Ends{passing_ps(3 * mega, 50)});
  CHECK(run(config_of(10, 50, 40), {{CopyRoute::host_to_device, 3 * mega}}) == Ends{passing_ps(3 * mega, 10)});
  CHECK(run(config_of(1000, 50, 40), {{CopyRoute::device_to_host, 3 * mega}}) == Ends{passing_ps(3 * mega, 40)});
  CHECK(run(config_of(10, 50, 40), {{CopyRoute::device_to_host, 3 * mega}}) == Ends{passing_ps(3 * mega, 10)});
  CHECK(run(config_of(10, 50, 40), {{CopyRoute::host_to_host, 3 * mega}}) == Ends{passing_ps(3 * mega, 40)});
  CHECK(run(config_of(10, 50, 40), {{CopyRoute::device_to_device, 3 * mega}}) == Ends{passing_ps(6 * mega, 10)});
}

TEST_CASE("memory: a write from PCIe may cost video memory more than its bytes", "[engines]") {
  MemoryConfig config = config_of(80, 50, 40);
  config.pcie_write_vram_cost = 2;
  CHECK(run(config, {{CopyRoute::host_to_device, 3 * mega}}) == Ends{passing_ps(6 * mega, 80)});
  CHECK(run(config, {{CopyRoute::device_to_host, 3 * mega}}) == Ends{passing_ps(3 * mega, 40)});
  config.pcie_write_vram_cost = 0;
  CHECK(run(config, {{CopyRoute::host_to_device, 3 * mega}}) == Ends{passing_ps(3 * mega, 50)});
}

TEST_CASE("memory: one copy within video memory has a rate of its own at most", "[engines]") {
  MemoryConfig config = config_of(1000, 50, 40);
  config.device_copy_gb_per_s = 600;
  CHECK(run(config, {{CopyRoute::device_to_device, 3 * mega}}) == Ends{passing_ps(6 * mega, 600)});
  const std::uint64_t both = passing_ps(12 * mega, 1000);
  CHECK(run(config, {{CopyRoute::device_to_device, 3 * mega}, {CopyRoute::device_to_device, 3 * mega}}) ==
        Ends{both, both});
}

TEST_CASE("memory: PCIe serves each direction in order and both at once", "[engines]") {
  CHECK(
      run(config_of(1000, 50, 40),
          {{CopyRoute::host_to_device, mega}, {CopyRoute::host_to_device, mega}, {CopyRoute::device_to_host, mega}}) ==
      Ends{passing_ps(mega, 50), passing_ps(2 * mega, 50), passing_ps(mega, 40)});
}

TEST_CASE("memory: the latency of the slower channel counts once", "[engines]") {
  MemoryConfig config = config_of(1000, 50, 40);
  config.vram.latency_ns = 400;
  config.pcie_to_device.latency_ns = 900;
  CHECK(run(config, {{CopyRoute::host_to_device, mega}}) == Ends{passing_ps(mega, 50) + 900'000});
  CHECK(run(config, {{CopyRoute::host_to_device, 0}}) == Ends{900'000});
  CHECK(run(config, {{CopyRoute::device_to_device, 0}}) == Ends{400'000});
}

TEST_CASE("memory: fixed-function accesses take video memory's bandwidth", "[engines]") {
  KernelOf<MemoryTop> bench(config_of(100, 50, 40));
  bench.enter([](MemoryTop& top) { top.memory.access_vram(7 * mega, top.done()); });
  bench.kernel.run_to_end();
  CHECK(bench.top().ends_ps == Ends{passing_ps(7 * mega, 100)});
}

TEST_CASE("memory: accesses of threads wait for the latency that they see on average", "[engines]") {
  MemoryConfig config = config_of(1000, 25, 25);
  config.l2.gb_per_s = 1000;
  config.l2.hit_latency_ns = 200;
  config.l2.hit_bytes = config.l2.miss_bytes = mega;
  // A set of which each byte is accessed as often as says which part is accessed again.
  const auto ends = [&](double again, std::uint64_t bytes_in_flight) {
    KernelOf<MemoryTop> bench(config);
    const auto set = static_cast<std::uint64_t>((1 - again) * mega);
    bench.enter([&](MemoryTop& top) {
      top.memory.stream({mega, bytes_in_flight, {0, {AccessedSet{set, mega, 1}, {}}, 800}}, top.done());
    });
    bench.kernel.run_to_end();
    return bench.top().ends_ps;
  };
  // 1000 bytes at a time: a thousand rounds.
  CHECK(ends(0, 1000) == Ends{1000 * 800'000});
  CHECK(ends(0.5, 1000) == Ends{1000 * 500'000});
  check_near(ends(0.875, 1000), {1000 * 275'000});
  // Many in flight: all bytes pass L2, those that miss video memory, too.
  CHECK(ends(0, 100 * mega) == Ends{mega});
  CHECK(ends(0.5, 100 * mega) == Ends{mega});
  config.vram.gb_per_s = 250;
  CHECK(ends(0, 100 * mega) == Ends{4 * mega});
  CHECK(ends(0.5, 100 * mega) == Ends{2 * mega});
  CHECK(ends(0.875, 100 * mega) == Ends{mega});
}

TEST_CASE("memory: a miss takes no less than a hit", "[engines]") {
  MemoryConfig config = config_of(1000, 25, 25);
  config.l2.hit_latency_ns = 500;
  KernelOf<MemoryTop> bench(config);
  bench.enter([&](MemoryTop& top) {
    top.memory.stream({mega, 1000, {0, {AccessedSet{0, mega, 1}, {}}, 100}}, top.done());
  });
  bench.kernel.run_to_end();
  CHECK(bench.top().ends_ps == Ends{1000 * 500'000});
}

TEST_CASE("memory: what L2 serves leaves video memory to others, and what uses up L2 stops all", "[engines]") {
  struct Case {
    double vram;
    double l2;
    Ends ends;
  };
  // A stream and a set that L2 holds but for the first accesses, an eighth: 8 MB each with the same bytes in flight.
  const Case cases[] = {
      // Both go at r: 1.125 r pass video memory, 2 r pass L2, and L2 is enough.
      {900, 4000, {passing_ps(8 * mega, 800), passing_ps(8 * mega, 800)}},
      // L2 is used up first: 2 r = 1000.
      {900, 1000, {passing_ps(8 * mega, 500), passing_ps(8 * mega, 500)}},
      {90, 4000, {passing_ps(8 * mega, 80), passing_ps(8 * mega, 80)}},
  };
  for (const Case& one : cases) {
    MemoryConfig config = config_of(one.vram, 25, 25);
    config.l2.gb_per_s = one.l2;
    config.l2.hit_bytes = config.l2.miss_bytes = 2 * mega;
    KernelOf<MemoryTop> bench(config);
    bench.enter([&](MemoryTop& top) {
      top.memory.stream({8 * mega, 100 * mega, {0, {AccessedSet{0, 8 * mega, 1}, {}}, 100}}, top.done());
      top.memory.stream({8 * mega, 100 * mega, {1, {AccessedSet{mega, 8 * mega, 1}, {}}, 100}}, top.done());
    });
    bench.kernel.run_to_end();
    check_near(bench.top().ends_ps, one.ends);
  }
}

TEST_CASE("memory: a copy that L2 serves gets what a copy in video memory cannot use", "[engines]") {
  MemoryConfig config = config_of(100, 25, 25);
  config.l2.gb_per_s = 1000;
  config.l2.hit_bytes = config.l2.miss_bytes = 18 * mega;
  // 18 MB of L2's traffic at 900 while 20 MB of video memory's go at 100: L2 is full until both are over.
  check_near(run(config, {{CopyRoute::device_to_device, 9 * mega}, {CopyRoute::device_to_device, 10 * mega}}),
             {passing_ps(18 * mega, 900), passing_ps(20 * mega, 100)});
}

TEST_CASE("memory: misses wait for each other longer the more are under way", "[engines]") {
  // Alone, 1000 bytes in flight would take 100 ns: 10 GB/s. With exponent 1 the load of n such adds n * 10 / 40.
  MemoryConfig config = config_of(40, 25, 25);
  config.l2.hit_latency_ns = 100;
  config.vram.contention_exponent = 1;
  for (const std::uint64_t readers : {1u, 2u, 6u}) {
    KernelOf<MemoryTop> bench(config);
    bench.enter([&](MemoryTop& top) {
      for (std::uint32_t i = 0; i < readers; ++i) {
        top.memory.stream({mega, 1000, {i, {AccessedSet{0, mega, 1}, {}}, 100}}, top.done());
      }
    });
    bench.kernel.run_to_end();
    const std::uint64_t round_ps = 100'000 * (4 + readers) / 4;
    for (const std::uint64_t end_ps : bench.top().ends_ps) {
      CHECK(static_cast<double>(end_ps) == Approx(1000.0 * static_cast<double>(round_ps)).epsilon(1e-6));
    }
  }
}

TEST_CASE("memory: readers that miss differently wait for video memory as long at each miss", "[engines]") {
  // One misses always, the other half of the time; 100 ns a hit, 300 a miss. Idle: 1000 / 300 and 1000 / 200 bytes a
  // ns.
  MemoryConfig config = config_of(2, 25, 25);
  config.l2.hit_latency_ns = 100;
  config.l2.hit_bytes = config.l2.miss_bytes = 4 * mega;
  config.vram.contention_exponent = 2;
  KernelOf<MemoryTop> bench(config);
  bench.enter([&](MemoryTop& top) {
    top.memory.stream({mega, 1000, {0, {AccessedSet{0, mega, 1}, {}}, 300}}, top.done());
    top.memory.stream({2 * mega, 1000, {1, {AccessedSet{mega, 2 * mega, 1}, {}}, 300}}, top.done());
  });
  bench.kernel.run_to_end();
  const double demand = 1000.0 / 300 + 0.5 * 1000 / 200;
  const double rate = demand / std::sqrt(1 + std::pow(demand / 2, 2));
  const auto sum_of = [](double wait) { return 1000 / (300 + wait) + 0.5 * 1000 / (200 + 0.5 * wait); };
  double wait = 0;
  while (sum_of(wait) > rate) wait += 0.001;
  const double first_ns = 1e6 / (1000 / (300 + wait));
  CHECK(static_cast<double>(bench.top().ends_ps[0]) == Approx(first_ns * 1e3).epsilon(1e-4));
}

TEST_CASE("memory: a device copy that fits L2 runs at its rate, after its setup", "[engines]") {
  MemoryConfig config = config_of(1000, 25, 25);
  config.l2.gb_per_s = 4000;
  config.l2.hit_bytes = config.l2.miss_bytes = 2 * mega;
  config.device_copy_setup_ns = 300;
  CHECK(run(config, {{CopyRoute::device_to_device, mega}}) == Ends{300'000 + passing_ps(2 * mega, 4000)});
  CHECK(run(config, {{CopyRoute::device_to_device, mega + 1}}) == Ends{300'000 + passing_ps(2 * mega + 2, 1000)});
}

namespace {

/// Between an L2 of 4000 GB/s that holds 2 MB and video memory of 1000, 2000 GB/s that hold 20 MB.
MemoryConfig with_cache() {
  MemoryConfig config = config_of(1000, 25, 25);
  config.l2.gb_per_s = 4000;
  config.l2.hit_bytes = config.l2.miss_bytes = 2 * mega;
  CacheConfig cache;
  cache.name = "l3";
  cache.gb_per_s = 2000;
  cache.hit_bytes = cache.miss_bytes = 20 * mega;
  config.caches = {cache};
  return config;
}

}  // namespace

TEST_CASE("memory: a device copy runs at the rate of the first cache that it fits", "[engines]") {
  MemoryConfig config = with_cache();
  CHECK(run(config, {{CopyRoute::device_to_device, mega}}) == Ends{passing_ps(2 * mega, 4000)});
  CHECK(run(config, {{CopyRoute::device_to_device, mega + 1}}) == Ends{passing_ps(2 * mega + 2, 2000)});
  CHECK(run(config, {{CopyRoute::device_to_device, 11 * mega}}) == Ends{passing_ps(22 * mega, 1000)});
  // What the cache serves leaves video memory to others: 1000 of its 2000 GB/s are left.
  CHECK(run(config, {{CopyRoute::device_to_device, 9 * mega}, {CopyRoute::device_to_device, 18 * mega}}) ==
        Ends{passing_ps(18 * mega, 1000), passing_ps(36 * mega, 1000)});
  config.device_copy_gb_per_s = 500;  // of those that no cache holds
  CHECK(run(config, {{CopyRoute::device_to_device, 9 * mega}}) == Ends{passing_ps(18 * mega, 2000)});
  CHECK(run(config, {{CopyRoute::device_to_device, 11 * mega}}) == Ends{passing_ps(22 * mega, 500)});
}

TEST_CASE("memory: a transfer has the latency of each level that it passes", "[engines]") {
  MemoryConfig config = with_cache();
  config.l2.latency_ns = 1;
  config.caches->at(0).latency_ns = 20;
  config.vram.latency_ns = 300;
  CHECK(run(config, {{CopyRoute::device_to_device, mega}}) == Ends{passing_ps(2 * mega, 4000) + 1000});
  CHECK(run(config, {{CopyRoute::device_to_device, 2 * mega}}) == Ends{passing_ps(4 * mega, 2000) + 21'000});
  CHECK(run(config, {{CopyRoute::device_to_device, 11 * mega}}) == Ends{passing_ps(22 * mega, 1000) + 321'000});
}

TEST_CASE("memory: at each level that has much to move its accesses wait", "[engines]") {
  MemoryConfig config = config_of(40, 25, 25);
  CacheConfig cache;
  cache.name = "l3";
  cache.gb_per_s = 40;
  cache.contention_exponent = 1;
  cache.hit_latency_ns = 100;
  config.caches = {cache};
  config.l2.hit_latency_ns = 100;
  const auto ns_a_round = [&] {
    KernelOf<MemoryTop> bench(config);
    bench.enter([](MemoryTop& top) {
      top.memory.stream({mega, 1000, {0, {AccessedSet{0, mega, 1}, {}}, 100}}, top.done());
    });
    bench.kernel.run_to_end();
    return static_cast<double>(bench.top().ends_ps[0]) / 1e6;
  };
  CHECK(ns_a_round() == Approx(100 * 1.25).epsilon(1e-6));  // 10 GB/s asked of 40
  config.vram.contention_exponent = 1;
  CHECK(ns_a_round() == Approx(100 * 1.25 * 1.2).epsilon(1e-6));  // and 8 that video memory gives of 40
}

TEST_CASE("memory: a copy gets no more of PCIe than the share asked for", "[engines]") {
  for (const CopyRoute route : {CopyRoute::host_to_device, CopyRoute::device_to_host, CopyRoute::host_to_host}) {
    KernelOf<MemoryTop> bench(config_of(1000, 25, 25));
    bench.enter([&](MemoryTop& top) { top.memory.copy(route, mega, 0.8, top.done()); });
    bench.kernel.run_to_end();
    CHECK(bench.top().ends_ps == Ends{passing_ps(mega, 20)});
  }
}
