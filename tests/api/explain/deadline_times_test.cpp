// SPDX-License-Identifier: Apache-2.0
// Where report.json says that the time of a deadline's packet went, where that is known by construction.
#include "tests/api/explain/known_causes.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

constexpr std::uint64_t us_ps = 1'000'000;

/// All that is told of a packet's time is its time.
void check_sum(const json& packet, std::uint64_t finished_us) {
  auto sum = packet["submitted_ps"].get<std::uint64_t>();
  for (const char* part : {"queued_ps", "fence_ps", "memory_ps", "engine_wait_ps", "running_ps", "preempted_ps"}) {
    sum += packet[part].get<std::uint64_t>();
  }
  CAPTURE(packet.dump());
  CHECK(sum == finished_us * us_ps);
}

}  // namespace

TEST_CASE("deadline times: a wait before the packet in its queue is a wait for a fence", "[explain][cli]") {
  KnownCause known;
  known.fence("f1");
  known.fence("f2");
  for (const char* name : {"otter", "newt", "crow"})
    known.queue(name, name == std::string("otter") ? "direct" : "compute");
  known.list("c", 500, "compute");
  known.list("n", 10, "compute");
  known.list("o", 10);
  known.cpu("boss",
            {execute_on("crow", "c"), signal_on("crow", "f2"), wait_on("newt", "f2"), execute_on("newt", "n"),
             signal_on("newt", "f1"), wait_on("otter", "f1"), execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run();
  // 500 + 10 us before f1 is there.
  const json packet = known.packet();
  CHECK(packet["fence_ps"] == 510 * us_ps);
  CHECK(packet["queued_ps"] == 0);
  CHECK(packet["running_ps"] == 10 * us_ps);
  check_sum(packet, 520);
  CHECK_THAT(known.explain(), Contains("         510.000 us waiting for a fence\n"));
}

TEST_CASE("deadline times: a list behind the wait is waited for by itself", "[explain][cli]") {
  KnownCause known;
  known.fence("f");
  known.queue("otter");
  known.list("before", 40);
  known.list("o", 10);
  known.cpu("boss", {execute_on("otter", "before"), wait_on("otter", "f"), execute_on("otter", "before"),
                     execute_on("otter", "o"), signal_on("otter", "done")});
  known.cpu("clerk", {work(100), cpu_signal("f")});
  known.deadline("done", 50);
  known.run();
  // The first list is over at 40, the fence there at 100; the other one runs to 140 with the packet behind it on the
  // hardware.
  const json packet = known.packet();
  CHECK(packet["fence_ps"] == 100 * us_ps);
  CHECK(packet["queued_ps"].get<std::uint64_t>() + packet["engine_wait_ps"].get<std::uint64_t>() == 40 * us_ps);
  CHECK(packet["running_ps"] == 10 * us_ps);
  check_sum(packet, 150);
}

TEST_CASE("deadline times: a fence whose signaller waits for the engine", "[explain][cli]") {
  KnownCause known;
  known.fence("f");
  known.process("oo", "realtime");
  known.process("nn");
  known.process("hh");
  known.queue("otter", "direct", {{"process", "oo"}, {"priority", "high"}});
  known.queue("newt", "direct", {{"process", "nn"}});
  known.queue("hog", "direct", {{"process", "hh"}});
  known.list("h", 500);
  known.list("n", 10);
  known.list("o", 10);
  known.cpu("boss", {execute_on("hog", "h"), sleep_until(10), execute_on("newt", "n"), signal_on("newt", "f"),
                     wait_on("otter", "f"), execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run();
  // The hog has the engine to 500, n to 510: from 10 on the packet waits for that.
  CHECK(known.packet()["fence_ps"] == 500 * us_ps);
  CHECK(known.packet()["queued_ps"] == 0);
  check_sum(known.packet(), 520);
}

TEST_CASE("deadline times: memory that moves is no fence", "[explain][cli]") {
  KnownCause known;
  known.fence("n");
  known.queue("otter");
  known.queue("newt");
  json steps = json::array();
  for (int i = 0; i < 4; ++i) {
    const std::string list = "u" + std::to_string(i);
    known.list(list, 10);
    known.uses(list, "big" + std::to_string(i), 600);
    if (i < 3) steps.push_back(execute_on("newt", list));
  }
  for (const json& step :
       {signal_on("newt", "n"), cpu_wait("n"), execute_on("otter", "u3"), signal_on("otter", "done")}) {
    steps.push_back(step);
  }
  known.cpu("boss", steps);
  known.deadline("done", 100);
  known.run({"--set", "/video_memory/residency=allocation_list", "--set", "/video_memory/over_commit=page"});
  const json packet = known.packet();
  CHECK(packet["fence_ps"] == 0);
  // 600 MiB go out and 600 MiB come in, at 10 GB/s; beside that a page's time at most.
  const std::uint64_t moves = 2 * (std::uint64_t{600} << 20) * 100;
  CHECK(packet["memory_ps"] >= moves);
  CHECK(packet["memory_ps"] <= moves + 50 * us_ps);
  CHECK_THAT(known.explain(), Contains(" us waiting for video memory\n") && !Contains("waiting for a fence"));
}

TEST_CASE("deadline times: what ran while the packet was stopped", "[explain][cli]") {
  KnownCause known;
  known.process("oo");
  known.process("nn", "realtime");
  known.queue("otter", "direct", {{"process", "oo"}});
  known.queue("newt", "direct", {{"process", "nn"}, {"priority", "high"}});
  known.list("long", 300);
  known.list("o", 60);
  known.cpu("boss",
            {execute_on("otter", "o"), signal_on("otter", "done"), sleep_until(20), execute_on("newt", "long")});
  known.deadline("done", 100);
  known.run({"--set", "/engines/0/compute_preemption/granularity=thread_group_boundary"});
  // It is stopped at 21, the end of a group, and goes on at 321.
  const json packet = known.packet();
  CHECK(packet["preempted_ps"] == 300 * us_ps);
  CHECK(packet["meanwhile"] == json::parse(R"([{"list": "long", "ps": 300000000}])"));
  check_sum(packet, 360);
}

TEST_CASE("deadline times: state that is saved meanwhile is told", "[explain][cli]") {
  KnownCause known;
  known.process("oo", "realtime");
  known.process("nn");
  known.queue("otter", "direct", {{"process", "oo"}, {"priority", "high"}});
  known.queue("newt", "direct", {{"process", "nn"}});
  known.list("long", 300);
  known.list("o", 10);
  known.cpu("boss",
            {execute_on("newt", "long"), sleep_until(50), execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run({"--set", "/engines/0/compute_preemption/granularity=thread_group_boundary", "--set",
             "/engines/0/context_state/save_us=200"});
  // From 50 on a group ends in a microsecond, and the state is saved in 200.
  const json packet = known.packet();
  CHECK(packet["engine_wait_ps"] == 201 * us_ps);
  CHECK(packet["meanwhile"] == json::parse(R"([{"list": "long", "ps": 200000000, "moved": "save"},
                                               {"list": "long", "ps": 1000000}])"));
  CHECK_THAT(known.explain(), Contains("meanwhile    adapter.3d0 saved the state of list \"long\" for 200.000 us\n"
                                       "meanwhile    adapter.3d0 ran list \"long\" for 1.000 us\n"));
}
