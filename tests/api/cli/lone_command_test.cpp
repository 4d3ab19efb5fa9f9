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
        const LoneCommands::Fit fit = lone.fit(footprint, groups, wanted_ps);
        CAPTURE(threads, registers, groups, fit.group_cycles);
        CHECK(relative(fit.duration_ps, wanted_ps) == Approx(0).margin(0.001));
        const LoneCommands::Fit again = lone.fit(footprint, groups, wanted_ps);
        CHECK(again.group_cycles == fit.group_cycles);
      }
    }
  }
}

TEST_CASE("lone command: what the machine cannot do as fast gets no cycles", "[kineto]") {
  LoneCommands lone(builtin_machine("h200"));
  const LoneCommands::Fit fit = lone.fit({256, 32, 0}, 100000, 1000);
  CHECK(fit.group_cycles == 0);
  CHECK(fit.duration_ps > 1000);
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
