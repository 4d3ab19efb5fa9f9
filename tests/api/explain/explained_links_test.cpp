// SPDX-License-Identifier: Apache-2.0
// `fenceline explain` of lists in pieces, of state that is saved, of frames and of waits on the hardware.
#include "tests/api/explain/known_causes.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

TEST_CASE("explain: a wait is behind a list in pieces until the last one is submitted", "[explain][cli]") {
  for (const double raised_us : {30.0, 150.0}) {
    CAPTURE(raised_us);
    KnownCause known;
    known.fence("f");
    known.queue("otter");
    known.list("o", 100, "direct", 2);
    known.list("p", 10);
    known.cpu("boss", {execute_on("otter", "o"), wait_on("otter", "f"), execute_on("otter", "p"),
                       sleep_until(raised_us), cpu_signal("f"), signal_on("otter", "done")});
    // One command a piece: from 0 to 100, and to 200.
    known.run({"--set", "/scheduler/dma_buffer_kib=1", "--set", "/scheduler/dma_command_bytes=1024"});
    CHECK(known.explain({"--packet", "2", "--at", "50"}) ==
          "at 50.000 us\n"
          "otter        packet 2, wait for \"f\" at 1: stood behind packet 1 of its queue, until 100.000 us\n"
          "otter        packet 1, list \"o\": ran on 3d0, until 100.000 us\n");
    if (raised_us < 100) continue;
    CHECK(known.explain({"--packet", "2", "--at", "120"}) ==
          "at 120.000 us\n"
          "otter        packet 2, wait for \"f\" at 1: waited for fence \"f\" at 1, which CPU thread \"boss\" raises, "
          "until "
          "150.000 us\n"
          "boss         CPU thread: slept, until 150.000 us\n");
  }
}

TEST_CASE("explain: a packet whose state is saved is told for whom it was stopped", "[explain][cli]") {
  for (const char* const save_us : {"20", "35"}) {
    KnownCause known;
    known.process("oo", "realtime");
    known.process("nn");
    known.queue("otter", "compute", {{"process", "oo"}});
    known.queue("newt", "compute", {{"process", "nn"}});
    known.list("n", 300, "compute");
    known.list("o", 10, "compute");
    known.cpu("boss",
              {execute_on("newt", "n"), sleep_until(50.5), execute_on("otter", "o"), signal_on("otter", "done")});
    known.run({"--set", "/engines/1/compute_preemption/granularity=thread_group_boundary", "--set",
               "/engines/1/context_state/bytes=0", "--set",
               std::string("/engines/1/context_state/save_us=") + save_us});
    // The groups of that microsecond end at 51.
    const std::string end = save_us == std::string("20") ? "71.000 us\n" : "86.000 us\n";
    CHECK(known.explain({"--queue", "newt", "--at", "60"}) ==
          "at 60.000 us\n"
          "newt         packet 1, list \"n\": waited for compute0: save of packet 1, which was stopped for packet 2, "
          "until " +
              end + "otter        packet 2, list \"o\": waited for compute0: save of packet 1, until " + end);
  }
}

TEST_CASE("explain: a wait for frames says which frame, of what swap chain and on what output", "[explain][cli]") {
  KnownCause known;
  known.frames("scr", "newt");
  known.queue("newt");
  known.queue("otter", "compute");
  known.list("n", 100);
  known.list("o", 10, "compute");
  known.cpu("boss", {execute_on("newt", "n"), present_on("newt"), wait_on("otter", "scr"), cpu_wait("scr"),
                     execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 1000);
  known.run();
  // The first vertical blank of 60 Hz behind 100 us.
  CHECK_THAT(
      known.explain({"--queue", "otter", "--at", "1000"}),
      Contains("otter        packet 3, wait for \"scr\" at 1: waited for fence \"scr\" at 1, for which frame 1 of "
               "\"scr\" on \"display\" has to come on screen, until 16666.667 us\n"));
  CHECK_THAT(known.explain({"--packet", "4", "--at", "1000"}),
             Contains("boss         CPU thread: waited for fence \"scr\" at 1, for which frame 1 of \"scr\" on "
                      "\"display\" has to come on screen, until 16666.667 us\n"));
}

TEST_CASE("deadline times: a wait of the queue on its engine is waiting for a fence, and no list", "[explain][cli]") {
  for (const double us : {70.0, 100.0}) {
    KnownCause known;
    known.fence("f");
    known.queue("otter");
    known.queue("newt", "compute");
    known.list("n", static_cast<std::uint64_t>(us), "compute");
    known.list("o", 10);
    known.cpu("boss", {execute_on("newt", "n"), signal_on("newt", "f"), wait_on("otter", "f"), execute_on("otter", "o"),
                       signal_on("otter", "done")});
    known.deadline("done", 40);
    known.run({"--set", "/scheduler/hardware_waits=true"});
    CHECK(known.packet()["fence_ps"] == us * 1e6);
    CHECK(known.packet()["engine_wait_ps"] == 0);
    CHECK(known.packet()["meanwhile"].empty());
  }
}

TEST_CASE("explain: the level at which dispatches of a 3D engine drained has their word beside that of draws",
          "[explain][cli]") {
  struct Shape {
    const char* granularity;
    int dispatches;
    const char* told;
  };
  // The first of two dispatches ends at 300, the groups of a microsecond at 51.
  for (const Shape& shape :
       {Shape{"dispatch_boundary", 2,
              "primitive_boundary (of dispatches dispatch_boundary) at 300.000 us, 249.500 us later\n"},
        Shape{"thread_group_boundary", 1,
              "triangle_boundary (of dispatches thread_group_boundary) at 51.000 us, 0.500 us later\n"}}) {
    CAPTURE(shape.granularity);
    KnownCause known;
    known.process("oo", "realtime");
    known.process("nn");
    known.queue("otter", "direct", {{"process", "oo"}});
    known.queue("newt", "direct", {{"process", "nn"}});
    known.list("n", 300, "direct", shape.dispatches);
    known.list("o", 10);
    known.cpu("boss",
              {execute_on("newt", "n"), sleep_until(50.5), execute_on("otter", "o"), signal_on("otter", "done")});
    known.run({"--set", std::string("/engines/0/compute_preemption/granularity=") + shape.granularity});
    CHECK_THAT(
        known.explain({"--packet", "2", "--at", "50.7"}),
        Contains(std::string("it was asked to stop for it at 50.500 us: Success, and it drained to ") + shape.told));
  }
}

TEST_CASE("deadline times: a wait of another queue that holds the engine is a wait, and no list", "[explain][cli]") {
  for (const std::uint64_t raised_us : {70, 100}) {
    KnownCause known;
    known.process("oo");
    known.process("cc");
    known.fence("f");
    known.queue("otter", "direct", {{"process", "oo"}});
    known.queue("crow", "direct", {{"process", "cc"}});
    known.list("o", 10);
    known.cpu("boss", {wait_on("crow", "f"), sleep_until(10), execute_on("otter", "o"), signal_on("otter", "done"),
                       sleep_until(static_cast<double>(raised_us)), cpu_signal("f")});
    known.deadline("done", 40);
    // In the Windows 7 model a wait on the hardware is stopped for nobody.
    known.run({"--set", "/scheduler/hardware_waits=true", "--set", "/scheduler/caps/preemption_aware=false"});
    const std::uint64_t waited_ps = (raised_us - 10) * 1'000'000;
    CHECK(known.packet()["engine_wait_ps"] == waited_ps);
    CHECK(known.packet()["meanwhile"] == json::array({{{"list", "f"}, {"ps", waited_ps}, {"moved", "wait"}}}));
    CHECK(known.packet()["could_not_stop"]["wait"] == true);
    CHECK(known.packet()["could_not_stop"]["list"] == "f");
    CHECK_THAT(known.explain(), Contains("meanwhile    adapter.3d0 waited for fence \"f\" for ") &&
                                    Contains("not stopped  packet 1, wait for fence \"f\", at 10.000 us: "
                                             "MissFenceCommand\n"));
  }
}
