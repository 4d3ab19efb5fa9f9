// SPDX-License-Identifier: Apache-2.0
// What the shipped workloads show of preemption.
#include "api/import/import_kineto.hpp"
#include "api/report/run/run.hpp"
#include "sim/config/config.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

/// One run without files.
std::unique_ptr<RunResult> played(const std::string& name, const std::vector<std::string>& sets = {}) {
  auto result = std::make_unique<RunResult>();
  run_workload(load_workload(shipped_workload(name), "", sets), {}, *result);
  CHECK(result->completed);
  return result;
}

/// An engine that stops at these boundaries.
std::vector<std::string> stopping_at(std::size_t engine, const std::string& graphics, const std::string& compute) {
  const std::string at = "/engines/" + std::to_string(engine);
  std::vector<std::string> sets = {at + R"(/compute_preemption={"granularity": ")" + compute + "\"}"};
  if (!graphics.empty()) sets.push_back(at + R"(/graphics_preemption={"granularity": ")" + graphics + "\"}");
  return sets;
}

/// Processes take turns of 2.05 ms on the H200's compute engine.
std::vector<std::string> time_sliced(const std::string& compute) {
  std::vector<std::string> sets = stopping_at(1, "", compute);
  for (const char* set : {"/scheduler/policy=time_slice", "/scheduler/time_slice_us=2050", "/engines/1/runlist=gpu"}) {
    sets.emplace_back(set);
  }
  return sets;
}

/// From coarse to fine.
const std::pair<const char*, const char*> levels[] = {
    {"none", "none"},
    {"dma_buffer_boundary", "dma_buffer_boundary"},
    {"primitive_boundary", "dispatch_boundary"},
    {"triangle_boundary", "thread_group_boundary"},
    {"pixel_boundary", "thread_boundary"},
    {"shader_boundary", "shader_boundary"},
};

ContextStats queue_of(const RunResult& result, const std::string& name) {
  for (const ContextStats& context : result.stats.contexts()) {
    if (context.context == "adapter.scheduler." + name) return context;
  }
  FAIL("no queue " << name);
  return {};
}

}  // namespace

TEST_CASE("game_and_compositor: the finer the engine stops, the fewer vertical blanks are missed", "[scenario]") {
  std::vector<std::uint64_t> missed;
  std::vector<std::uint64_t> p99;
  for (const auto& [graphics, compute] : levels) {
    INFO(graphics << " " << compute);
    const auto result = played("game_and_compositor", stopping_at(0, graphics, compute));
    REQUIRE(result->deadlines.size() == 2);
    CHECK(result->deadlines[0].name == "vsync");
    CHECK(result->deadlines[1].missed == 0);  // the game has time to spare
    missed.push_back(result->deadlines[0].missed);
    const NodePreemption& total = result->preemption.total;
    const bool inside = p99.size() >= 2;  // a frame is one packet
    CHECK((total.stopped > 0) == inside);
    CHECK(total.requests == total.attempts[0]);
    CHECK(total.latency.max_ps <= total.drain.max_ps + total.save.max_ps);
    CHECK(queue_of(*result, "game").preemptions == total.packets);
    CHECK((queue_of(*result, "game").preempted_ps > 0) == inside);
    p99.push_back(total.latency.p99_ps);
  }
  CHECK(missed[0] > 4);
  CHECK(std::is_sorted(missed.rbegin(), missed.rend()));
  CHECK(missed[2] < missed[1]);
  CHECK(missed[3] == 0);
  CHECK(p99[3] < p99[2]);       // a draw of several triangles, a dispatch of many groups
  CHECK(p99[4] < p99[3] / 10);  // a triangle as large as the screen
}

TEST_CASE("game_and_compositor: both granularities count", "[scenario]") {
  const auto missed = [](const char* graphics, const char* compute) {
    return played("game_and_compositor", stopping_at(0, graphics, compute))->deadlines.at(0).missed;
  };
  const std::uint64_t both = missed("triangle_boundary", "thread_group_boundary");
  CHECK(missed("dma_buffer_boundary", "thread_group_boundary") > both);
  CHECK(missed("triangle_boundary", "dma_buffer_boundary") > both);
}

TEST_CASE("vr_timewarp: a warp comes in time when frames can be stopped inside", "[scenario]") {
  std::vector<std::uint64_t> missed;
  for (const auto& [graphics, compute] : levels) {
    if (graphics == std::string("none")) continue;  // a global_realtime queue needs an engine that can be preempted
    const auto result = played("vr_timewarp", stopping_at(0, graphics, compute));
    CHECK(result->deadlines.at(0).name == "vsync");
    CHECK(result->deadlines.at(1).missed == 0);
    missed.push_back(result->deadlines.at(0).missed);
  }
  CHECK(missed[0] == 9);  // frames are longer than what is left
  // Where the warp meets the dispatch:
  CHECK(missed[1] < 9);
  CHECK(missed[2] + missed[3] + missed[4] == 0);
}

TEST_CASE("background_compute: the game keeps its rate once dispatches give way", "[scenario]") {
  std::vector<std::uint64_t> missed;
  std::vector<std::uint64_t> latency;
  for (const auto& [graphics, compute] : levels) {
    const auto result = played("background_compute", stopping_at(0, graphics, compute));
    missed.push_back(result->deadlines.at(0).missed);
    latency.push_back(result->preemption.total.latency.max_ps);
  }
  CHECK(missed[0] == 8);
  CHECK(missed[1] == 8);  // three dispatches of 5 ms and a frame of 7 ms
  CHECK(missed[2] + missed[3] + missed[4] + missed[5] == 0);
  CHECK(latency[1] > 2 * latency[2]);
  CHECK(latency[2] > 10 * latency[3]);
}

TEST_CASE("high_priority_compute: thread groups of high priority go first, those of none wait for whole kernels",
          "[scenario]") {
  const auto high = played("high_priority_compute");
  CHECK(high->deadlines.at(0).missed == 0);
  const auto normal = played("high_priority_compute", {"/workload/queues/1/priority=normal"});
  CHECK(normal->deadlines.at(0).missed > 14);
  // With one hardware queue the kernels themselves have to give way.
  std::vector<std::string> sets = stopping_at(1, "", "thread_group_boundary");
  sets.emplace_back("/engines/1/hardware_queues=1");
  const auto one_queue = played("high_priority_compute", sets);
  CHECK(one_queue->deadlines.at(0).missed == 0);
  CHECK(one_queue->preemption.total.stopped == 28);
}

TEST_CASE("two_processes_time_sliced: they take turns as finely as the engine stops", "[scenario]") {
  const auto turns = [](const char* compute) {
    const auto result = played("two_processes_time_sliced", time_sliced(compute));
    return std::pair(queue_of(*result, "many").preemptions, queue_of(*result, "one").preemptions);
  };
  const auto [many_at_dispatches, one_at_dispatches] = turns("dispatch_boundary");
  CHECK(many_at_dispatches == 1);  // then the long kernel has the GPU
  CHECK(one_at_dispatches == 0);
  const auto [many_at_groups, one_at_groups] = turns("thread_group_boundary");
  CHECK(many_at_groups > 10);
  CHECK(one_at_groups > 10);
  const auto [many_at_instructions, one_at_instructions] = turns("shader_boundary");
  CHECK(many_at_instructions == Approx(40 / 2.05).margin(2));
  CHECK(one_at_instructions == Approx(40 / 2.05).margin(2));
}

TEST_CASE("train_and_decode: its command lists are those that the import writes", "[scenario][kineto]") {
  const Shell shell;
  const std::string traces = (source_directory() / "bench/hardware/h200").string();
  const auto output =
      shell.fenceline({"import", "kineto", traces + "/torch_decode.kineto.json", traces + "/torch_train.kineto.json",
                       "--context", "decode", "--context", "train", "-o", "both.json"});
  CHECK(output.code == 0);
  const auto imported = load_json(shell.work() / "both.json");
  const auto shipped = dump_config(read_config<Workload>(load_json(shipped_workload("train_and_decode")), "shipped"));
  for (const char* part : {"resources", "compute_pipelines", "command_lists", "processes"}) {
    INFO(part);
    CHECK((json(shipped[part]) == imported[part]));
  }
}

TEST_CASE("train_and_decode: a decode step takes longer beside training, by turns less than twice", "[scenario]") {
  // Latency of a decode step: from its submission until it is done.
  const auto latency_us = [](const RunResult& result) {
    const ContextStats decode = queue_of(result, "decode");
    const std::uint64_t sum_ps = decode.queue.mean_ps * decode.render_packets + decode.running_ps + decode.preempted_ps;
    return static_cast<double>(sum_ps) / static_cast<double>(decode.render_packets) / 1e6;
  };
  const double alone_us = latency_us(*played("train_and_decode", {"/workload/cpus/1/timeline=[]"}));
  CHECK(alone_us == Approx(2939).epsilon(0.02));  // torch_mix.json, decode_alone_us
  const auto sliced = played("train_and_decode", time_sliced("shader_boundary"));
  CHECK(latency_us(*sliced) > 1.4 * alone_us);
  CHECK(latency_us(*sliced) < 2.2 * alone_us);  // measured: 5203 us
  CHECK(queue_of(*sliced, "decode").preemptions > 15);
  CHECK(queue_of(*sliced, "train").preemptions > 15);
}

TEST_CASE("preemption in a run's files: report, page and summary say the same", "[scenario][cli]") {
  const Shell shell;
  const auto output = shell.fenceline({"run", shipped_workload("background_compute").string(), "--out", "run", "--html",
                                       "--set", stopping_at(0, "", "shader_boundary").front()});
  REQUIRE(output.code == 0);
  const auto result = played("background_compute", stopping_at(0, "", "shader_boundary"));
  const NodePreemption& total = result->preemption.total;
  const json statistics = load_json(shell.work() / "run/report.json")["statistics"];
  const json& preemption = statistics["preemption"];
  CHECK(preemption["requests"] == total.requests);
  // The coarsest of those that run compute: the compute engine's own was not changed.
  CHECK(preemption["caps"] == json{{"graphics", "dma_buffer_boundary"}, {"compute", "dma_buffer_boundary"}});
  CHECK(preemption["latency_ps"]["p99"] == total.latency.p99_ps);
  CHECK(preemption["drain_ps"]["mean"] == total.drain.mean_ps);
  CHECK(preemption["save_ps"]["mean"] == total.save.mean_ps);
  CHECK(preemption["saved_bytes"] == total.saved_bytes);
  CHECK(preemption["saved_bytes"] > 0);
  CHECK(preemption["lost_ps"] == total.lost_ps);
  CHECK(preemption["attempts"]["Success"] == total.requests);
  CHECK(preemption["attempts"].size() == preemption_attempt_results);
  REQUIRE(preemption["engines"].size() == 1);
  CHECK(preemption["engines"][0]["engine"] == "adapter.3d0");
  CHECK(preemption["engines"][0]["requests"] == total.requests);
  CHECK(statistics["deadlines"][0]["missed"] == result->deadlines[0].missed);
  CHECK_THAT(output.out, Contains("\npreemption ") && Contains("\n3d0 ") && Contains("\ndeadline ") &&
                             Contains("MissAlreadyRunning") && Contains(std::to_string(total.saved_bytes)));
  const std::string page = contents_of(shell.work() / "run/timeline.html");
  CHECK_THAT(page, Contains("<h2>Preemption</h2>") && Contains("<h2>Attempts to preempt</h2>") &&
                       Contains("<h2>Deadlines</h2>"));
  const std::string trace = contents_of(shell.work() / "run/trace.json");
  CHECK_THAT(trace, Contains("adapter.3d0 preemption") && Contains("\"preempted\"") && Contains("\"save\""));
}

TEST_CASE("preemption in the summary: nothing is said where nothing was attempted", "[scenario][cli]") {
  const Shell shell;
  const auto output = shell.fenceline({"run", shipped_workload("multi_engine").string(), "--out", "run", "--html"});
  REQUIRE(output.code == 0);
  CHECK_THAT(output.out, !Contains("preemption  ") && !Contains("deadline") && !Contains("attempts"));
  CHECK_THAT(contents_of(shell.work() / "run/timeline.html"),
             !Contains("<h2>Preemption") && !Contains("<h2>Deadlines"));
  const json statistics = load_json(shell.work() / "run/report.json")["statistics"];
  CHECK(statistics["preemption"]["engines"].empty());
  CHECK_FALSE(statistics.contains("deadlines"));
}
