// SPDX-License-Identifier: Apache-2.0
#include "api/report/packet_times.hpp"

#include "api/machine.hpp"
#include "api/stream_builder.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

using namespace fenceline;
using Catch::Contains;

TEST_CASE("packet times: a list is found by its name and by its packet", "[api]") {
  Machine machine(builtin_machine("tiny"));
  const PacketTimes times(machine.log());
  const ContextId queue = machine.create_queue({"game", QueueType::direct});
  const auto list = StreamBuilder("list").dispatch(compute_pipeline("cs", 1000), 4).finish();
  const std::uint64_t first = machine.execute(queue, list);
  const std::uint64_t second = machine.execute(queue, list);
  const std::uint64_t other =
      machine.execute(queue, StreamBuilder("other").dispatch(compute_pipeline("cs", 10), 1).finish());
  REQUIRE(machine.run());

  CHECK(&times.of_list("list") == &times.of_packet(first));
  CHECK(&times.of_list("list", 1) == &times.of_packet(second));
  CHECK(times.of_packet(other).list == "other");
  CHECK(times.of_packet(other).queue == "game");
  REQUIRE(times.of_queue("game").size() == 3);
  CHECK(times.of_queue("game")[1].packet == second);
  CHECK(times.of_queue("editor").empty());
  CHECK_THROWS_WITH(times.of_list("lost"), Contains("\"lost\"") && Contains("\"list\", \"other\""));
  CHECK_THROWS_WITH(times.of_list("list", 2), Contains("more than 2") && Contains("found 2"));
  CHECK_THROWS_AS(times.of_packet(other + 1), std::out_of_range);
}

TEST_CASE("packet times: waiting, running and being stopped make up a packet's time", "[api]") {
  MachineConfig config = builtin_machine("h200");
  config.scheduler.policy = SchedulingPolicy::strict_priority;
  for (NodeConfig& node : config.engines) {
    if (auto* engine = std::get_if<ComputeEngineConfig>(&node)) engine->hardware_queues = 1;
  }
  Machine machine(config);
  const PacketTimes times(machine.log());
  const ContextId low = machine.create_queue({"low", QueueType::compute});
  const ContextId high = machine.create_queue({"high", QueueType::compute, QueuePriority::high});
  const auto long_packet =
      machine.execute(low, StreamBuilder("long").dispatch(compute_pipeline("cs", 100'000), 132 * 64).finish());
  machine.advance_to(100'000'000);
  const auto short_packet =
      machine.execute(high, StreamBuilder("short").dispatch(compute_pipeline("cs", 1000), 1).finish());
  CHECK_FALSE(times.of_packet(long_packet).complete);
  CHECK_THROWS_WITH(times.of_list("long"), Contains("found 0"));
  REQUIRE(machine.run());

  const PacketTime& victim = times.of_packet(long_packet);
  const PacketTime& winner = times.of_packet(short_packet);
  CHECK(victim.complete);
  CHECK(victim.preemptions == 1);
  CHECK(victim.preempted_ps >= winner.ran_ps());
  CHECK(winner.preemptions == 0);
  CHECK(winner.submitted_ps == 100'000'000);
  CHECK(winner.waited_ps() == winner.started_ps - 100'000'000);
  CHECK(winner.end_us() < victim.end_us());
  for (const PacketTime* time : {&victim, &winner}) {
    CHECK(time->submitted_ps <= time->started_ps);
    CHECK(time->finished_ps <= time->completed_ps);
    REQUIRE_FALSE(time->pieces.empty());
    CHECK(time->pieces.front().first == time->started_ps);
    CHECK(time->pieces.back().second == time->finished_ps);
    CHECK(time->waited_ps() + time->ran_ps() + time->preempted_ps == time->finished_ps - time->submitted_ps);
  }
}

TEST_CASE("packet times: a log goes on without them", "[api]") {
  Machine machine(builtin_machine("tiny"), InvariantChecks::off);
  std::optional<PacketTimes> times(std::in_place, machine.log());
  CHECK(machine.log().enabled());
  times.reset();
  CHECK_FALSE(machine.log().enabled());
}
