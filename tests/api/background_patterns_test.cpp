// SPDX-License-Identifier: Apache-2.0
// Background processing of workloads whose commands say their branches and resources; tasks of no CPU time.
#include "tests/api/background_bench.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>

using namespace fenceline;
using namespace fenceline::testing;
using namespace fenceline::testing::background;
using Catch::Contains;

TEST_CASE(
    "background: a variant that takes branches and resources for granted saves their parts where they are as then",
    "[api]") {
  // Every execution is measured intrusively, for nothing; each commit waits for its compile, the three rounds of one.
  json what = document(json::array(), {{{"name", "c"}, {"timeline", json::array()}}});
  what["compute_pipelines"][0]["group_bytes"] = 0;
  what["compute_pipelines"][0]["folded"] = {{"constants", 0.25}, {"branches", 0.1}, {"resources", 0.05}};
  what["resources"] = {{{"type", "buffer"}, {"name", "a"}, {"bytes", 64}},
                       {{"type", "buffer"}, {"name", "b"}, {"bytes", 64}}};
  const auto set = [&](std::size_t list, const json& branches, const json& resources) {
    json one = dispatch({1});
    one["branches"] = branches;
    one["resources"] = resources;
    what["command_lists"][list]["commands"] = json::array({one});
  };
  set(0, {1, 0}, {"a", "b"});
  set(1, {1, 1}, {"b", "a"});
  set(2, json::array(), {"a", "b"});
  json steps = json::array();
  const auto frame = [&](const char* list, std::uint64_t value) {
    steps.push_back(cpu_execute(list));
    steps.push_back(queue_signal(value));
    steps.push_back(wait("done", value));
  };
  for (std::uint64_t round = 1; round <= 3; ++round) {
    steps.push_back(mode("allow_intrusive_measurements"));
    frame("one", round);
    steps.push_back(commit("disable_profiling_by_system", "commit_results", round));
    steps.push_back(wait("committed", round));
  }
  frame("one", 4);
  frame("two", 5);
  frame("none", 6);
  what["cpus"][0]["timeline"] = steps;
  const Played played(what, measuring_machine());
  CHECK(played.ran_us == Times{100, 75, 65, 65, 75, 75});
  const PipelineStatistics& told = played.statistics.at("").pipelines.at(0);
  CHECK(told.patterns);
  CHECK(told.branch_misses == 2);
  CHECK(told.resource_misses == 1);
  CHECK(played.statistics.at("").pending == 0);

  // Without a word of them each part is saved as its round has come, as with the same word each time.
  for (const std::size_t list : {0, 1, 2}) {
    json one = dispatch({1});
    what["command_lists"][list]["commands"] = json::array({one});
  }
  const Played silent(what, measuring_machine());
  CHECK(silent.ran_us == Times{100, 75, 65, 65, 65, 65});
  CHECK_FALSE(silent.statistics.at("").pipelines.at(0).patterns);
}

TEST_CASE("background: a resource that a command has bound must be there", "[api]") {
  json what = document(json::array({execute("one")}));
  what["command_lists"][0]["commands"][0]["resources"] = {"nothing"};
  CHECK_THROWS_WITH(Played(what, measuring_machine()), Contains("/command_lists/0/commands/0/resources/0"));
}

TEST_CASE("background: a task of 0 us takes none, and one that does not say takes task_us", "[api]") {
  const auto ends = [](const json& task) {
    json step = {{"type", "queue_processing_work"}};
    step.update(task);
    MachineConfig config = measuring_machine();
    config.background_processing.task_us = 40;
    return Played(document(json::array(), {{{"name", "c"}, {"timeline", json::array({step})}}}), config).finished_us;
  };
  CHECK(ends(json::object()) == Times{40});
  CHECK(ends({{"us", 0}, {"count", 3}}) == Times{0, 0, 0});
  CHECK(ends({{"us", 7}}) == Times{7});
}
