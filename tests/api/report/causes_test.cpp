// SPDX-License-Identifier: Apache-2.0
// The chain of causes why a packet had not run, in runs built so that the cause is known: the scenario is the answer.
#include "api/report/explain/causes.hpp"

#include "tests/api/report/built_workload.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// "queue: cause" of each link.
std::vector<std::string> links(const std::vector<Cause>& causes) {
  std::vector<std::string> links;
  links.reserve(causes.size());
  for (const Cause& cause : causes) links.push_back(cause.queue + ": " + name_of(cause.kind));
  return links;
}

using Links = std::vector<std::string>;

}  // namespace

TEST_CASE("causes: 200 runs whose cause is known by construction are explained", "[explain]") {
  std::mt19937_64 random(22);
  const auto between = [&](std::uint64_t least, std::uint64_t most) { return least + random() % (most - least + 1); };
  const char* const types[] = {"compute", "direct"};
  for (int round = 0; round < 200; ++round) {
    const int design = round % 9;
    Built built;
    CauseLog log;
    Links expected;
    std::vector<Cause> found;
    const std::uint64_t long_us = between(300, 5000);
    CAPTURE(round, design, long_us);
    if (design == 0) {
      // A long list that cannot be stopped is on the engine; one of a higher band comes behind it.
      built.set("/engines/1/compute_preemption/granularity=none");
      built.process({{"name", "low"}});
      built.process({{"name", "high"}, {"priority", "realtime"}});
      built.queue("batch", "compute", "low")["timeline"] =
          json::array({execute(built.list("long", "compute", long_us))});
      built.queue("urgent", "compute", "high");
      const std::uint64_t comes = between(10, long_us / 2);
      built.list("short", "compute", 20);
      built.cpu("cpu",
                {{{"type", "work"}, {"us", comes}}, {{"type", "execute"}, {"queue", "urgent"}, {"lists", {"short"}}}});
      built.play(log);
      const std::uint64_t at = between(comes + 1, long_us - 1) * ps;
      found = causes_of(log, first_of_queue(log, "urgent", at), at);
      expected = {"urgent: engine_busy", "batch: running"};
      REQUIRE(found.size() == 2);
      CHECK(found[0].attempt.rfind("Miss", 0) == 0);
      CHECK(found[0].attempt_ps <= at);
      CHECK(found[1].what == "list \"long\"");
      CHECK_THAT(text_of(found), Catch::Contains("which had packet ") && Catch::Contains("it could not be stopped"));
    } else if (design == 1) {
      // A chain of fences, each queue behind the one before: at its root a list that runs.
      const std::uint64_t depth = between(1, 6);
      for (std::uint64_t i = 0; i <= depth; ++i) built.fence(fmt::format("f{}", i));
      for (std::uint64_t i = 0; i <= depth; ++i) {
        const std::string type = types[between(0, 1)];
        json timeline = json::array();
        if (i > 0) timeline.push_back(wait(fmt::format("f{}", i - 1), 1));
        timeline.push_back(execute(built.list(fmt::format("l{}", i), type, i == 0 ? long_us : 10)));
        timeline.push_back(signal(fmt::format("f{}", i), 1));
        built.queue(fmt::format("q{}", i), type)["timeline"] = timeline;
      }
      built.play(log);
      const std::uint64_t at = between(1, long_us - 1) * ps;
      found = causes_of(log, first_of_queue(log, fmt::format("q{}", depth), at), at);
      for (std::uint64_t i = depth; i > 0; --i) {
        expected.push_back(fmt::format("q{}: fence", i));
        expected.push_back(fmt::format("q{}: behind_queue", i - 1));  // the signal stands behind the list
      }
      expected.emplace_back("q0: running");
    } else if (design == 2) {
      // Lists of one queue.
      const std::string type = types[between(0, 1)];
      const std::uint64_t lists = between(4, 8);
      json timeline = json::array();
      for (std::uint64_t i = 0; i < lists; ++i) {
        timeline.push_back(execute(built.list(fmt::format("l{}", i), type, long_us)));
      }
      built.queue("only", type)["timeline"] = timeline;
      built.play(log);
      const std::uint64_t runs = between(0, 1);
      const std::uint64_t at = (runs * long_us + long_us / 2) * ps;
      // The last of them stands behind those in the software queue, or on the hardware behind the one that runs.
      const std::uint64_t last = log.of_queue("only").back();
      found = causes_of(log, last, at);
      REQUIRE(found.size() >= 2);
      CHECK(found.front().kind == CauseKind::behind_queue);
      CHECK(found.back().kind == CauseKind::running);
      CHECK(found.back().what == fmt::format("list \"l{}\"", runs));
      continue;
    } else if (design == 3) {
      // A fence that a CPU thread raises, late.
      built.fence("go");
      built.queue("waits", "compute")["timeline"] =
          json::array({wait("go", 1), execute(built.list("l", "compute", 10))});
      built.cpu("cpu",
                {{{"type", "work"}, {"us", long_us}}, {{"type", "fence_signal"}, {"fence", "go"}, {"value", 1}}});
      built.play(log);
      const std::uint64_t at = between(1, long_us - 1) * ps;
      found = causes_of(log, first_of_queue(log, "waits", at), at);
      expected = {"waits: fence_by_cpu"};
      CHECK_THAT(text_of(found), Catch::Contains("waited for fence \"go\" at 1, which a CPU thread raises"));
    } else if (design == 4) {
      // What its CPU thread has not queued yet.
      built.queue("late", "direct");
      built.list("l", "direct", 10);
      built.cpu("cpu",
                {{{"type", "work"}, {"us", long_us}}, {{"type", "execute"}, {"queue", "late"}, {"lists", {"l"}}}});
      built.play(log);
      const std::uint64_t at = between(1, long_us - 1) * ps;
      found = causes_of(log, first_of_queue(log, "late", at), at);
      expected = {"late: not_submitted"};
      REQUIRE(found.size() == 1);
      CHECK(found[0].until_ps >= long_us * ps);
    } else if (design == 5) {
      // A list that was stopped at a group's end for one of a higher band.
      built.set("/engines/1/compute_preemption/granularity=thread_group_boundary");
      built.process({{"name", "low"}});
      built.process({{"name", "high"}, {"priority", "realtime"}});
      built.list("slow", "compute", 50);
      json timeline = json::array();
      json& batch = built.queue("batch", "compute", "low");
      batch["timeline"] = json::array({execute("slow"), execute("slow"), execute("slow")});
      built.queue("urgent", "compute", "high");
      built.list("long", "compute", long_us);
      built.cpu("cpu",
                {{{"type", "work"}, {"us", 70}}, {{"type", "execute"}, {"queue", "urgent"}, {"lists", {"long"}}}});
      built.play(log);
      const std::uint64_t at = between(160, 100 + long_us) * ps;
      found = causes_of(log, first_of_queue(log, "batch", at), at);
      REQUIRE(found.size() >= 2);
      CHECK(found.front().queue == "batch");
      CHECK((found.front().kind == CauseKind::engine_busy || found.front().kind == CauseKind::preempted));
      CHECK(found[1].queue == "urgent");
      CHECK(found[1].kind == CauseKind::running);
      continue;
    } else if (design == 6) {
      // Complete long ago; and one that runs itself.
      built.queue("q", "compute")["timeline"] =
          json::array({execute(built.list("first", "compute", 10)), execute(built.list("second", "compute", long_us))});
      built.play(log);
      const std::uint64_t at = (50 + between(0, long_us - 60)) * ps;
      CHECK(links(causes_of(log, log.of_queue("q").front(), at)) == Links{"q: complete"});
      found = causes_of(log, first_of_queue(log, "q", at), at);
      expected = {"q: running"};
      CHECK(first_of_queue(log, "q", log.end_ps()) == 0);
    } else if (design == 7) {
      // Two buffers that do not fit together: the first one goes out, then the other comes in, at 10 GB/s each.
      const std::uint64_t mib = between(40, 60);
      built.set("/video_memory/dedicated_mib=64");
      built.set("/video_memory/residency=allocation_list");
      built.set("/video_memory/over_commit=page");
      built.queue("q", "compute")["timeline"] =
          json::array({execute(built.list("first", "compute", 20)), execute(built.list("second", "compute", 20))});
      built.uses("first", "goes", mib);
      built.uses("second", "comes", mib);
      built.play(log);
      const std::uint64_t move = (mib << 20) * 100;  // picoseconds of a move
      const bool comes = between(0, 1) == 1;
      const std::uint64_t at = 30 * ps + (comes ? move : 0) + between(0, move - 40 * ps);
      found = causes_of(log, first_of_queue(log, "q", at), at);
      expected = {"q: paging", "paging: running"};
      REQUIRE(found.size() == 2);
      CHECK_THAT(found[0].by, Catch::StartsWith(comes ? "\"comes\" (in, " : "\"goes\" (out, "));
      CHECK(found[0].what == "list \"second\"");
    } else {
      // Behind a wait of its own queue, for a queue that itself waits for a CPU thread.
      built.fence("a");
      built.fence("b");
      built.queue("one", "direct")["timeline"] = json::array({wait("a", 3), signal("b", 2)});
      built.queue("two", "compute")["timeline"] = json::array({wait("b", 2), execute(built.list("l", "compute", 10))});
      built.cpu("cpu", {{{"type", "work"}, {"us", long_us}}, {{"type", "fence_signal"}, {"fence", "a"}, {"value", 3}}});
      built.play(log);
      const std::uint64_t at = between(1, long_us - 1) * ps;
      found = causes_of(log, log.of_queue("two").back(), at);
      expected = {"two: behind_queue", "two: fence", "one: behind_queue", "one: fence_by_cpu"};
    }
    CHECK(links(found) == expected);
    CHECK(json_of(found).size() == found.size());
  }
}
