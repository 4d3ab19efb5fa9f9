// SPDX-License-Identifier: Apache-2.0
// `fenceline explain` and `deadline_times` where a list hangs or faults: `tiny` asks after 2 s, resets after 2 more,
// for a millisecond, and the removal of a device raises its fences to 2^64-1.
#include "tests/api/explain/known_causes.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

const json hang = json::array({{{"type", "hang"}}});
const json fault = json::array({{{"type", "page_fault"}}});

}  // namespace

TEST_CASE("explain: a fence that the removal of a device raised was to be signalled by a queue", "[explain][cli]") {
  KnownCause known;
  known.queue("otter");
  known.commands("stuck", hang);
  known.cpu("boss", {execute_on("otter", "stuck"), signal_on("otter", "done")});
  known.deadline("done", 500);
  known.run();
  CHECK(known.explain() ==
        "goal, value 1: due at 500.000 us, reached at 4001000.000 us: missed by 4000500.000 us\n"
        "by removal   its device was removed, which raised the fence\n"
        "packet       1, list \"stuck\" of adapter.scheduler.otter on adapter.3d0, submitted at 0.000 us\n"
        "     4000000.000 us running\n"
        "when it was due\n"
        "otter        packet 1, list \"stuck\": hung on 3d0, until 4000000.000 us\n");
  CHECK(known.time()["device_removed"] == true);
  CHECK(known.explain({"--packet", "2", "--at", "4000500"}) ==
        "at 4000500.000 us\n"
        "otter        packet 2, signal of \"done\" to 1: stood behind packet 1 of its queue, until 4001000.000 us\n"
        "otter        packet 1, list \"stuck\": hung, and its engine was being reset, until 4001000.000 us\n");
}

TEST_CASE("explain: a fence that only the removal of a device brings to a value", "[explain][cli]") {
  KnownCause known;
  known.queue("otter");
  known.commands("stuck", hang);
  known.cpu("boss", {execute_on("otter", "stuck"), signal_on("otter", "done")});
  known.deadline("done", 500, 2);
  known.run();
  CHECK(known.explain() ==
        "goal, value 2: due at 500.000 us, reached at 4001000.000 us: missed by 4000500.000 us\n"
        "by removal   its device was removed, which raised the fence\n"
        "when it was due\n"
        "goal         fence \"done\" at 2: nothing signalled it to that value: the removal of its device did, until "
        "4001000.000 us\n");
}

TEST_CASE("explain: a deadline that is met by the removal of a device says so", "[explain][cli]") {
  KnownCause known;
  known.queue("otter");
  known.commands("stray", fault);
  known.list("o", 10);
  known.cpu("boss",
            {execute_on("otter", "stray"), sleep_until(50000), execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 60000);
  known.run();
  CHECK(known.explain() ==
        "goal, value 1: due at 60000.000 us, reached at 1000.000 us: met by 59000.000 us\n"
        "by removal   its device was removed, which raised the fence\n");
  CHECK(known.time()["device_removed"] == true);
}

TEST_CASE("explain: one that waits for a fence which a removal raises names the signal that never came",
          "[explain][cli]") {
  KnownCause known;
  known.process("mine");
  known.process("theirs");
  known.fence("f");
  known.queue("otter", "compute", {{"process", "mine"}});
  known.queue("newt", "direct", {{"process", "theirs"}});
  known.commands("stuck", hang);
  known.list("o", 10, "compute");
  known.cpu("boss", {execute_on("newt", "stuck"), signal_on("newt", "f"), wait_on("otter", "f"),
                     execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 500);
  known.run();
  CHECK(known.chain() ==
        "otter        packet 4, list \"o\": stood behind packet 3 of its queue, until 4001000.000 us\n"
        "otter        packet 3, wait for \"f\" at 1: waited for fence \"f\" at 1, which packet 2 signals, until "
        "4001000.000 us\n"
        "newt         packet 2, signal of \"f\" to 1: stood behind packet 1 of its queue, until 4001000.000 us\n"
        "newt         packet 1, list \"stuck\": hung on 3d0, until 4000000.000 us\n");
  CHECK_FALSE(known.time().contains("device_removed"));
}

TEST_CASE("deadline times: what an engine's reset took is in meanwhile", "[explain][cli]") {
  KnownCause known;
  known.process("mine");
  known.process("theirs");
  known.queue("otter", "direct", {{"process", "mine"}});
  known.queue("newt", "direct", {{"process", "theirs"}});
  known.commands("stuck", hang);
  known.list("o", 10);
  known.cpu("boss",
            {execute_on("newt", "stuck"), sleep_until(100), execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 500);
  known.run();
  CHECK(known.packet()["engine_wait_ps"] == 4'000'900'000'000);
  CHECK(known.packet()["meanwhile"] ==
        json::parse(R"([{"list": "stuck", "ps": 3999900000000}, {"list": "", "ps": 1000000000, "moved": "reset"}])"));
  CHECK_THAT(known.explain(), Contains("meanwhile    adapter.3d0 ran list \"stuck\" for 3999900.000 us\n"
                                       "meanwhile    adapter.3d0 was being reset for 1000.000 us\n"));
}
