// SPDX-License-Identifier: Apache-2.0
#include "engines/memory.hpp"

#include "sim/now.hpp"
#include "tests/sim/script.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

using namespace fenceline;

namespace {

constexpr std::uint64_t mega = 1'000'000;

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

std::uint64_t passing_ps(std::uint64_t bytes, std::uint64_t gb_per_s) {
  return (bytes * 1000 + gb_per_s - 1) / gb_per_s;
}

using Ends = std::vector<std::uint64_t>;

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

TEST_CASE("memory: L2 serves what is accessed again, as long as the working set stays in it", "[engines]") {
  MemoryConfig config = config_of(1000, 25, 25);
  config.l2_hit_bytes = 40 * mega;
  config.l2_miss_bytes = 50 * mega;
  KernelOf<MemoryTop> bench(config);
  bench.enter([](MemoryTop& top) {
    const Memory& memory = top.memory;
    CHECK(memory.hit_fraction(100 * mega, 0) == 0);            // every byte once
    CHECK(memory.hit_fraction(20 * mega, 20 * mega) == 0);     // first accesses
    CHECK(memory.hit_fraction(100 * mega, 20 * mega) == 0.8);  // all but the first of each byte
    CHECK(memory.hit_fraction(100 * mega, 40 * mega) == 0.6);
    CHECK(memory.hit_fraction(100 * mega, 45 * mega) == Approx(0.55 / 2));
    CHECK(memory.hit_fraction(100 * mega, 50 * mega) == 0);
  });
}

TEST_CASE("memory: hits and misses of a stream wait for the latency they see on average", "[engines]") {
  MemoryConfig config = config_of(1000, 25, 25);
  config.l2.gb_per_s = 1000;
  config.l2_latency_ns = 200;
  const auto ends = [&](double hit_fraction, std::uint64_t bytes_in_flight) {
    KernelOf<MemoryTop> bench(config);
    const auto hits = static_cast<std::uint64_t>(hit_fraction * static_cast<double>(mega));
    bench.enter([&](MemoryTop& top) { top.memory.stream({hits, mega - hits, bytes_in_flight, 800}, top.done()); });
    bench.kernel.run_to_end();
    return bench.top().ends_ps;
  };
  // 1000 bytes at a time: a thousand rounds.
  CHECK(ends(0, 1000) == Ends{1000 * 800'000});
  CHECK(ends(1, 1000) == Ends{1000 * 200'000});
  CHECK(ends(0.5, 1000) == Ends{1000 * 500'000});
  // Many in flight: both channels at once, each with its half.
  CHECK(ends(0, 100 * mega) == Ends{mega});
  CHECK(ends(0.5, 100 * mega) == Ends{mega / 2});
}

TEST_CASE("memory: a device copy that fits L2 runs at its rate, after its setup", "[engines]") {
  MemoryConfig config = config_of(1000, 25, 25);
  config.l2.gb_per_s = 4000;
  config.l2_hit_bytes = config.l2_miss_bytes = 2 * mega;
  config.device_copy_setup_ns = 300;
  CHECK(run(config, {{CopyRoute::device_to_device, mega}}) == Ends{300'000 + passing_ps(2 * mega, 4000)});
  CHECK(run(config, {{CopyRoute::device_to_device, mega + 1}}) == Ends{300'000 + passing_ps(2 * mega + 2, 1000)});
}

TEST_CASE("memory: a copy gets no more of PCIe than the share asked for", "[engines]") {
  for (const CopyRoute route : {CopyRoute::host_to_device, CopyRoute::device_to_host, CopyRoute::host_to_host}) {
    KernelOf<MemoryTop> bench(config_of(1000, 25, 25));
    bench.enter([&](MemoryTop& top) { top.memory.copy(route, mega, 0.8, top.done()); });
    bench.kernel.run_to_end();
    CHECK(bench.top().ends_ps == Ends{passing_ps(mega, 20)});
  }
}
