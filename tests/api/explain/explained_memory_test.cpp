// SPDX-License-Identifier: Apache-2.0
// `fenceline explain` of what waits for video memory, where that is full by construction: `tiny` has 2048 MiB, moves
// 10 GB/s and spends 8 bytes of them on the page table for each 64 KiB. So 1200 MiB take 125844.48 us out or in,
// 1000 MiB 104870.4 us.
#include "tests/api/explain/known_causes.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

const std::vector<std::string> paged = {"--set", "/video_memory/over_commit=page"};
const std::vector<std::string> paged_lists = {"--set", "/video_memory/over_commit=page", "--set",
                                              "/video_memory/residency=allocation_list"};

}  // namespace

TEST_CASE("explain: memory that cannot come since it is in use is told with who uses it", "[explain][cli]") {
  KnownCause known;
  known.queue("otter");
  known.queue("newt", "compute");
  known.groups("n", 8, 5000, "compute");
  known.uses("n", "nest", 1200);
  known.groups("o", 8, 10);
  known.uses("o", "den", 1000);
  known.cpu("boss", {execute_on("newt", "n"), sleep_until(50), execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run(paged_lists);
  CHECK(known.chain() ==
        "otter        packet 2, list \"o\": waited for room in video memory, where packet 1 had \"nest\" in use, until "
        "5000.000 us\n"
        "newt         packet 1, list \"n\": ran on compute0, until 5000.000 us\n");
  // Once it moves, what moves: 1200 MiB out, then 1000 MiB in.
  CHECK(known.explain({"--queue", "otter", "--at", "6000"}) ==
        "at 6000.000 us\n"
        "otter        packet 2, list \"o\": waited for memory, \"nest\" (out, 1258291200 bytes), until 130844.480 us\n"
        "paging       packet 4, paging: ran on copy0, until 235714.880 us\n");
  const json chain = parse_json(known.explain({"--deadline", "goal", "--json"}), "explain")["chain"];
  CHECK(chain[0]["cause"] == "room");
  CHECK(chain[0]["by_packet"] == 1);
  CHECK(chain[0]["until_ps"] == 5'000'000'000);
  // A run that ends before knows as much.
  known.run({"--set", "/video_memory/over_commit=page", "--set", "/video_memory/residency=allocation_list", "--until",
             "4ms"});
  CHECK_THAT(known.chain(), Contains("where packet 1 had \"nest\" in use, to the end of the run\nnewt "));
}

TEST_CASE("explain: of several that have memory in use it is the last, and a device's list counts as used",
          "[explain][cli]") {
  KnownCause known;
  known.process("mill");
  known.process("shop");
  known.queue("otter", "direct", {{"process", "shop"}});
  known.queue("newt", "compute", {{"process", "mill"}});
  known.groups("n", 8, 2000, "compute");
  known.uses("n", "nest", 1200);
  known.groups("o", 8, 10);
  known.uses("o", "den", 1000);
  known.cpu("boss", {execute_on("newt", "n"), execute_on("newt", "n"), sleep_until(50), execute_on("otter", "o"),
                     signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run(paged);
  CHECK(known.chain() ==
        "otter        packet 3, list \"o\": waited for room in video memory, where packet 2 had \"nest\" in use, until "
        "4000.000 us\n"
        "newt         packet 2, list \"n\": waited for compute0, which had packet 1 to run, until 2000.000 us\n"
        "newt         packet 1, list \"n\": ran on compute0, until 2000.000 us\n");
}

TEST_CASE("explain: memory of another process that comes in first is told so", "[explain][cli]") {
  KnownCause known;
  known.process("birds");
  known.process("shop");
  known.queue("crow", "direct", {{"process", "birds"}});
  known.queue("otter", "direct", {{"process", "shop"}});
  known.queue("newt", "compute", {{"process", "shop"}});
  known.groups("n", 8, 500, "compute");
  known.uses("n", "nest", 1200);
  known.groups("c", 8, 10);
  known.uses("c", "twigs", 1000);
  known.groups("o", 8, 10);
  known.uses("o", "den", 900);
  known.cpu("boss", {execute_on("newt", "n"), sleep_until(10), execute_on("crow", "c"), sleep_until(20),
                     execute_on("otter", "o"), signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run(paged_lists);
  CHECK(known.chain() ==
        "otter        packet 3, list \"o\": waited for room in video memory, where packet 1 had \"nest\" in use, until "
        "500.000 us\n"
        "               what process \"birds\" needs comes in first\n"
        "newt         packet 1, list \"n\": ran on compute0, until 500.000 us\n");
  // The nest is out at 126344.48, then the twigs come in: the den finds room beside them.
  CHECK(known.explain({"--queue", "otter", "--at", "130000"}) ==
        "at 130000.000 us\n"
        "otter        packet 3, list \"o\": waited for memory, \"twigs\" (in, 1048576000 bytes) for process \"birds\", "
        "until 231214.880 us\n"
        "paging       packet 5, paging: ran on copy0, until 231214.880 us\n");
}

TEST_CASE("explain: a thread in make_resident is told what moves, and who has the room", "[explain][cli]") {
  KnownCause known;
  known.process("mill");
  known.process("shop");
  known.queue("otter", "direct", {{"process", "shop"}});
  known.queue("newt", "compute", {{"process", "mill"}});
  known.groups("n", 8, 3000, "compute");
  known.uses("n", "nest", 1200);
  known.groups("o", 8, 10);
  known.uses("o", "den", 1000, {{"create_not_resident", true}});
  known.cpu("boss", {execute_on("newt", "n"),
                     sleep_until(50),
                     {{"type", "make_resident"}, {"process", "shop"}, {"resources", {"den"}}},
                     execute_on("otter", "o"),
                     signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run(paged);
  // 3000 + 125844.48 + 104870.4
  CHECK(known.chain() ==
        "otter        packet 3, list \"o\": was not queued yet by CPU thread \"boss\", until 233714.880 us\n"
        "boss         CPU thread: waited for room in video memory, where packet 1 had \"nest\" in use, until 3000.000 "
        "us\n"
        "newt         packet 1, list \"n\": ran on compute0, until 3000.000 us\n");
  CHECK(known.explain({"--packet", "3", "--at", "200000"}) ==
        "at 200000.000 us\n"
        "otter        packet 3, list \"o\": was not queued yet by CPU thread \"boss\", until 233714.880 us\n"
        "boss         CPU thread: waited for memory, \"den\" (in, 1048576000 bytes), until 233714.880 us\n"
        "paging       packet 2, paging: ran on copy0, until 233714.880 us\n");
}

TEST_CASE("explain: a wait for the fence of an EnqueueMakeResident is told what moves, and who has the room",
          "[explain][cli]") {
  KnownCause known;
  known.process("mill");
  known.process("shop");
  known.fence("f");
  known.queue("otter", "direct", {{"process", "shop"}});
  known.queue("newt", "compute", {{"process", "mill"}});
  known.groups("n", 8, 3000, "compute");
  known.uses("n", "nest", 1200);
  known.groups("o", 8, 10);
  known.uses("o", "den", 1000, {{"create_not_resident", true}});
  known.cpu("boss",
            {execute_on("newt", "n"),
             sleep_until(50),
             {{"type", "make_resident"}, {"process", "shop"}, {"resources", {"den"}}, {"fence", "f"}, {"value", 1}},
             wait_on("otter", "f"),
             execute_on("otter", "o"),
             signal_on("otter", "done")});
  known.deadline("done", 100);
  known.run(paged);
  CHECK(known.chain() ==
        "otter        packet 3, list \"o\": stood behind packet 2 of its queue, until 233714.880 us\n"
        "otter        packet 2, wait for \"f\" at 1: waited for room in video memory, where packet 1 had \"nest\" in "
        "use, "
        "until 3000.000 us\n"
        "newt         packet 1, list \"n\": ran on compute0, until 3000.000 us\n");
}
