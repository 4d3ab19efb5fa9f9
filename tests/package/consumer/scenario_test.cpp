// SPDX-License-Identifier: Apache-2.0
// A stranger's regression test of a scenario of their own.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <fenceline/fenceline.hpp>

#include <string>

using namespace fenceline;

TEST_CASE("a compositor waits 50 us at most beside a heavy frame if the 3D engine stops inside shaders") {
  const std::string finer = "/submission_paths/vulkan_queue/graphics/finest_preemption=shader_boundary";
  Machine machine(load_machine("h200", "", {finer}));
  PacketTimes times(machine.log());
  const auto game = machine.create_queue({"game", QueueType::direct});
  const auto compositor = machine.create_queue({"compositor", QueueType::direct, QueuePriority::global_realtime});
  machine.execute(game, StreamBuilder("frame").dispatch(compute_pipeline("light", 100'000), 50'000).finish());
  machine.advance_to(100'000'000);  // 100 us
  machine.execute(compositor, StreamBuilder("compose").dispatch(compute_pipeline("blend", 500), 60).finish());
  REQUIRE(machine.run());
  CHECK(times.of_list("compose").waited_us() < 50);
}
