// SPDX-License-Identifier: Apache-2.0
// What is easily told wrong of a cause: who raised a fence, until when a state lasts, what a gap between two runs is.
#include "api/report/explain/causes.hpp"
#include "api/report/explain/critical_path.hpp"
#include "sim/config/json_file.hpp"
#include "tests/api/report/built_workload.hpp"
#include "tests/support/samples.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

Cause first_cause(const CauseLog& log, const std::string& queue, std::uint64_t at_us) {
  return causes_of(log, first_of_queue(log, queue, at_us * ps), at_us * ps).front();
}

json present(const std::string& queue) { return {{"type", "present"}, {"queue", queue}}; }

}  // namespace

TEST_CASE("causes: a fence of frames is raised by the screen", "[explain]") {
  Built built;
  CauseLog log;
  built.frames("scr", "g");
  built.queue("g", "direct")["timeline"] = json::array({execute(built.list("A", "direct", 100))});
  built.queue("c", "compute")["timeline"] = json::array({wait("scr", 1), execute(built.list("B", "compute", 10))});
  built.cpu("t", {{{"type", "work"}, {"us", 200}}, present("g")});
  built.play(log);
  // The frame is presented at 200 and on the screen of 60 Hz at 16666.667 us.
  CHECK(first_cause(log, "c", 50).kind == CauseKind::screen);
  const Cause waits = first_cause(log, "c", 5000);
  CHECK(waits.kind == CauseKind::screen);
  CHECK(waits.until_ps / ps == 16666);
  CHECK(waits.by_packet == 0);
}

TEST_CASE("causes: a fence that has its value is on its way, and is nobody else's signal", "[explain]") {
  Built built;
  CauseLog log;
  built.fence("f");
  built.queue("a", "direct")["timeline"] = json::array({execute(built.list("A", "direct", 10)), signal("f", 1),
                                                        execute(built.list("LONG", "direct", 1000)), signal("f", 2)});
  built.queue("c", "compute")["timeline"] = json::array({wait("f", 1), execute(built.list("B", "compute", 10))});
  built.set("/submission_paths/default/compute/fence_cross_node_ns=5000");
  built.play(log);
  CHECK(first_cause(log, "c", 5).kind == CauseKind::fence);
  CHECK(first_cause(log, "c", 5).until_ps == 10 * ps);
  const Cause hears = first_cause(log, "c", 12);
  CHECK(hears.kind == CauseKind::hearing);
  CHECK(hears.until_ps == 15 * ps);
}

TEST_CASE("causes: what is told of a stopped packet ends when it goes on", "[explain]") {
  Built built;
  CauseLog log;
  built.set("/engines/1/compute_preemption/granularity=thread_group_boundary");
  built.process({{"name", "low"}});
  built.process({{"name", "high"}, {"priority", "realtime"}});
  built.list("slow", "compute", 100);
  built.queue("batch", "compute", "low")["timeline"] = json::array({execute("slow"), execute("slow"), execute("slow")});
  built.queue("urgent", "compute", "high");
  built.list("short", "compute", 50);
  built.cpu("cpu", {{{"type", "work"}, {"us", 130}}, {{"type", "execute"}, {"queue", "urgent"}, {"lists", {"short"}}}});
  built.play(log);
  // The second list began at 100; its groups end at 200, where the urgent one runs until 250.
  const Cause urgent = first_cause(log, "urgent", 150);
  CHECK(urgent.kind == CauseKind::engine_busy);
  CHECK(urgent.until_ps == 200 * ps);
  const Cause batch = first_cause(log, "batch", 210);
  CHECK((batch.kind == CauseKind::engine_busy || batch.kind == CauseKind::preempted));
  CHECK(batch.until_ps == 250 * ps);
  const Cause runs = first_cause(log, "batch", 260);
  CHECK(runs.kind == CauseKind::running);
  CHECK(runs.until_ps == 350 * ps);
}

TEST_CASE("causes: a wait that is on the hardware waits for its fence", "[explain]") {
  Built built;
  CauseLog log;
  built.fence("f");
  built.set("/scheduler/hardware_waits=true");
  built.queue("y", "copy");
  built.queue("a", "direct")["timeline"] = json::array({execute(built.list("A", "direct", 100)), signal("f", 1)});
  built.queue("c", "compute")["timeline"] = json::array({wait("f", 1), execute(built.list("B", "compute", 10))});
  built.play(log);
  const std::vector<Cause> chain = causes_of(log, first_of_queue(log, "c", 50 * ps), 50 * ps);
  REQUIRE(chain.size() == 3);
  CHECK(chain[0].kind == CauseKind::fence);
  CHECK(chain[1].kind == CauseKind::behind_queue);
  CHECK(chain[2].kind == CauseKind::running);
}

TEST_CASE("causes: on a hardware queue of its own a packet is launched, whatever runs beside it", "[explain]") {
  Built built;
  CauseLog log;
  built.set("/engines/1/hardware_queues=2");
  built.set("/submission_paths/default/compute/launch_ns=20000");
  built.queue("a", "compute")["timeline"] = json::array({execute(built.list("L", "compute", 500))});
  built.queue("b", "compute");
  built.list("S", "compute", 30);
  built.cpu("cpu", {{{"type", "work"}, {"us", 100}}, {{"type", "execute"}, {"queue", "b"}, {"lists", {"S"}}}});
  built.play(log);
  const Cause launched = first_cause(log, "b", 110);
  CHECK(launched.kind == CauseKind::launching);
  CHECK(launched.until_ps == 120 * ps);
  // It is on the engine then, and the other one's groups have all places until they end.
  const Cause beside = first_cause(log, "b", 125);
  CHECK(beside.kind == CauseKind::no_place);
  CHECK(beside.until_ps == 520 * ps);
  CHECK(first_cause(log, "b", 530).kind == CauseKind::running);
}

TEST_CASE("causes: memory of queues without a process moves for them", "[explain]") {
  Built built;
  CauseLog log;
  built.set("/video_memory/dedicated_mib=64");
  built.set("/video_memory/residency=allocation_list");
  built.set("/video_memory/over_commit=page");
  built.queue("q", "compute", "")["timeline"] =
      json::array({execute(built.list("first", "compute", 20)), execute(built.list("second", "compute", 20))});
  built.uses("first", "goes", 50);
  built.uses("second", "comes", 50);
  built.play(log);
  const Cause moves = first_cause(log, "q", 1000);
  CHECK(moves.kind == CauseKind::paging);
  CHECK_THAT(moves.by, Catch::StartsWith("\"goes\" (out, "));
}

TEST_CASE("explain --deadline: the packet is the one before the signal, whenever interrupts are heard", "[explain]") {
  const Shell shell;
  for (const char* isr : {"0", "2", "20"}) {
    REQUIRE(shell
                .fenceline({"run", shipped_workload("game_and_compositor").string(), "--out", "run", "--set",
                            std::string("/scheduler/isr_us=") + isr})
                .code == 0);
    const Output told = shell.fenceline({"explain", "run", "--deadline", "vsync", "--at", "20833"});
    CAPTURE(isr, told.out);
    CHECK(told.code == 0);
    // The compositor's lists for the blanks at 6944, 13888 and 20833 us are submitted 3000 us before each.
    CHECK_THAT(told.out, Catch::Contains("value 3: ") && Catch::Contains("submitted at 17833.333 us"));
  }
}

TEST_CASE("causes: what a reset ends is not said to be done", "[explain]") {
  const Shell shell;
  REQUIRE(shell.fenceline({"run", shipped_workload("hang_and_recover").string(), "--out", "run"}).code != 2);
  const Output told = shell.fenceline({"explain", "run", "--queue", "a", "--at", "2004500", "--json"});
  REQUIRE(told.code == 0);
  const json chain = parse_json(told.out, "explain").at("chain");
  CHECK(chain.back().at("cause") == "reset");
  CHECK(chain.back().at("status") == "timed_out");
}
