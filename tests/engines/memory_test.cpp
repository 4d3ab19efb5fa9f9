// SPDX-License-Identifier: Apache-2.0
#include "engines/memory.hpp"

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
      ends_ps[index] = sc_core::sc_time_stamp().value();
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
