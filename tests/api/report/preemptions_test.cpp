// SPDX-License-Identifier: Apache-2.0
#include "api/report/preemptions.hpp"

#include "tests/support/csv_reader.hpp"
#include "tests/support/protocol_script.hpp"
#include "tests/support/sink_output.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// preemptions.csv after `play` and the run's end.
template <class Play>
std::string csv_of(Play play) {
  EventLog log;
  return output_of<PreemptionsSink>(log, [&] {
    ProtocolScript script(log);
    play(script);
    log.finish(0);
  });
}

}  // namespace

TEST_CASE("preemptions.csv: a row leads from ready over request and stop to the start, and on to the return", "[sim]") {
  // wait 150 - 100, drain 170 - 150, save 175 - 170, switch 183 - 181; return: switch 205 - 204, restore 217 - 205.
  CHECK(csv_of(play_game_and_compositor) ==
        "node,hardware_queue,preemption_fence_id,reason,outcome,level_asked,level_reached,packets,"
        "victim,victim_packet,victim_fence_id,victim_new_fence_id,beneficiary,beneficiary_packet,"
        "ready_us,requested_us,stopped_us,free_us,known_us,beneficiary_started_us,resumed_us,"
        "wait_us,restore_wait_us,drain_us,save_us,switch_us,resume_switch_us,restore_us,"
        "saved_bytes,saved_context_bytes,saved_register_bytes,saved_shared_bytes,saved_thread_bytes\n"
        "adapter.3d0,0,2,higher_rank,stopped,shader_boundary,pixel_boundary,1,"
        "adapter.scheduler.game,1,1,4,adapter.scheduler.compositor,2,"
        "100.000000,150.000000,170.000000,175.000000,180.000000,183.000000,217.000000,"
        "50.000000,0.000000,20.000000,5.000000,2.000000,1.000000,12.000000,"
        "1234,1000,200,30,4\n");
}

TEST_CASE("preemptions.csv: a run without requests has the header alone", "[sim]") {
  const CsvTable table(csv_of([](ProtocolScript& script) {
    script.arrive(1, "game", 1, 0);
    script.ran(1, 0, 10);
    script.complete(1, "game", 1, 10);
  }));
  CHECK(table.size() == 0);
}

TEST_CASE("preemptions.csv: an empty answer has a row that says so", "[sim]") {
  const CsvTable table(csv_of([](ProtocolScript& script) {
    script.arrive(1, "game", 1, 0);
    script.queued(2, "compositor", 5);
    script.ready(2, "compositor", 5);
    script.request(2, PreemptionReason::quantum, 1, 2, 20);
    script.ran(1, 0, 30);
    script.complete(1, "game", 1, 30);
    script.preempted(2, 1, 0, 30, 30, 33);
    script.submit(2, "compositor", 3, 33);
    script.ran(2, 33, 40);
    script.complete(2, "compositor", 3, 40);
  }));
  REQUIRE(table.size() == 1);
  CHECK(table.at(0, "outcome") == "ended");
  CHECK(table.at(0, "reason") == "quantum");
  CHECK(table.at(0, "level_reached").empty());
  CHECK(table.number(0, "packets") == 0);
  CHECK(table.number(0, "victim_packet") == 1);
  CHECK_FALSE(table.has(0, "resumed_us"));
  CHECK_FALSE(table.has(0, "victim_new_fence_id"));
  CHECK(table.ps(0, "drain_us") == ProtocolScript::ps(10));
  CHECK(table.ps(0, "save_us") == 0);
  CHECK(table.ps(0, "beneficiary_started_us") == ProtocolScript::ps(33));
}

TEST_CASE("preemptions.csv: what is withheld behind the running packet is a victim without a save", "[sim]") {
  const CsvTable table(csv_of([](ProtocolScript& script) {
    script.arrive(1, "game", 1, 0);
    script.arrive(2, "game", 2, 0);
    script.queued(3, "compositor", 5);
    script.ready(3, "compositor", 5);
    script.request(3, PreemptionReason::overtakes_queued, 1, 3, 5, "dma_buffer_boundary");  // 1 is who runs
    script.ran(1, 0, 30);
    script.complete(1, "game", 1, 30);
    script.preempted(3, 1, 1, 30, 30, 30, {}, 0, "dma_buffer_boundary");
    script.submit(3, "compositor", 4, 30);
    script.submit(2, "game", 5, 30, 1);
    script.ran(3, 30, 40);
    script.complete(3, "compositor", 4, 40);
    script.ran(2, 40, 50);
    script.complete(2, "game", 5, 50);
  }));
  REQUIRE(table.size() == 1);
  CHECK(table.at(0, "outcome") == "withheld");
  CHECK(table.number(0, "victim_packet") == 2);
  CHECK(table.number(0, "victim_fence_id") == 2);
  CHECK(table.number(0, "victim_new_fence_id") == 5);
  CHECK(table.ps(0, "resumed_us") == ProtocolScript::ps(40));
  CHECK(table.ps(0, "restore_us") == 0);
  CHECK(table.ps(0, "wait_us") == 0);
}

TEST_CASE("preemptions.csv: where nobody in particular has to give way it is who ran, or who was behind", "[sim]") {
  const CsvTable table(csv_of([](ProtocolScript& script) {
    script.arrive(1, "a", 1, 0);
    script.arrive(2, "a", 2, 0);
    script.request(3, PreemptionReason::runlist, 0, 0, 10);
    script.ran(1, 0, 12, true);
    script.preempted(3, 0, 2, 12, 13, 14, {8, 0, 0, 0}, 0, "thread_group_boundary");
    script.submit(1, "a", 4, 20, 1);
    script.submit(2, "a", 5, 20, 1);
    script.request(6, PreemptionReason::runlist, 0, 0, 21);
    script.ran(1, 20, 25);
    script.complete(1, "a", 4, 25);
    script.preempted(6, 4, 1, 25, 25, 25, {}, 0, "dma_buffer_boundary");
    script.submit(2, "a", 7, 30, 2);
    script.ran(2, 30, 35);
    script.complete(2, "a", 7, 35);
  }));
  REQUIRE(table.size() == 2);
  CHECK(table.number(0, "victim_packet") == 1);
  CHECK(table.at(0, "outcome") == "stopped");
  CHECK(table.ps(0, "resumed_us") == ProtocolScript::ps(20));
  CHECK(table.number(1, "victim_packet") == 2);
  CHECK(table.at(1, "outcome") == "withheld");
  CHECK(table.number(1, "victim_fence_id") == 5);
  CHECK(table.number(1, "victim_new_fence_id") == 7);
  for (std::size_t row = 0; row < 2; ++row) {
    CHECK(table.at(row, "beneficiary").empty());
    CHECK_FALSE(table.has(row, "ready_us"));
    CHECK_FALSE(table.has(row, "beneficiary_started_us"));
    CHECK(table.ps(row, "wait_us") == 0);
  }
}

TEST_CASE("preemptions.csv: a packet stopped again and again has a row each, with what brought it back", "[sim]") {
  const CsvTable table(csv_of([](ProtocolScript& script) {
    script.arrive(1, "game", 1, 0);
    script.queued(2, "compositor", 8);
    script.ready(2, "compositor", 8);
    script.request(2, PreemptionReason::higher_rank, 1, 2, 10);
    script.ran(1, 0, 11, true);
    script.preempted(2, 0, 1, 11, 12, 12, {64, 0, 0, 0}, 0, "pixel_boundary");
    script.submit(2, "compositor", 3, 12);
    script.ran(2, 12, 14);
    script.complete(2, "compositor", 3, 14);
    script.ready(1, "game", 12);
    script.submit(1, "game", 4, 14, 1);
    // It is asked again while it is being restored; the restore ends at 18, and one unit of work follows.
    script.queued(3, "compositor", 15);
    script.ready(3, "compositor", 15);
    script.request(5, PreemptionReason::higher_rank, 1, 3, 16);
    script.moved(SpanKind::restore, 1, 14, 18);
    script.ran(1, 18, 19, true);
    script.preempted(5, 3, 1, 19, 20, 20, {64, 0, 0, 0}, 2, "pixel_boundary");
    script.submit(3, "compositor", 6, 20);
    script.ran(3, 20, 22);
    script.complete(3, "compositor", 6, 22);
    script.submit(1, "game", 7, 22, 2);
    script.moved(SpanKind::restore, 1, 22, 27);
    script.ran(1, 27, 40);
    script.complete(1, "game", 7, 40);
  }));
  REQUIRE(table.size() == 2);
  CHECK(table.ps(0, "restore_us") == ProtocolScript::ps(4));
  CHECK(table.ps(0, "resumed_us") == ProtocolScript::ps(18));
  CHECK(table.ps(1, "restore_wait_us") == ProtocolScript::ps(2));
  CHECK(table.ps(1, "drain_us") == ProtocolScript::ps(1));
  CHECK(table.ps(1, "restore_us") == ProtocolScript::ps(5));
  CHECK(table.number(1, "victim_fence_id") == 4);
  CHECK(table.number(1, "victim_new_fence_id") == 7);
}

TEST_CASE("preemptions.csv: a restore counts once, where the packet was withheld before it could go on", "[sim]") {
  const CsvTable table(csv_of([](ProtocolScript& script) {
    script.arrive(1, "game", 1, 0);
    script.request(2, PreemptionReason::asked, 1, 0, 10);
    script.ran(1, 0, 10, true);
    script.preempted(2, 0, 1, 10, 12, 12, {64, 0, 0, 0}, 0, "pixel_boundary");
    script.submit(1, "game", 3, 12, 1);
    script.request(4, PreemptionReason::asked, 1, 0, 13);
    script.preempted(4, 0, 1, 13, 13, 13);
    script.submit(1, "game", 5, 20, 2);
    script.moved(SpanKind::restore, 1, 20, 23);
    script.ran(1, 23, 40);
    script.complete(1, "game", 5, 40);
  }));
  REQUIRE(table.size() == 2);
  CHECK(table.at(1, "outcome") == "withheld");
  CHECK(table.ps(0, "restore_us") == ProtocolScript::ps(3));
  CHECK(table.ps(1, "restore_us") == 0);
  for (std::size_t row = 0; row < 2; ++row) CHECK(table.ps(row, "resumed_us") == ProtocolScript::ps(23));
}

TEST_CASE("preemptions.csv: rows stand in the order of the requests, also one that is never completed", "[sim]") {
  const CsvTable table(csv_of([](ProtocolScript& script) {
    script.arrive(1, "suspended", 1, 0);
    script.request(2, PreemptionReason::suspended, 1, 0, 10);
    script.ran(1, 0, 11, true);
    script.preempted(2, 0, 1, 11, 12, 12, {64, 0, 0, 0}, 0, "pixel_boundary");
    script.arrive(2, "game", 3, 20);
    script.queued(3, "compositor", 25);
    script.ready(3, "compositor", 25);
    script.request(4, PreemptionReason::higher_rank, 2, 3, 25);
    script.ran(2, 20, 26, true);
    script.preempted(4, 0, 1, 26, 27, 27);
    script.submit(3, "compositor", 5, 27);
    script.ran(3, 27, 30);
    script.complete(3, "compositor", 5, 30);
    script.submit(2, "game", 6, 30, 1);
    script.ran(2, 30, 40);
    script.complete(2, "game", 6, 40);
    script.arrive(4, "game", 7, 40);
    script.request(8, PreemptionReason::asked, 4, 0, 50);  // the run ends before the answer
  }));
  REQUIRE(table.size() == 3);
  CHECK(table.number(0, "preemption_fence_id") == 2);
  CHECK_FALSE(table.has(0, "resumed_us"));
  CHECK_FALSE(table.has(0, "restore_us"));
  CHECK(table.number(1, "preemption_fence_id") == 4);
  CHECK(table.ps(1, "resumed_us") == ProtocolScript::ps(30));
  CHECK(table.at(2, "outcome") == "unanswered");
  CHECK_FALSE(table.has(2, "stopped_us"));
  CHECK_FALSE(table.has(2, "drain_us"));
  CHECK(table.ps(2, "requested_us") == ProtocolScript::ps(50));
}

TEST_CASE("preemptions.csv: a beneficiary that runs beside its victim did not wait to start", "[sim]") {
  const CsvTable table(csv_of([](ProtocolScript& script) {
    script.arrive(1, "game", 1, 0);
    script.queued(2, "compositor", 5);
    script.ready(2, "compositor", 5);
    script.submit(2, "compositor", 2, 5, 0, 1);
    script.request(3, PreemptionReason::higher_rank, 1, 2, 10);  // its groups find no places
    script.ran(1, 0, 12, true);
    script.preempted(3, 0, 1, 12, 13, 13);
    script.ran(2, 5, 20);
    script.complete(2, "compositor", 2, 20, 1);
    script.submit(1, "game", 4, 20, 1);
    script.ran(1, 20, 30);
    script.complete(1, "game", 4, 30);
  }));
  REQUIRE(table.size() == 1);
  CHECK(table.number(0, "beneficiary_packet") == 2);
  CHECK_FALSE(table.has(0, "ready_us"));
  CHECK_FALSE(table.has(0, "beneficiary_started_us"));
  CHECK(table.ps(0, "wait_us") == 0);
  CHECK(table.ps(0, "resumed_us") == ProtocolScript::ps(20));
}

TEST_CASE("preemptions.csv: a request that is deepened has a row, and what asked for more the row with the cost",
          "[sim]") {
  // Asked at 10 to withhold what is behind, at 15 to stop: of the restore that ends at 18 the second waits for 3.
  const CsvTable table(csv_of([](ProtocolScript& script) {
    script.arrive(1, "idle", 1, 0);
    script.arrive(2, "idle", 2, 0);
    script.queued(3, "game", 10);
    script.ready(3, "game", 10);
    script.request(3, PreemptionReason::overtakes_queued, 2, 3, 10, "dma_buffer");
    script.queued(4, "compositor", 12);
    script.ready(4, "compositor", 12);
    script.request(3, PreemptionReason::higher_rank, 1, 4, 15);
    script.ran(1, 0, 20, true);
    script.preempted(3, 0, 2, 20, 22, 22, {64, 0, 0, 0}, 8, "pixel_boundary", 0, 10);
    script.submit(4, "compositor", 4, 22);
    script.submit(3, "game", 5, 22);
    script.ran(4, 22, 30);
    script.complete(4, "compositor", 4, 30);
    script.ran(3, 30, 35);
    script.complete(3, "game", 5, 35);
    script.submit(1, "idle", 6, 35, 1);
    script.ran(1, 35, 40);
    script.complete(1, "idle", 6, 40);
  }));
  REQUIRE(table.size() == 2);
  CHECK(table.at(0, "outcome") == "deepened");
  CHECK(table.ps(0, "requested_us") == ProtocolScript::ps(10));
  CHECK(table.ps(0, "free_us") == ProtocolScript::ps(22));
  CHECK(table.number(0, "beneficiary_packet") == 3);
  CHECK(table.ps(0, "beneficiary_started_us") == ProtocolScript::ps(30));
  CHECK_FALSE(table.has(0, "drain_us"));
  CHECK(table.number(0, "saved_bytes") == 0);
  CHECK(table.at(1, "outcome") == "stopped");
  CHECK(table.ps(1, "ready_us") == ProtocolScript::ps(12));
  CHECK(table.ps(1, "requested_us") == ProtocolScript::ps(15));
  CHECK(table.ps(1, "restore_wait_us") == ProtocolScript::ps(3));
  CHECK(table.ps(1, "drain_us") == ProtocolScript::ps(2));
  CHECK(table.ps(1, "save_us") == ProtocolScript::ps(2));
  CHECK(table.number(1, "victim_packet") == 1);
  CHECK(table.ps(1, "resumed_us") == ProtocolScript::ps(35));
  CHECK(table.number(1, "saved_bytes") == 64);
}

TEST_CASE("preemptions.csv: names with separators are quoted", "[sim]") {
  const std::string name = "a \"b\", c";
  const CsvTable table(csv_of([&](ProtocolScript& script) {
    script.arrive(1, name, 1, 0);
    script.request(2, PreemptionReason::asked, 1, 0, 10);
  }));
  REQUIRE(table.size() == 1);
  CHECK(table.at(0, "victim") == "adapter.scheduler." + name);
}
