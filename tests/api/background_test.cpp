// SPDX-License-Identifier: Apache-2.0
// Background processing of workloads: frames get faster by what variants promise, when the compile has finished and not
// before; modes; tasks on cores beside the program's threads.
#include "api/workload/checks/satisfiable.hpp"
#include "api/workload/play/player.hpp"
#include "sim/config_error.hpp"
#include "tests/api/background_bench.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using namespace fenceline::testing::background;
using Catch::Contains;

TEST_CASE("background: frames are faster by what the variant folds away, once its compile has finished", "[api]") {
  // The third ends at 300; compiled until 550; the sixth has begun at 500, the seventh begins at 600.
  const Played played(document(json::array({repeat(9, {execute("one")})})), measuring_machine());
  CHECK(played.finished_us == Times{550});
  CHECK(played.ran_us == Times{100, 100, 100, 100, 100, 100, 75, 75, 75});
  CHECK(played.statistics.at("").variants == 1);
  CHECK(played.statistics.at("").specialised == 3);
}

TEST_CASE("background: a commit while frames run makes them faster once its compile has finished", "[api]") {
  MachineConfig config = measuring_machine();
  config.background_processing.pgo.act_now_executions = 1000;
  // Two frames have ended when it comes, at 260; compiled until 510, when the sixth frame has begun.
  const json cpus = {
      {{"name", "c"},
       {"timeline",
        {{{"type", "sleep_until"}, {"us", 260}}, commit("allowed", "commit_results", 1), wait("committed", 1)}}}};
  const Played played(document(json::array({repeat(9, {execute("one")})}), cpus), config);
  CHECK(played.committed_us == Times{510});
  CHECK(played.finished_us == played.committed_us);
  CHECK(played.ran_us == Times{100, 100, 100, 100, 100, 100, 75, 75, 75});
  CHECK(played.boosted == std::vector<bool>{false});
}

TEST_CASE("background: no task may be queued, and each counts as a step", "[api]") {
  const json none = {{"type", "queue_processing_work"}, {"us", 10}, {"count", 0}};
  CHECK(Played(document(json::array(), {{{"name", "c"}, {"timeline", {none}}}}), measuring_machine())
            .finished_us.empty());
  json many = none;
  many["count"] = 100'000;
  const json cpus = {{{"name", "c"}, {"timeline", {repeat(101, many)}}}};
  CHECK_THROWS_WITH(make_program(read_config<Workload>(document(json::array(), cpus), "w.json"), "w.json"),
                    Contains("/cpus/0/timeline/0") && Contains("10000000 steps"));
}

TEST_CASE("background: a variant is for its constants alone, and a list without constants is not measured", "[api]") {
  json steps = json::array({repeat(6, {execute("one")})});
  for (const char* list : {"two", "one", "none", "two"}) steps.push_back(execute(list));
  const Played played(document(steps), measuring_machine());
  CHECK(played.ran_us == Times{100, 100, 100, 100, 100, 100, 100, 75, 100, 100});
}

TEST_CASE("background: light measurements cost their part of the executions that are measured", "[api]") {
  MachineConfig config = measuring_machine();
  config.background_processing.pgo.light_period = 3;
  config.background_processing.pgo.light_cost = 0.2;
  config.background_processing.pgo.act_now_executions = 1000;
  const Played played(document(json::array({repeat(7, {execute("one")})})), config);
  CHECK(played.ran_us == Times{100, 100, 120, 100, 100, 120, 100});
}

TEST_CASE("background: with profiling disabled every execution takes the same time, with it allowed trials do not",
          "[api]") {
  MachineConfig config = measuring_machine();
  config.background_processing.pgo.light_cost = 0.2;
  config.background_processing.pgo.tuning_period = 2;
  config.background_processing.pgo.tuning_cost = 0.1;
  config.background_processing.pgo.act_now_executions = 1000;
  const json frames = repeat(4, {cpu_execute("one"), queue_signal(1, 1), wait("done", 1, 1)});
  const json cpus = {{{"name", "c"}, {"timeline", {mode("disable_profiling_by_system"), frames}}}};
  CHECK(Played(document(json::array(), cpus), config).ran_us == Times{100, 100, 100, 100});
  const json allowed = {{{"name", "c"}, {"timeline", {frames}}}};
  CHECK(Played(document(json::array(), allowed), config).ran_us == Times{120, 130, 120, 130});
}

TEST_CASE("background: a driver without support measures nothing, and an event is set at once", "[api]") {
  MachineConfig config = measuring_machine();
  config.background_processing.supported = false;
  const json cpus = {{{"name", "c"},
                      {"timeline",
                       {cpu_execute("one"), queue_signal(1), wait("done", 1), commit("allowed", "commit_results", 1),
                        wait("committed", 1), cpu_execute("one")}}}};
  const Played played(document(json::array(), cpus), config);
  CHECK(played.ran_us == Times{100, 100});
  CHECK(played.committed_us == Times{100});
  CHECK(played.finished_us.empty());
}

TEST_CASE("background: what the variants of each pipeline state gained, in the order in which they were executed first",
          "[api]") {
  json what = document(json::array({repeat(9, {execute("one")}), repeat(2, {execute("other")}), execute("none")}));
  what["compute_pipelines"][0].merge_patch({{"threads", 64}, {"alu_instructions", 100}, {"sfu_instructions", 25}});
  for (const char* name : {"q", "unused"}) {
    what["compute_pipelines"].push_back({{"name", name}, {"group_cycles", 100000}, {"alu_instructions", 10}});
  }
  what["command_lists"].push_back(
      {{"name", "other"},
       {"type", "compute"},
       {"commands", json::array({dispatch({1}, "q"), dispatch({1}), dispatch(json::array(), "unused")})}});
  const BackgroundStatistics all = Played(what, measuring_machine()).statistics.at("");
  // p as above: the last three of nine executions alone have the variant, and those of the list "other". A group of 64
  // threads of 125 instructions, a quarter of them folded away. The execution without constants is none of the
  // driver's.
  REQUIRE(all.pipelines.size() == 2);
  const PipelineStatistics& p = all.pipelines[0];
  CHECK(p.name == "p");
  CHECK(p.executions == 9 + 2);
  CHECK(p.variants == 1);
  CHECK(p.specialised == 3 + 2);
  CHECK(p.saved_instructions == 5 * 64 * 125 / 4);
  const PipelineStatistics& q = all.pipelines[1];
  CHECK(q.name == "q");
  CHECK(q.executions == 2);
  CHECK(q.variants + q.specialised + q.saved_instructions == 0);
  CHECK(all.variants == 1);
  CHECK(all.specialised == 5);
  CHECK(all.saved_instructions == p.saved_instructions);
}

TEST_CASE("background: a frame-analysis loop ends when nothing more is wanted, and then A and B take the same time",
          "[api]") {
  // Two rounds, for there are no resources to find: 100, then 75, then 65 us. The commit's event comes with its
  // compile.
  const json loop = {
      {"type", "repeat"},
      {"count", 10},
      {"until_steady", true},
      {"steps",
       {mode("allow_intrusive_measurements"), cpu_execute("one"), queue_signal(1, 1), wait("done", 1, 1),
        commit("disable_profiling_by_system", "commit_results_high_priority", 1, 1), wait("committed", 1, 1)}}};
  const json ab = repeat(2, {cpu_execute("one"), queue_signal(101, 1), wait("done", 101, 1)});
  const json cpus = {
      {{"name", "c"}, {"timeline", {mode("allow_intrusive_measurements", "discard_previous"), loop, ab}}}};
  const Played played(document(json::array(), cpus), measuring_machine());
  CHECK(played.ran_us == Times{100, 75, 65, 65});
  CHECK(played.committed_us == Times{100 + 250, 350 + 75 + 250});
  CHECK(played.finished_us == played.committed_us);
}

TEST_CASE("background: a process's variants are its own", "[api]") {
  json what = document(json::array({repeat(7, {execute("one")})}));
  what["processes"] = {{{"name", "a"}}, {{"name", "b"}}};
  what["queues"][0]["process"] = "a";
  what["queues"].push_back({{"name", "late"},
                            {"type", "compute"},
                            {"process", "b"},
                            {"timeline", {{{"type", "wait"}, {"fence", "done"}, {"value", 1}}, execute("one")}}});
  what["queues"][0]["timeline"].push_back({{"type", "signal"}, {"fence", "done"}, {"value", 1}});
  const Played played(what, measuring_machine());
  CHECK(played.ran_us == Times{100, 100, 100, 100, 100, 100, 75, 100});
  for (const auto& [process, executions] : std::map<std::string, std::uint64_t>{{"a", 7}, {"b", 1}}) {
    const BackgroundStatistics& own = played.statistics.at(process);
    REQUIRE(own.pipelines.size() == 1);
    CHECK(own.pipelines[0].name == "p");
    CHECK(own.pipelines[0].executions == executions);
    CHECK(own.pipelines[0].specialised == (process == "a" ? 1 : 0));
  }
}

TEST_CASE("background: a retail system refuses what needs developer mode before the run", "[api]") {
  MachineConfig config = measuring_machine();
  config.background_processing.developer_mode = false;
  for (const char* refused : {"disable_background_work", "disable_profiling_by_system"}) {
    const json cpus = {{{"name", "c"}, {"timeline", {mode("allowed"), repeat(2, {mode(refused)})}}}};
    CHECK_THROWS_WITH(Played(document(json::array(), cpus), config),
                      Contains("/cpus/0/timeline/1/steps/0") && Contains("developer mode") && Contains(refused));
  }
  const json high = {{{"name", "c"}, {"timeline", {mode("allowed", "commit_results_high_priority")}}}};
  CHECK_THROWS_WITH(Played(document(json::array(), high), config), Contains("/cpus/0/timeline/0"));
  const json fine = {{{"name", "c"},
                      {"timeline",
                       {mode("allow_intrusive_measurements", "discard_previous"),
                        commit("allowed", "commit_results", 1), wait("committed", 1)}}}};
  CHECK(Played(document(json::array(), fine), config).committed_us == Times{0});
}

TEST_CASE("background: an event beside an action that is no commit is refused when the workload is read", "[api]") {
  json wrong = mode("allowed", "discard_previous");
  wrong["fence"] = "done";
  const json cpus = {{{"name", "c"}, {"timeline", {wrong}}}};
  CHECK_THROWS_WITH(read_config<Workload>(document(json::array(), cpus), "w.json"),
                    Contains("/cpus/0/timeline/0/fence") && Contains("a commit"));
}

TEST_CASE("background: a run may end, and its player go, while a commit is under way", "[api]") {
  const json cpus = {{{"name", "c"},
                      {"timeline",
                       {mode("allow_intrusive_measurements"), cpu_execute("one"), queue_signal(1), wait("done", 1),
                        commit("allowed", "commit_results", 1), wait("committed", 1)}}}};
  const Program program = make_program(read_config<Workload>(document(json::array(), cpus), "w.json"), "w.json");
  Machine machine(measuring_machine());
  auto player = std::make_unique<Player>(machine, program);
  CHECK_FALSE(player->play(200 * us));  // the compile runs from 100 to 350 us
  CHECK(machine.background_statistics().at("").queued == 1);
  player.reset();
}

TEST_CASE("background: a repeat until steady asks whether it is", "[api]") {
  json loop = repeat(3, {cpu_execute("one"), queue_signal(1, 1), wait("done", 1, 1)});
  loop["until_steady"] = true;
  const json cpus = {{{"name", "c"}, {"timeline", {loop}}}};
  CHECK_THROWS_WITH(read_config<Workload>(document(json::array(), cpus), "w.json"),
                    Contains("/cpus/0/timeline/0/until_steady") && Contains("set_background_processing_mode"));
  // Nothing folds away in what is executed here: the first answer is the last.
  loop["steps"] = {cpu_execute("none"), queue_signal(1, 1), wait("done", 1, 1), mode("allowed")};
  CHECK(Played(document(json::array(), {{{"name", "c"}, {"timeline", {loop}}}}), measuring_machine()).ran_us ==
        Times{100});
}

TEST_CASE("background: tasks run two at a time, in order, and with a commit of high priority all at once", "[api]") {
  const auto tasks = [](std::uint64_t count, double each_us) {
    return json{{"type", "queue_processing_work"}, {"count", count}, {"us", each_us}};
  };
  const json idle = {{{"name", "c"}, {"timeline", {tasks(5, 100)}}}};
  const Played two(document(json::array(), idle), measuring_machine());
  CHECK(two.finished_us == Times{100, 100, 200, 200, 300});
  // The commit's own is a compile of 250 us, beside which all five run.
  const json fast = {{{"name", "c"},
                      {"timeline",
                       {cpu_execute("one"), queue_signal(1), wait("done", 1), tasks(5, 100),
                        commit("allowed", "commit_results_high_priority", 1), wait("committed", 1), tasks(3, 10)}}}};
  const Played all(document(json::array(), fast), measuring_machine());
  CHECK(all.committed_us == Times{350});
  CHECK(all.finished_us == Times{200, 200, 200, 200, 200, 350, 360, 360, 370});
  CHECK(all.boosted == std::vector<bool>{false, false, true, true, true, true, false, false, false});
}

TEST_CASE("background: a commit of high priority may begin and end in the picosecond in which other tasks end",
          "[api]") {
  const json task = {{"type", "queue_processing_work"}, {"us", 250}};
  const json measured = {
      {"type", "repeat"}, {"count", 1}, {"steps", {cpu_execute("one"), queue_signal(1), wait("done", 1)}}};
  const auto high = commit("allowed", "commit_results_high_priority", 1);
  // The compile of 250 us ends with the tasks beside it, which began with it.
  const json ending = {{{"name", "c"}, {"timeline", {measured, high, task, task, wait("committed", 1)}}}};
  CHECK(Played(document(json::array(), ending), measuring_machine()).finished_us == Times{350, 350, 350});
  // The thread commits when its work ends, and with it a task.
  const json beginning = {
      {{"name", "c"}, {"timeline", {measured, task, {{"type", "work"}, {"us", 250}}, high, wait("committed", 1)}}}};
  CHECK(Played(document(json::array(), beginning), measuring_machine()).finished_us == Times{350, 600});
}

TEST_CASE("background: idle tasks on SMT siblings slow the threads beside them", "[api]") {
  MachineConfig config = measuring_machine();
  config.host.cpu.cores = 2;
  config.host.cpu.smt_width = 2;
  config.host.cpu.smt_gain = 0.25;
  config.host.cpu.background_slowdown = 0;
  // Two threads have a core each. n tasks: the first on the render thread's core, the second on the other's.
  const auto end_us = [&](std::uint64_t tasks) {
    json cpus = {
        {{"name", "render"},
         {"timeline",
          {{{"type", "work"}, {"us", 1000}}, {{"type", "fence_signal"}, {"fence", "committed"}, {"value", 1}}}}},
        {{"name", "job"}, {"timeline", {{{"type", "work"}, {"us", 5000}}}}}};
    if (tasks > 0) {
      cpus.push_back(
          {{"name", "driver"}, {"timeline", {{{"type", "queue_processing_work"}, {"us", 2000}, {"count", tasks}}}}});
    }
    return Played(document(json::array(), cpus), config).committed_us;
  };
  CHECK(end_us(0) == Times{1000});
  CHECK(end_us(1) == Times{1600});  // 1 / 0.625
  CHECK(end_us(2) == Times{1600});
  config.host.cpu.background_slowdown = 0.1;
  CHECK(end_us(1).front() == Approx(1000 / 0.625 / 0.9).epsilon(1e-6));
  CHECK(end_us(2).front() == Approx(1000 / 0.625 / 0.81).epsilon(1e-6));
}

TEST_CASE("background: a repeat until steady may end at the last step that takes part, if that iteration asked",
          "[api]") {
  const auto starting_at = [](json step, std::uint64_t iteration) {
    step["from_iteration"] = iteration;
    return step;
  };
  json loop = repeat(6, {cpu_execute("none"), queue_signal(1, 1), wait("done", 1, 1)});
  loop["until_steady"] = true;
  const auto ran = [&] {
    const json cpus = {{{"name", "c"}, {"timeline", {mode("allowed"), loop}}}};
    return Played(document(json::array(), cpus), measuring_machine()).ran_us;
  };
  const json steps = loop["steps"];
  loop["steps"].push_back(mode("allowed"));
  loop["steps"].push_back(starting_at(wait("done", 1), 4));
  CHECK(ran() == Times{100});
  loop["steps"] = steps;  // it asks in the third iteration for the first time: what was said before it does not count
  loop["steps"].push_back(starting_at(mode("allowed"), 2));
  CHECK(ran() == Times{100, 100, 100});
}
