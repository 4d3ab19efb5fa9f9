// SPDX-License-Identifier: Apache-2.0
#include "api/import/lone_command.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

using namespace fenceline;

namespace {

double relative(std::uint64_t found, std::uint64_t wanted) {
  return static_cast<double>(found) / static_cast<double>(wanted) - 1;
}

}  // namespace

TEST_CASE("lone command: dispatches of many shapes are fitted to their time", "[kineto]") {
  LoneCommands lone(builtin_machine("h200"));
  for (const std::uint32_t threads : {32u, 128u, 384u, 1024u}) {
    for (const std::uint32_t registers : {16u, 64u}) {
      for (const std::uint64_t groups : {1u, 131u, 133u, 5000u}) {
        const GroupFootprint footprint{threads, registers, threads * 16};
        constexpr std::uint64_t wanted_ps = 1'000'000'000;
        for (const std::uint32_t in_flight : {1u, 16u, 96u}) {
          const LoneCommands::Fit fit = lone.fit(footprint, groups, wanted_ps, {in_flight});
          CAPTURE(threads, registers, groups, in_flight, fit.work.vram_bytes);
          CHECK(relative(fit.duration_ps, wanted_ps) == Approx(0).margin(0.001));
          CHECK(fit.work.bytes_in_flight_per_thread == in_flight);
          CHECK(fit.work.cycles == 0);
          CHECK(lone.fit(footprint, groups, wanted_ps, {in_flight}).work.vram_bytes == fit.work.vram_bytes);
        }
      }
    }
  }
}

TEST_CASE("lone command: what the machine cannot do as fast gets no work", "[kineto]") {
  LoneCommands lone(builtin_machine("h200"));
  const LoneCommands::Fit fit = lone.fit({256, 32, 0}, 100000, 1000, {16});
  CHECK(fit.work.cycles == 0);
  CHECK(fit.work.vram_bytes == 0);
  CHECK(fit.duration_ps > 1000);
}

TEST_CASE("lone command: what ends before any access to memory would is busy with cycles", "[kineto]") {
  const MachineConfig machine = builtin_machine("h200");
  LoneCommands lone(machine);
  // A group's accesses take 1336 ns however few they are.
  const LoneCommands::Fit quick = lone.fit({128, 32, 0}, 1, 1'200'000, {16});
  CHECK(quick.work.vram_bytes == 0);
  CHECK(static_cast<double>(quick.work.cycles) == Approx(1.2 * machine.shader_array.clock_mhz).epsilon(0.2));
  CHECK(relative(quick.duration_ps, 1'200'000) == Approx(0).margin(0.001));
  const LoneCommands::Fit longer = lone.fit({128, 32, 0}, 1, 4'000'000, {16});
  CHECK(longer.work.cycles == 0);
  CHECK(longer.work.vram_bytes > 0);
}

TEST_CASE("lone command: a copy takes what its bytes take", "[kineto]") {
  const MachineConfig machine = builtin_machine("h200");
  LoneCommands lone(machine);
  constexpr std::uint64_t bytes = 1 << 30;
  const double wanted_ps = static_cast<double>(bytes) / machine.memory.pcie_to_device.gb_per_s * 1e3;
  const std::uint64_t ps = lone.duration_ps(CopyBuffer{CopyRoute::host_to_device, bytes});
  CHECK(static_cast<double>(ps) == Approx(wanted_ps).epsilon(0.001));
  CHECK(lone.duration_ps(Clear{bytes}) < lone.duration_ps(CopyBuffer{CopyRoute::device_to_device, bytes}));
}
