// SPDX-License-Identifier: Apache-2.0
// `fenceline explain` names what was the matter, where that is known by construction: a CPU thread and what it did, a
// fence that nobody signals, processes that take turns; of runs that were cut off, too.
#include "tests/api/explain/known_causes.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

TEST_CASE("explain: a late thread is named, and what it waited for before", "[explain][cli]") {
  KnownCause known;
  known.fence("cf");
  known.queue("otter");
  known.queue("crow", "compute");
  known.list("c", 300, "compute");
  known.list("o", 10);
  known.cpu("boss", {execute_on("crow", "c"), signal_on("crow", "cf"), cpu_wait("cf"), work(70),
                     execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run();
  CHECK(known.chain() ==
        "otter        packet 3, list \"o\": was not queued yet by CPU thread \"boss\", until 370.000 us\n"
        "boss         CPU thread: waited for fence \"cf\" at 1, which packet 2 signals, until 300.000 us\n"
        "               then it worked for 70.000 us\n"
        "crow         packet 2, signal of \"cf\" to 1: stood behind packet 1 of its queue, until 300.000 us\n"
        "crow         packet 1, list \"c\": ran on compute0, until 300.000 us\n");
  const json chain = parse_json(known.explain({"--deadline", "goal", "--json"}), "explain")["chain"];
  REQUIRE(chain.size() == 4);
  CHECK(chain[0]["by_thread"] == "boss");
  CHECK(chain[1]["thread"] == "boss");
  CHECK(chain[1]["cause"] == "fence");
  CHECK(chain[1]["by_packet"] == 2);
  CHECK_FALSE(chain[1].contains("packet"));
  CHECK(chain[3]["until_ps"] == 300'000'000);
  // The same of the packet, later: the thread works.
  CHECK(known.explain({"--packet", "3", "--at", "310"}) ==
        "at 310.000 us\n"
        "otter        packet 3, list \"o\": was not queued yet by CPU thread \"boss\", until 370.000 us\n"
        "boss         CPU thread: worked, until 370.000 us\n");
}

TEST_CASE("explain: a thread that sleeps is named", "[explain][cli]") {
  KnownCause known;
  known.queue("otter");
  known.list("o", 10);
  known.cpu("boss", {sleep_until(200), execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run();
  CHECK(known.chain() ==
        "otter        packet 1, list \"o\": was not queued yet by CPU thread \"boss\", until 200.000 us\n"
        "boss         CPU thread: slept, until 200.000 us\n");
}

TEST_CASE("explain: of a fence that a thread raises late the thread is named, through other threads",
          "[explain][cli]") {
  KnownCause known;
  known.fence("go");
  known.fence("first");
  known.queue("otter");
  known.list("o", 10);
  known.cpu("boss", {wait_on("otter", "go"), execute_on("otter", "o"), signal_on("otter", "done")});
  known.cpu("clerk", {cpu_wait("first"), work(50), cpu_signal("go")});
  known.cpu("page", {work(350), cpu_signal("first")});
  known.deadline("done", 100);
  known.run();
  // 350 + 50: the clerk raises it at 400.
  CHECK(known.chain() ==
        "otter        packet 2, list \"o\": stood behind packet 1 of its queue, until 400.000 us\n"
        "otter        packet 1, wait for \"go\" at 1: waited for fence \"go\" at 1, which CPU thread \"clerk\" raises, "
        "until 400.000 us\n"
        "clerk        CPU thread: waited for fence \"first\" at 1, which CPU thread \"page\" raises, until 350.000 us\n"
        "               then it worked for 50.000 us\n"
        "page         CPU thread: worked, until 350.000 us\n");
  CHECK(known.packet()["fence_ps"] == 400'000'000);
  CHECK(known.packet()["queued_ps"] == 0);
}

TEST_CASE("explain: a deadline's fence may be a thread's", "[explain][cli]") {
  KnownCause known;
  known.fence("of");
  known.queue("otter");
  known.list("o", 10);
  known.cpu("boss",
            {execute_on("otter", "o"), signal_on("otter", "of"), cpu_wait("of"), work(200), cpu_signal("done")});
  known.deadline("done", 100);
  known.run();
  CHECK(known.explain() ==
        "goal, value 1: due at 100.000 us, reached at 210.000 us: missed by 110.000 us\n"
        "when it was due\n"
        "goal         fence \"done\" at 1: was not signalled yet by CPU thread \"boss\", until 210.000 us\n"
        "boss         CPU thread: worked, until 210.000 us\n");
  const json chain = parse_json(known.explain({"--deadline", "goal", "--json"}), "explain")["chain"];
  CHECK(chain[0]["deadline"] == "goal");
  CHECK(chain[0]["cause"] == "not_signalled");
  // The same where the run ends before.
  known.run({"--until", "150us"});
  CHECK(known.explain() ==
        "goal, value 1: due at 100.000 us, not reached\n"
        "when it was due\n"
        "goal         fence \"done\" at 1: was not signalled yet by CPU thread \"boss\", to the end of the run\n"
        "boss         CPU thread: worked, to the end of the run\n");
}

TEST_CASE("explain: a deadline that is not reached has its chain", "[explain][cli]") {
  KnownCause known;
  known.fence("f");
  known.queue("otter");
  known.queue("newt", "compute");
  known.list("n", 2000, "compute");
  known.list("o", 10);
  known.cpu("boss", {execute_on("newt", "n"), signal_on("newt", "f"), wait_on("otter", "f"), execute_on("otter", "o"),
                     signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run({"--until", "500us", "--outputs", "report"});
  CHECK(
      known.explain() ==
      "goal, value 1: due at 100.000 us, not reached\n"
      "when it was due\n"
      "otter        packet 5, signal of \"done\" to 1: stood behind packet 3 of its queue, to the end of the run\n"
      "otter        packet 3, wait for \"f\" at 1: waited for fence \"f\" at 1, which packet 2 signals, to the end of "
      "the run\n"
      "newt         packet 2, signal of \"f\" to 1: stood behind packet 1 of its queue, to the end of the run\n"
      "newt         packet 1, list \"n\": ran on compute0, to the end of the run\n");
  // What had not come to its end has its names, and is known to run.
  CHECK(known.explain({"--packet", "4", "--at", "490"}).find("packet 4, list \"o\": stood behind packet 3") !=
        std::string::npos);
  CHECK(known.explain({"--queue", "newt", "--at", "500"}) ==
        "at 500.000 us\nnewt         packet 1, list \"n\": ran on compute0, to the end of the run\n");
}

TEST_CASE("explain: what waits behind a packet that runs at the end of a run is told so", "[explain][cli]") {
  KnownCause known;
  known.queue("mill");
  known.queue("window");
  known.list("grinding", 300);
  known.list("blips", 5);
  known.cpu("cpu", {execute_on("mill", "grinding"), sleep_until(20), execute_on("window", "blips")});
  known.run({"--until", "100us"});
  const std::string text = known.explain({"--queue", "window", "--at", "50"});
  CHECK_THAT(text,
             Contains("window       packet 2, list \"blips\": waited for 3d0, which had packet 1 to run, to the end "
                      "of the run\n"));
  CHECK_THAT(text, Contains("mill         packet 1, list \"grinding\": ran on 3d0, to the end of the run\n"));
}

TEST_CASE("explain: a deadline that nothing would ever reach", "[explain][cli]") {
  KnownCause known;
  known.queue("otter");
  known.list("o", 10);
  known.cpu("boss", {execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 100, 2);
  known.run();
  CHECK(known.explain() ==
        "goal, value 2: due at 100.000 us, not reached\n"
        "when it was due\n"
        "goal         fence \"done\" at 2: nothing signals it to that value\n");
}

TEST_CASE("explain: a deadline whose time had not come is told apart from one that there is not", "[explain][cli]") {
  KnownCause known;
  known.queue("otter");
  known.list("o", 200);
  known.cpu("boss", {execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run({"--until", "50us"});
  CHECK(known.explain() ==
        "--deadline: /: expected a deadline whose time came before the end of the run at 50.000 us, found \"goal\", "
        "which was due later\n");
  CHECK(known.explain({"--deadline", "gaol"}) ==
        "--deadline: /: expected a deadline that the run came to: there was none, found \"gaol\"\n");
}

TEST_CASE("explain: a switch of processes is named, and whose turn it is", "[explain][cli]") {
  const std::vector<std::string> turns = {
      "--set", "/scheduler/policy=time_slice",  "--set", "/engines/0/runlist=gpu",
      "--set", "/scheduler/time_slice_us=2000", "--set", "/scheduler/process_switch_us=150"};
  KnownCause known;
  known.process("shop window");
  known.process("mill");
  known.queue("otter", "direct", {{"process", "shop window"}});
  known.queue("newt", "direct", {{"process", "mill"}});
  known.list("n", 5);
  known.list("o", 10);
  known.cpu("boss", {execute_on("newt", "n"), sleep_until(50), execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run(turns);
  // The mill has had nothing since 5: from 50 to 200 the engine is switched to the shop window.
  CHECK(known.explain() ==
        "goal, value 1: due at 100.000 us, reached at 210.000 us: missed by 110.000 us\n"
        "packet       2, list \"o\" of adapter.scheduler.otter on adapter.3d0, submitted at 50.000 us\n"
        "         150.000 us waiting for the engine\n"
        "          10.000 us running\n"
        "meanwhile    adapter.3d0 was switched to process \"shop window\" for 150.000 us\n"
        "when it was due\n"
        "otter        packet 2, list \"o\": waited for the switch of 3d0 to process \"shop window\" "
        "(process_switch_us), until 200.000 us\n");
  CHECK(known.packet()["meanwhile"] ==
        json::parse(R"([{"list": "shop window", "ps": 150000000, "moved": "process_switch"}])"));

  KnownCause slices;
  slices.process("shop window");
  slices.process("mill");
  slices.queue("otter", "direct", {{"process", "shop window"}});
  slices.queue("newt", "direct", {{"process", "mill"}});
  slices.list("n", 900);
  slices.list("o", 10);
  slices.cpu("boss", {execute_on("newt", "n"), execute_on("newt", "n"), execute_on("newt", "n"), sleep_until(50),
                      execute_on("otter", "o"), signal_on("otter", "done")});
  slices.deadline("done", 100);
  slices.run(turns);
  // The mill has its slice of 2000 us from 0.
  CHECK_THAT(slices.chain(),
             Contains("otter        packet 4, list \"o\": waited for 3d0, which had packet 1 to run, until 900.000 us\n"
                      "               it was the turn of process \"mill\" there, until 2000.000 us\n"));
}

TEST_CASE("explain: how long what ran drained, once it was asked to stop", "[explain][cli]") {
  KnownCause known;
  known.process("oo", "realtime");
  known.process("nn");
  known.queue("otter", "compute", {{"process", "oo"}, {"priority", "high"}});
  known.queue("newt", "compute", {{"process", "nn"}});
  known.list("long", 300, "compute", 2);
  known.list("o", 10, "compute");
  known.cpu("boss",
            {execute_on("newt", "long"), sleep_until(50), execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run({"--set", "/engines/1/compute_preemption/granularity=dispatch_boundary"});
  // Its first dispatch ends at 300.
  CHECK(known.chain() ==
        "otter        packet 2, list \"o\": waited for compute0, which had packet 1 to run, until 300.000 us\n"
        "               it was asked to stop for it at 50.000 us: Success, and it drained to dispatch_boundary at "
        "300.000 us, 250.000 us later\n"
        "newt         packet 1, list \"long\": ran on compute0, until 300.000 us\n");
}
