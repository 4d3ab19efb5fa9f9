// SPDX-License-Identifier: Apache-2.0
// Waves that drift apart: who does, by how much, and what comes of it, worked out by hand.
#include "engines/shader_array/rules/wave_parts.hpp"

#include "tests/engines/shader_array/array_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Four SMs with room for one group of 1024 threads each; nothing costs anything but memory, of 1 GB/s: 1000 bytes take
/// 1 us.
ShaderArrayConfig four_sms(std::uint32_t parts, double spread) {
  ShaderArrayConfig config;
  config.sms = config.graphics_sms = 4;
  config.clock_mhz = 1000;
  config.threads_per_sm = 1024;
  config.load_latency_ns = 1e-3;
  config.wave_parts = parts;
  config.wave_spread = spread;
  return config;
}

MemoryConfig slow_memory() {
  MemoryConfig memory;
  memory.vram.gb_per_s = 1;
  memory.vram.latency_ns = 0;
  memory.vram.sharing = ChannelSharing::fair;
  memory.vram.contention_exponent = 0;
  return memory;
}

/// Groups of one access of 16 bytes a thread: 16,384 bytes.
Grid reads(std::uint64_t groups) {
  Grid grid = grid_of(groups, {1024, 32, 0}, 0);
  grid.work.vram_bytes = 16 * 1024;
  grid.work.bytes_in_flight_per_thread = 16;
  return grid;
}

/// When the first place falls free, to a group of a higher rank, and when all the others have ended; us.
std::vector<double> freed_and_ended(const ShaderArrayConfig& config, std::uint64_t groups) {
  ArrayBench bench(config, slow_memory());
  Grid other = grid_of(1, {1024, 32, 0}, 0);
  other.priority = 1;
  bench.launch(0, reads(groups));
  bench.launch(1000, other);
  const std::vector<std::uint64_t> ends = bench.run();
  CHECK(bench.all_ended_once());
  return {static_cast<double>(ends.at(1)) / 1e6, static_cast<double>(ends.at(0)) / 1e6};
}

}  // namespace

TEST_CASE("waves that drift apart: dispatches that access memory and have more groups than places", "[engines]") {
  const ShaderArrayConfig config = four_sms(2, 0.5);
  CHECK(drifts(reads(5), config));
  CHECK_FALSE(drifts(reads(4), config));
  CHECK_FALSE(drifts(reads(5), four_sms(1, 0.5)));
  Grid grid = reads(5);
  grid.graphics = true;
  CHECK_FALSE(drifts(grid, config));
  grid = reads(8);
  grid.footprint.threads = 512;  // two of them an SM
  CHECK_FALSE(drifts(grid, config));
  grid = reads(1'000'000);
  grid.work.vram_bytes = 0;
  CHECK_FALSE(drifts(grid, config));
}

TEST_CASE("waves that drift apart: parts are ranges of the SMs, as equal as can be", "[engines]") {
  for (std::uint32_t sms = 1; sms <= 200; ++sms) {
    for (const std::uint32_t parts : {1u, 2u, 3u, 4u, 7u, 64u}) {
      ShaderArrayConfig config;
      config.sms = sms;
      config.wave_parts = parts;
      REQUIRE(wave_parts(config) == std::min(parts, sms));
      std::vector<std::uint32_t> size(wave_parts(config));
      for (std::uint32_t sm = 0; sm < sms; ++sm) {
        const std::uint32_t part = part_of(sm, config);
        REQUIRE(part < size.size());
        ++size[part];
        CHECK((sm == first_of_part(part, config)) == (sm == 0 || part_of(sm - 1, config) != part));
      }
      for (const std::uint32_t one : size) CHECK((one == sms / size.size() || one == sms / size.size() + 1));
    }
  }
}

TEST_CASE("waves that drift apart: what is in flight has a mean of what the threads say", "[engines]") {
  const ShaderArrayConfig config = four_sms(4, 0.3);
  Grid grid = reads(100);
  CHECK(flight_weight(grid, 0, config) == Approx(0.7));
  CHECK(flight_weight(grid, 1, config) == Approx(0.9));
  CHECK(flight_weight(grid, 2, config) == Approx(1.1));
  CHECK(flight_weight(grid, 3, config) == Approx(1.3));
  grid.work.vram_bytes *= 9;  // nine accesses of a thread, one after another
  CHECK(flight_weight(grid, 0, config) == Approx(0.9));
  CHECK(flight_weight(grid, 3, config) == Approx(1.1));
  grid.work.vram_bytes = 1;
  CHECK(flight_weight(grid, 3, config) == Approx(1.3));
}

TEST_CASE("waves that drift apart: a place falls free sooner, and all take no longer", "[engines]") {
  // Four groups have 65.536 bytes: together 65.536 us. Of two parts that keep 1.5 : 0.5 in flight the second has three
  // quarters of the bandwidth, and so its two groups' 32.768 bytes after 43.691 us.
  const auto together = freed_and_ended(four_sms(1, 0.5), 8);
  CHECK(together[0] == Approx(65.536).epsilon(1e-3));
  const auto apart = freed_and_ended(four_sms(2, 0.5), 8);
  CHECK(apart[0] == Approx(32.768 / 0.75).epsilon(1e-3));
  CHECK(together[1] == Approx(2 * 65.536).epsilon(1e-3));
  CHECK(apart[1] == Approx(2 * 65.536).epsilon(1e-3));
  // Without a spread the parts end together.
  CHECK(freed_and_ended(four_sms(2, 0), 8) == together);
  // A grid of one wave does not drift.
  CHECK(freed_and_ended(four_sms(2, 0.5), 4) == freed_and_ended(four_sms(1, 0), 4));
}
