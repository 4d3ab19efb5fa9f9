// SPDX-License-Identifier: Apache-2.0
// `fenceline explain` and `deadline_times` of a packet on its engine that has no place on the shader array, of which
// `tiny` has 8.
#include "tests/api/explain/known_causes.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

/// Of newt's `places` groups of 100 us from 0 on, and otter's 8 of 10 us from 5 on.
void share(KnownCause& known, std::uint64_t places, double due_us) {
  known.queue("otter");
  known.queue("newt", "compute");
  known.groups("n", places, 100, "compute");
  known.groups("o", 8, 10);
  known.cpu("boss", {execute_on("newt", "n"), sleep_until(5), execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", due_us);
}

}  // namespace

TEST_CASE("explain: a packet without a place on the shader array names who has them all", "[explain][cli]") {
  KnownCause known;
  share(known, 8, 50);
  for (const char* const by : {"rules", "shortcuts"}) {
    CAPTURE(by);
    known.run({"--set", std::string("/shader_array/simulate=") + by});
    CHECK(
        known.explain() ==
        "goal, value 1: due at 50.000 us, reached at 110.000 us: missed by 60.000 us\n"
        "packet       2, list \"o\" of adapter.scheduler.otter on adapter.3d0, submitted at 5.000 us\n"
        "         105.000 us running, 95.000 us of these without a place on the shader array\n"
        "meanwhile    adapter.compute0 ran list \"n\" and had the shader array for 95.000 us\n"
        "when it was due\n"
        "otter        packet 2, list \"o\": was on 3d0 and had no place on the shader array, which packet 1 had, until "
        "100.000 us\n"
        "newt         packet 1, list \"n\": ran on compute0, until 100.000 us\n");
    CHECK(known.packet()["running_ps"] == 105'000'000);
    CHECK(known.packet()["no_place_ps"] == 95'000'000);
    CHECK(known.packet()["meanwhile"] ==
          json::parse(R"([{"list": "n", "ps": 95000000, "engine": "adapter.compute0"}])"));
  }
  CHECK(known.explain({"--packet", "2", "--at", "105"}) ==
        "at 105.000 us\notter        packet 2, list \"o\": ran on 3d0, until 110.000 us\n");
}

TEST_CASE("explain: a packet that has some places runs", "[explain][cli]") {
  KnownCause known;
  share(known, 6, 30);
  known.run();
  // Two at a time: 4 times 10 us.
  CHECK(known.chain() == "otter        packet 2, list \"o\": ran on 3d0, until 45.000 us\n");
  CHECK_FALSE(known.packet().contains("no_place_ps"));
  CHECK(known.packet()["meanwhile"].empty());
}

TEST_CASE("explain: a packet that waits for its own groups runs", "[explain][cli]") {
  KnownCause known;
  known.queue("otter");
  known.groups("o", 32, 10);
  known.cpu("boss", {execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 25);
  known.run();
  CHECK(known.chain() == "otter        packet 1, list \"o\": ran on 3d0, until 40.000 us\n");
  CHECK_FALSE(known.packet().contains("no_place_ps"));
}

TEST_CASE("explain: on a frame's critical path is the packet that has no place, and not who has it", "[explain][cli]") {
  KnownCause known;
  known.queue("otter");
  known.queue("newt", "compute");
  known.groups("n", 8, 100, "compute");
  known.groups("o", 8, 10);
  known.cpu("boss", {execute_on("newt", "n"), sleep_until(5), execute_on("otter", "o"), present_on("otter")});
  known.run();
  CHECK_THAT(
      known.explain({"--frame", "1"}),
      Contains("         5.000 us       95.000 us  otter        packet 2, list \"o\": was on 3d0 and had no place "
               "on the shader array, which packet 1 had\n"
               "       100.000 us       10.000 us  otter        packet 2, list \"o\": ran on 3d0\n"
               "in all\n"
               "         86.4 %       95.000 us  3d0: no place on the shader array\n"));
}
