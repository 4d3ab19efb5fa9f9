// SPDX-License-Identifier: Apache-2.0
#include "api/workload/load/workload_file.hpp"
#include "api/workload/play/player.hpp"
#include "sim/config/config.hpp"
#include "tests/support/resident_memory.hpp"
#include "tests/support/samples.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("machine: five hundred created, run and destroyed do not make the process grow", "[api]") {
  const auto workload = read_config<Workload>(small_workload(), "small.json");
  const Program program = make_program(workload, "small.json");
  const MachineConfig config = builtin_machine("h200");
  const auto use_one = [&] {
    Machine machine(config);
    Player player(machine, program);
    if (!player.play()) FAIL("the workload did not end");
  };
  constexpr int machines = 500;
  for (int i = 0; i < 100; ++i) use_one();  // the heap finds its size
  const std::uint64_t before = resident_bytes();
  for (int i = 0; i < machines; ++i) use_one();
  const std::uint64_t after = resident_bytes();
  if (sanitized) return;  // a sanitizer keeps freed memory in quarantine
  // Slack for the heap's own unevenness: a leak of a single kilobyte per machine would be 500 KiB.
  constexpr std::uint64_t slack = 256 * 1024;
  INFO("resident before " << before << ", after " << after);
  CHECK(before > 1024 * 1024);
  CHECK(after <= before + slack);
}

TEST_CASE("machine: run_until called again and again does not make the process grow", "[api]") {
  Machine machine(builtin_machine("h200"));
  const ContextId queue = machine.create_queue({"copy", QueueType::copy, QueuePriority::normal, ""});
  const FenceId fence = machine.create_fence("fence");
  std::uint64_t value = 0;
  const auto frames = [&](int count) {
    for (int i = 0; i < count; ++i) {
      machine.signal(queue, fence, ++value);
      if (!machine.run_until(fence, value)) FAIL("the fence did not get there");
    }
  };
  frames(2000);
  const std::uint64_t before = resident_bytes();
  frames(20000);
  if (sanitized) return;
  CHECK(resident_bytes() <= before + 256 * 1024);  // 24 bytes kept for each call would be 480 KiB
}
