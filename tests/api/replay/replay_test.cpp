// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run.hpp"
#include "api/workload/replay/chosen_steps.hpp"
#include "api/workload/replay/fence_history.hpp"
#include "api/workload/replay/needed_names.hpp"
#include "api/workload/replay/replayed.hpp"
#include "api/workload/replay/single_queue.hpp"
#include "api/workload/replay/work_order.hpp"
#include "sim/config/config.hpp"
#include "sim/config_error.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

Workload workload_of(const json& document) { return read_config<Workload>(document, "w.json"); }

/// Two queues of two processes, with resources and pipelines of their own, and a CPU thread that sets everything.
json two_processes() {
  return json::parse(R"({
    "name": "two",
    "resources": [
      {"type": "buffer", "name": "of a", "bytes": 65536, "create_not_resident": true},
      {"type": "buffer", "name": "of b", "bytes": 65536, "create_not_resident": true},
      {"type": "buffer", "name": "of nobody", "bytes": 65536}
    ],
    "compute_pipelines": [{"name": "a"}, {"name": "b"}, {"name": "made"}],
    "fences": [{"name": "f", "process": "B"}, {"name": "never"}],
    "command_lists": [
      {"name": "a", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "a"}], "uses": ["of a"]},
      {"name": "b", "type": "copy", "commands": [], "uses": ["of b"]}
    ],
    "processes": [{"name": "A"}, {"name": "B"}, {"name": "C"}],
    "queues": [
      {"name": "a", "type": "direct", "process": "A", "priority": "high"},
      {"name": "b", "type": "copy", "process": "B", "priority": "high", "disable_gpu_timeout": true}
    ],
    "cpus": [{"name": "main", "timeline": [
      {"type": "set_process_priority", "process": "B", "priority": "high"},
      {"type": "set_process_priority", "process": "A", "priority": "idle"},
      {"type": "set_process_priority", "process": "A", "priority": "below_normal"},
      {"type": "set_priority", "queue": "a", "in_process_priority": 3},
      {"type": "make_resident", "process": "A", "resources": ["of a", "of a"]},
      {"type": "make_resident", "process": "B", "resources": ["of b"]},
      {"type": "evict", "process": "A", "resources": ["of a"]},
      {"type": "set_video_memory_reservation", "process": "B", "mib": 1},
      {"type": "execute", "queue": "a", "lists": ["a"]},
      {"type": "queue_signal", "queue": "a", "fence": "f", "value": 5},
      {"type": "execute", "queue": "b", "lists": ["b"]},
      {"type": "create_pipeline_states", "process": "A", "pipeline": "made"},
      {"type": "execute", "queue": "a", "lists": ["a"]}
    ]}]
  })");
}

template <class Thing>
std::vector<std::string> names_of(const std::vector<Thing>& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const Thing& thing : things) names.push_back(thing.name);
  return names;
}

ReplayRange from_submit(std::uint64_t count) { return {ReplayPoint{PointUnit::submit, count}, {}}; }

json timeline_of(const Workload& workload, const char* key, std::size_t index) {
  return json(dump_config(workload))[key][index]["timeline"];
}

}  // namespace

TEST_CASE("trim: what is needed stays, with what it needs itself", "[replay]") {
  const Workload workload = workload_of(two_processes());
  const Workload range = trimmed(workload, from_submit(2), "w.json");  // pipeline states, and the last list of a
  CHECK(names_of(range.queues) == std::vector<std::string>{"a"});
  CHECK(names_of(range.command_lists) == std::vector<std::string>{"a"});
  CHECK(names_of(range.compute_pipelines) == std::vector<std::string>{"a", "made"});
  CHECK(names_of(range.processes) == std::vector<std::string>{"A"});
  CHECK(range.fences.empty());
  REQUIRE(range.resources.size() == 1);
  CHECK(std::get<BufferResource>(range.resources[0]).name == "of a");
}

TEST_CASE("trim: what was set before and lasts is set again, the last of each thing", "[replay]") {
  const Workload workload = workload_of(two_processes());
  const json steps = timeline_of(trimmed(workload, from_submit(2), "w.json"), "cpus", 0);
  REQUIRE(steps.size() == 5);
  CHECK(steps[0]["type"] == "make_resident");
  CHECK(steps[0]["resources"] == json({"of a"}));  // twice, and evicted once
  CHECK(steps[1]["type"] == "set_process_priority");
  CHECK(steps[1]["priority"] == "below_normal");
  CHECK(steps[2]["type"] == "set_priority");
  CHECK(steps[3]["type"] == "create_pipeline_states");
  CHECK(steps[4]["type"] == "execute");
}

TEST_CASE("trim: deadlines are those that the range reaches, at times since its beginning", "[replay]") {
  json document = json::parse(R"({
    "name": "frames", "fences": [{"name": "f"}],
    "command_lists": [{"name": "x", "type": "direct", "commands": []}],
    "queues": [{"name": "q", "type": "direct"}],
    "cpus": [{"name": "main", "timeline": [{"type": "repeat", "count": 6, "steps": [
      {"type": "sleep_until", "us": 0, "us_step": 100},
      {"type": "execute", "queue": "q", "lists": ["x"]},
      {"type": "queue_signal", "queue": "q", "fence": "f", "value": 1, "value_step": 1}]}]}],
    "deadlines": [
      {"name": "frames", "fence": "f", "value": 1, "value_step": 1, "count": 6, "us": 50, "us_step": 100},
      {"name": "first", "fence": "f", "value": 1, "us": 50}]
  })");
  const ReplayRange range = {ReplayPoint{PointUnit::submit, 2}, ReplayPoint{PointUnit::submit, 5}};
  const Workload part = trimmed(workload_of(document), range, "w.json");
  REQUIRE(part.deadlines.size() == 1);  // the second frame came at 100, which is 0 now
  const DeadlineInfo& deadline = part.deadlines[0];
  CHECK(deadline.value == 3);
  CHECK(deadline.count == 3);
  CHECK(deadline.us == 150);
  CHECK(deadline.us_step == 100);
  CHECK(part.fences[0].initial_value == 2);
}

TEST_CASE("trim: a repeat stays one, from some iteration on for steps that come later", "[replay]") {
  json document = json::parse(R"([{"type": "repeat", "count": 10, "steps": [
    {"type": "wait", "fence": "f", "value": 7, "value_step": 2, "from_iteration": 3},
    {"type": "execute", "lists": ["x"]},
    {"type": "signal", "fence": "g", "value": 1, "value_step": 1}]}])");
  json workload = {{"name", "w"}, {"queues", {{{"name", "q"}, {"type", "direct"}, {"timeline", document}}}}};
  const std::vector<QueueStep> timeline = workload_of(workload).queues[0].timeline;
  std::vector<StepPlace> chosen;  // the end of iteration 4, all of 5 to 7, the beginning of 8
  for (std::uint32_t i = 4; i < 9; ++i) {
    for (std::uint32_t step = i == 4 ? 2 : 0; step < (i == 8 ? 1U : 3U); ++step) chosen.push_back({0, i, step});
  }
  Workload part = workload_of(workload);
  part.queues[0].timeline = chosen_steps(timeline, chosen, 0);
  const json steps = timeline_of(part, "queues", 0);
  REQUIRE(steps.size() == 2);
  CHECK(steps[0]["count"] == 4);
  CHECK(steps[0]["steps"][0]["value"] == 7 + 2 * 2);  // of iteration 5, the third one of that step
  CHECK(steps[0]["steps"][0]["from_iteration"] == 1);
  CHECK(steps[0]["steps"][1]["from_iteration"] == 1);
  CHECK(steps[0]["steps"][2]["value"] == 5);
  CHECK(steps[0]["steps"][2]["from_iteration"] == 0);
  CHECK(steps[1]["type"] == "wait");
  CHECK(steps[1]["value"] == 7 + 2 * 5);
  CHECK(steps[1]["value_step"] == 0);
}

TEST_CASE("single queue: it has what all queues have, and the first one's process", "[replay]") {
  const Workload single = on_single_queue(workload_of(two_processes()), "w.json");
  REQUIRE(single.queues.size() == 1);
  const QueueInfo& queue = single.queues[0];
  CHECK(queue.name == "single");
  CHECK(queue.type == QueueType::direct);
  CHECK(queue.priority == QueuePriority::high);
  CHECK(queue.process == "A");
  CHECK(queue.disable_gpu_timeout);
  CHECK(single.command_lists[1].type == CommandListType::direct);
  CHECK(single.fences[0].process.empty());
  // The thread's steps are for the one queue and its process; a reservation of the other one has gone.
  std::size_t resident = 0;
  for (const json& step : timeline_of(single, "cpus", 0)) {
    CHECK(step["type"] != "set_priority");
    CHECK(step["type"] != "set_video_memory_reservation");
    if (step.contains("queue")) CHECK(step["queue"] == "single");
    if (step["type"] == "make_resident") {
      CHECK(step["process"] == "A");
      ++resident;
    }
  }
  CHECK(resident == 2);
}

TEST_CASE("order of work: a fence that falls satisfies waits that were there before it did", "[replay]") {
  FenceHistory fence(0);
  const std::size_t at_first = fence.changes();
  fence.signal(5, 1);
  const std::size_t at_five = fence.changes();
  fence.signal(2, 2);
  const std::size_t at_two = fence.changes();
  CHECK(fence.reached(5, at_first) == 1);
  CHECK(fence.reached(5, at_five) == 1);  // where it stood
  CHECK(!fence.reached(5, at_two));
  CHECK(fence.reached(1, at_two) == 2);
  fence.signal(6, 3);
  CHECK(fence.reached(5, at_two) == 3);
  CHECK(fence.highest() == 6);
}

TEST_CASE("order of work: a wait that lasts for ever is named", "[replay]") {
  // One that any order of the steps satisfies, but not this one: the fence falls before the wait is submitted.
  const Workload workload = workload_of(json::parse(R"({
    "name": "falls", "fences": [{"name": "f"}],
    "command_lists": [{"name": "x", "type": "direct", "commands": []}],
    "queues": [{"name": "q", "type": "direct"}],
    "cpus": [
      {"name": "1", "timeline": [{"type": "fence_signal", "fence": "f", "value": 5},
                                 {"type": "fence_signal", "fence": "f", "value": 1}]},
      {"name": "2", "timeline": [{"type": "fence_wait", "fence": "f", "value": 5},
                                 {"type": "execute", "queue": "q", "lists": ["x"]}]}]
  })"));
  CHECK_THROWS_WITH(on_single_queue(workload, "w.json"),
                    "w.json: /cpus/1/timeline/0: expected a wait that what comes before it in the order of the work "
                    "satisfies; its fence reaches 5 at most, found 5, for which CPU thread \"2\" would wait for ever");
}

TEST_CASE("passes: deadlines are kept in each, and the limit is one for all", "[replay]") {
  const Shell shell;
  shell.write("w.json", R"({
    "name": "w", "machine": "tiny", "fences": [{"name": "f"}],
    "compute_pipelines": [{"name": "100 us", "registers_per_thread": 0, "group_cycles": 100000}],
    "command_lists": [{"name": "x", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "100 us"}]}],
    "queues": [{"name": "q", "type": "direct", "timeline": [
      {"type": "execute", "lists": ["x"]}, {"type": "signal", "fence": "f", "value": 1}]}],
    "deadlines": [{"name": "kept", "fence": "f", "value": 1, "us": 100}, {"name": "missed", "fence": "f", "value": 1, "us": 90}]
  })");
  const LoadedWorkload loaded = load_workload(shell.work() / "w.json", "", {});
  RunOptions options;
  options.passes = 3;
  RunResult all;
  run_workload(loaded, options, all);
  CHECK(all.passes_ps == std::vector<std::uint64_t>(3, 100'000'000));
  REQUIRE(all.deadlines.size() == 2);
  CHECK(all.deadlines[0].count == 3);
  CHECK(all.deadlines[0].met == 3);
  CHECK(all.deadlines[1].missed == 3);
  CHECK(all.deadlines[1].not_reached == 0);
  CHECK(all.deadlines[1].mean_ps == 10'000'000);
  options.limit_ps = 250'000'000;
  RunResult limited;
  run_workload(loaded, options, limited);
  CHECK(!limited.completed);
  CHECK(!limited.unfinished.empty());
  CHECK(limited.passes_ps == std::vector<std::uint64_t>{100'000'000, 100'000'000, 50'000'000});
}

TEST_CASE("trim: deadlines of frames are of those in the range, counted anew", "[replay]") {
  const json document = json::parse(R"({
    "name": "frames", "fences": [{"name": "f", "frames_of": "q"}],
    "command_lists": [{"name": "x", "type": "direct", "commands": []}],
    "queues": [{"name": "q", "type": "direct"}],
    "cpus": [{"name": "main", "timeline": [{"type": "repeat", "count": 6, "steps": [
      {"type": "sleep_until", "us": 0, "us_step": 100},
      {"type": "execute", "queue": "q", "lists": ["x"]},
      {"type": "present", "queue": "q"},
      {"type": "queue_wait", "queue": "q", "fence": "f", "value": 1, "value_step": 1}]}]}],
    "deadlines": [{"name": "frames", "fence": "f", "value": 1, "value_step": 1, "count": 6, "us": 50, "us_step": 100}]
  })");
  const ReplayRange range = {ReplayPoint{PointUnit::frame, 2}, ReplayPoint{PointUnit::frame, 5}};
  const Workload part = trimmed(workload_of(document), range, "w.json");
  REQUIRE(part.deadlines.size() == 1);
  CHECK(part.deadlines[0].value == 1);  // the third frame
  CHECK(part.deadlines[0].count == 3);
  CHECK(part.deadlines[0].us == 150);
  REQUIRE(part.fences.size() == 1);
  CHECK(part.fences[0].frames_of == "q");
  CHECK(part.fences[0].initial_value == 0);
  std::vector<std::uint64_t> waits;
  const WorkOrder order = order_of(part, "w.json");
  for (const WorkEvent& event : order.events) {
    if (event.kind == Step::Kind::queue_wait) waits.push_back(event.value);
  }
  CHECK(waits == std::vector<std::uint64_t>{1, 2});  // the last one comes behind the point
}

TEST_CASE("order of work: a wait for a frame that nobody presents lasts for ever", "[replay]") {
  const Workload workload = workload_of(json::parse(R"({
    "name": "one", "fences": [{"name": "f", "frames_of": "q"}],
    "queues": [{"name": "q", "type": "direct", "timeline": [{"type": "present"}, {"type": "wait", "fence": "f", "value": 2}]}]
  })"));
  CHECK_THROWS_WITH(order_of(workload, "w.json"), Contains("/queues/0/timeline/1") && Contains("reaches 1 at most"));
}

TEST_CASE("passes: deadlines of frames are of those of the pass", "[replay]") {
  const Shell shell;
  shell.write("w.json", R"({
    "name": "w", "machine": "tiny", "fences": [{"name": "f", "frames_of": "q"}],
    "compute_pipelines": [{"name": "50 us", "registers_per_thread": 0, "group_cycles": 50000}],
    "command_lists": [{"name": "x", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "50 us"}]}],
    "queues": [{"name": "q", "type": "direct"}],
    "cpus": [{"name": "main", "timeline": [
      {"type": "execute", "queue": "q", "lists": ["x"]}, {"type": "present", "queue": "q"},
      {"type": "fence_wait", "fence": "f", "value": 1}, {"type": "execute", "queue": "q", "lists": ["x"]}]}],
    "deadlines": [{"name": "in time", "fence": "f", "value": 1, "us": 9975}]
  })");
  // Vertical blanks at 10,000 and 20,000 us: 10,000 and 9,950 after the passes' beginnings.
  const LoadedWorkload loaded = load_workload(shell.work() / "w.json", "", {"/display/refresh_hz=100"});
  RunOptions options;
  options.passes = 2;
  RunResult result;
  run_workload(loaded, options, result);
  REQUIRE(result.deadlines.size() == 1);
  CHECK(result.deadlines[0].met == 1);
  CHECK(result.deadlines[0].missed == 1);
  CHECK(result.deadlines[0].not_reached == 0);
  CHECK(result.deadlines[0].worst_ps == 25'000'000);
}
