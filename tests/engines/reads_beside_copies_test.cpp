// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/memory.hpp"
#include "sim/kernel/now.hpp"
#include "tests/support/script.hpp"
#include "tests/support/units.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {
using Ends = std::vector<std::uint64_t>;
struct MemoryTop : sc_core::sc_module {
  MemoryTop(sc_core::sc_module_name module_name, const MemoryConfig& config)
      : sc_module(module_name), memory("memory", config, log), script("script") {}
  Callback done() {
    ends_ps.push_back(0);
    return script.callback([this, index = ends_ps.size() - 1] { ends_ps[index] = now_ps(); });
  }
  EventLog log;
  Memory memory;
  Script script;
  Ends ends_ps;
};

/// A hit and a miss take 100 ns: 1000 bytes in flight ask for 10 GB/s. L2 is never used up.
MemoryConfig config_of(double exponent, double vram, double to_device, double to_host) {
  MemoryConfig config;
  config.vram.gb_per_s = vram;
  config.vram.contention_exponent = exponent;
  config.pcie_to_device.gb_per_s = to_device;
  config.pcie_to_host.gb_per_s = to_host;
  config.device_copy_gb_per_s = 1e6;
  config.l2.gb_per_s = 1e6;
  config.l2.hit_latency_ns = 100;
  return config;
}

struct CopyOf {
  CopyRoute route;
  std::uint64_t bytes;
  double share = 1;
};
struct Reader {
  std::uint64_t bytes, in_flight, set = 0;  // no set: each access misses
};

using Copies = std::vector<CopyOf>;
/// When the readers end and then when the copies do; all begin at once.
Ends run(const MemoryConfig& config, const std::vector<Reader>& readers, const Copies& copies) {
  KernelOf<MemoryTop> bench(config);
  bench.enter([&](MemoryTop& top) {
    std::uint32_t grid = 0;
    for (const Reader& r : readers) {
      top.memory.stream({r.bytes, r.in_flight, {grid++, {AccessedSet{r.set, r.bytes, 1}, {}}, 100}}, top.done());
    }
    for (const CopyOf& c : copies) top.memory.copy(c.route, c.bytes, c.share, top.done());
  });
  bench.kernel.run_to_end();
  return bench.top().ends_ps;
}

void check_us(const Ends& ends_ps, const std::vector<double>& expected_us) {
  REQUIRE(ends_ps.size() >= expected_us.size());
  for (std::size_t i = 0; i < expected_us.size(); ++i) {
    CHECK(static_cast<double>(ends_ps[i]) == Approx(expected_us[i] * 1e6).epsilon(1e-4));
  }
}

constexpr CopyRoute to_device = CopyRoute::host_to_device;
constexpr CopyRoute to_host = CopyRoute::device_to_host;
constexpr CopyRoute within = CopyRoute::device_to_device;
}  // namespace

TEST_CASE("reads beside copies: a copy over PCIe takes its rate from what is left", "[engines]") {
  check_us(run(config_of(1, 60, 20, 20), {{mega, 1000}}, {}), {700.0 / 6});  // alone: 1 + 10 / 60
  // left = 60 - 20 = 40: 1 + 10 / 40, 1000 rounds of 125 ns. The copy: 4 MB / 20.
  check_us(run(config_of(1, 60, 20, 5), {{mega, 1000}}, {{to_device, 4 * mega}}), {125, 200});
  check_us(run(config_of(1, 60, 5, 20), {{mega, 1000}}, {{to_host, 4 * mega}}), {125, 200});
  check_us(run(config_of(1, 60, 40, 5), {{mega, 1000}}, {{to_device, 4 * mega, 0.5}}), {125, 200});  // 40 x 0.5
  // 30 asked, left = 40: sqrt(1 + (3 / 4)^2) = 5 / 4.
  check_us(run(config_of(2, 60, 20, 5), {{3 * mega, 3000}}, {{to_device, 4 * mega}}), {125, 200});
  check_us(run(config_of(2, 60, 5, 20), {{3 * mega, 3000}}, {{to_host, 4 * mega}}), {125, 200});
}

TEST_CASE("reads beside copies: what comes over PCIe takes its cost and its part at most", "[engines]") {
  // 1.5 x 20 = 30 taken of 70, left = 40: 1 + 10 / 40 and sqrt(1 + (30 / 40)^2).
  MemoryConfig config = config_of(1, 70, 20, 30);
  config.pcie_write_vram_cost = 1.5;
  check_us(run(config, {{mega, 1000}}, {{to_device, 4 * mega}}), {125, 200});
  check_us(run(config, {{mega, 1000}}, {{to_host, 6 * mega}}), {125, 200});  // 70 - 30 as well, at cost 1
  config.vram.contention_exponent = 2;
  check_us(run(config, {{3 * mega, 3000}}, {{to_device, 4 * mega}}), {125, 200});
  // Its part by bytes in flight: 40 x 1000 / (1000 + 1000) = 20 < 35 taken, left = 20: 1 + 10 / 20.
  config = config_of(1, 40, 35, 35);
  config.copy_bytes_in_flight = 1000;
  check_us(run(config, {{mega, 1000}}, {{to_device, 10 * mega}}), {150});
  check_us(run(config, {{mega, 1000}}, {{to_host, 10 * mega}}), {150});
  // 500 in flight at cost 2: 2 x 40 x 500 / (500 x 2 + 1000) = 20 taken, the same.
  config.pcie_write_vram_cost = 2;
  check_us(run(config, {{mega, 1000}}, {{to_device, 10 * mega}}), {150});
  // A limit of 8 is below 40 x 500 / 2000 = 10: 16 taken, left = 24: 1 + 10 / 24. The copy: 4 MB / 8.
  config.pcie_to_device.gb_per_s = 8;
  check_us(run(config, {{mega, 1000}}, {{to_device, 4 * mega}}), {3400.0 / 24, 500});
}

TEST_CASE("reads beside copies: a device copy takes its own rate or its part by bytes in flight", "[engines]") {
  // Its own rate: left = 80 - 40 = 40: 1 + 10 / 40 and sqrt(1 + (30 / 40)^2). The copy: 2 x 4 MB / 40.
  MemoryConfig config = config_of(1, 80, 5, 5);
  config.device_copy_gb_per_s = 40;
  check_us(run(config, {{mega, 1000}}, {{within, 4 * mega}}), {125, 200});
  config.vram.contention_exponent = 2;
  check_us(run(config, {{3 * mega, 3000}}, {{within, 4 * mega}}), {125, 200});
  // Its part: 80 x 3000 / (3000 + 1000) = 60, left = 20: 1 + 10 / 20. In all 1 MB + 2 x 20 MB at 80.
  config = config_of(1, 80, 5, 5);
  config.copy_bytes_in_flight = 3000;
  check_us(run(config, {{mega, 1000}}, {{within, 20 * mega}}), {150, 41.0 / 80 * 1000});
  // 80 x 3000 / (3000 + 3000) = 40, left = 40: sqrt(1 + (30 / 40)^2). In all 3 MB + 2 x 20 MB at 80.
  config.vram.contention_exponent = 2;
  check_us(run(config, {{3 * mega, 3000}}, {{within, 20 * mega}}), {125, 43.0 / 80 * 1000});
}

TEST_CASE("reads beside copies: copies of both directions take together", "[engines]") {
  // left = 80 - 30 - 10 = 40: 1 + 10 / 40 and sqrt(1 + (30 / 40)^2).
  const Copies copies{{to_device, 6 * mega}, {to_host, 2 * mega}};
  check_us(run(config_of(1, 80, 30, 10), {{mega, 1000}}, copies), {125, 200, 200});
  check_us(run(config_of(2, 80, 30, 10), {{3 * mega, 3000}}, copies), {125, 200, 200});
  // Each one's part is 60 x 1000 / 3000 = 20: 20 + 10 taken, left = 30: 1 + 10 / 30. Both copies have all of PCIe.
  MemoryConfig config = config_of(1, 60, 30, 10);
  config.copy_bytes_in_flight = 1000;
  check_us(run(config, {{mega, 1000}}, copies), {400.0 / 3, 200, 200});
}

TEST_CASE("reads beside copies: reads go faster once a copy has ended", "[engines]") {
  // 50 us at 1000 / 125 = 8: 0.4 MB. 0.6 MB are 600 rounds of 100 x 7 / 6 ns: 70 us.
  check_us(run(config_of(1, 60, 20, 5), {{mega, 1000}}, {{to_device, mega}}), {120, 50});
  // 50 us at 3000 / 125 = 24: 1.2 MB. 1.8 MB are 600 rounds of 100 x sqrt(1 + (30 / 60)^2) ns.
  check_us(run(config_of(2, 60, 5, 20), {{3 * mega, 3000}}, {{to_host, mega}}), {50 + 60 * std::sqrt(1.25), 50});
  // left 40: 50 us at 8; left 70: 40 us at 1000 / (100 x 8 / 7) = 8.75; left 80: 250 rounds of 100 x 9 / 8 ns.
  check_us(run(config_of(1, 80, 30, 10), {{mega, 1000}}, {{to_device, mega * 3 / 2}, {to_host, mega * 9 / 10}}),
           {118.125, 50, 90});
}

TEST_CASE("reads beside copies: two readers beside one copy count as far as they miss", "[engines]") {
  // 10 + 20 asked, left = 80 - 20 = 60: rounds of 100 x (1 + 30 / 60) = 150 ns, 1000 of the first: 150 us.
  // The second has 2 MB left: 1000 rounds of 100 x (1 + 20 / 60) ns.
  MemoryConfig config = config_of(1, 80, 20, 5);
  check_us(run(config, {{mega, 1000}, {4 * mega, 2000}}, {{to_device, 8 * mega}}), {150, 850.0 / 3, 400});
  // Of two the second misses half of the time. Part of the copy: 75 x 4500 / (4500 + 1000 + 0.5 x 1000) = 56.25,
  // left = 18.75; 10 + 5 asked: 15 / (1 + 15 / 18.75) = 8.333 together. Each miss waits 100 ns more:
  // 1000 / (100 + 100) + 0.5 x 1000 / (100 + 0.5 x 100) = 5 + 3.333. The first: 1 MB / 5.
  config = config_of(1, 75, 5, 5);
  config.copy_bytes_in_flight = 4500;
  config.l2.hit_bytes = config.l2.miss_bytes = 30 * mega;  // holds the set and what the others stream meanwhile
  check_us(run(config, {{mega, 1000}, {2 * mega, 1000, mega}}, {{within, 20 * mega}}), {200});
}

TEST_CASE("reads beside copies: without growth reads are not slowed while there is room", "[engines]") {
  // 1000 rounds of 100 ns beside 20 of 60 and beside a device copy whose part leaves 20 of 80.
  check_us(run(config_of(0, 60, 20, 5), {{mega, 1000}}, {{to_device, 4 * mega}}), {100, 200});
  MemoryConfig config = config_of(0, 80, 5, 5);
  config.copy_bytes_in_flight = 3000;
  check_us(run(config, {{mega, 1000}}, {{within, 20 * mega}}), {100, 41.0 / 80 * 1000});
  check_us(run(config_of(0, 60, 20, 5), {{4 * mega, 30000}}, {{to_device, 4 * mega}}), {100, 200});  // no room: 40
}

TEST_CASE("reads beside copies: a copy never helps a reader and less so with more of PCIe", "[engines]") {
  std::mt19937 random(20240607);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const double exponent = std::floor(between(1, 5)), vram = between(100, 1000), pcie = between(10, 60);
    MemoryConfig config = config_of(exponent, vram, pcie, pcie);
    config.pcie_write_vram_cost = between(1, 2);
    config.copy_bytes_in_flight = static_cast<std::uint32_t>(between(1000, 100'000));
    const auto in_flight = static_cast<std::uint64_t>(between(1000, 100'000));
    const CopyRoute route = between(0, 1) < 0.5 ? to_device : to_host;
    const double less = between(0.05, 1), more = between(less, 1);
    const double copy = config.copy_bytes_in_flight, reader = static_cast<double>(in_flight);
    const auto expected_us = [&](double share) {  // by the rule; the copy lasts longer
      const double each = route == to_device ? config.pcie_write_vram_cost : 1;
      const double taken = each * std::min(pcie * share, vram * copy / each / (copy + reader));
      return 1e8 / reader * std::pow(1 + std::pow(reader / 100 / (vram - taken), exponent), 1 / exponent) / 1e3;
    };
    double before_ps = 0;
    for (const double share : {0.0, less, more}) {
      const Ends ends_ps = run(config, {{mega, in_flight}}, Copies(share > 0 ? 1 : 0, {route, 1000 * mega, share}));
      check_us(ends_ps, {expected_us(share)});
      CHECK(static_cast<double>(ends_ps[0]) >= before_ps * (1 - 1e-6));
      before_ps = static_cast<double>(ends_ps[0]);
    }
  }
}
