// SPDX-License-Identifier: Apache-2.0
// What a run's files say of preemption, step by step.
#include "api/report/run/run.hpp"
#include "sim/config/config.hpp"
#include "tests/support/csv_reader.hpp"
#include "tests/support/preemption_closure.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

/// A run's files.
class Protocol {
 public:
  Protocol(const json& workload, const std::vector<std::string>& sets) {
    write_file(directory_ / "workload.json", workload.dump());
    play(directory_ / "workload.json", sets);
  }
  explicit Protocol(const std::filesystem::path& shipped, const std::vector<std::string>& sets = {}) {
    play(shipped, sets);
  }
  CsvTable rows() const { return CsvTable(file("preemptions.csv")); }
  json trace() const { return json::parse(file("trace.json")).at("traceEvents"); }
  std::string file(const std::string& name) const { return contents_of(directory_ / "run" / name); }
  const RunResult& result() const { return *result_; }

 private:
  void play(const std::filesystem::path& workload, const std::vector<std::string>& sets) {
    RunOptions options;
    options.directory = directory_ / "run";
    run_workload(load_workload(workload, "", sets), options, *result_);
    CHECK(result_->completed);
  }
  TemporaryDirectory directory_;
  std::unique_ptr<RunResult> result_ = std::make_unique<RunResult>();
};

/// On tiny: a dispatch of 40 groups of 10 us, 8 at a time, begins at 0. A realtime one of 8 such groups comes at 25,
/// and the normal band has a grace of 7. The grace is over at 32; groups that have places end at 40.
json two_dispatches() {
  return json::parse(R"({
    "name": "two dispatches", "machine": "tiny",
    "compute_pipelines": [{"name": "cs", "threads": 64, "registers_per_thread": 32, "group_cycles": 10000}],
    "fences": [],
    "command_lists": [
      {"name": "long", "type": "compute", "commands": [{"type": "dispatch", "pipeline": "cs", "x": 40}]},
      {"name": "short", "type": "compute", "commands": [{"type": "dispatch", "pipeline": "cs", "x": 8}]}
    ],
    "processes": [{"name": "app"}, {"name": "urgent", "priority": "realtime"}],
    "queues": [
      {"name": "long", "type": "compute", "process": "app", "timeline": [{"type": "execute", "lists": ["long"]}]},
      {"name": "short", "type": "compute", "process": "urgent"}
    ],
    "cpus": [{"name": "cpu", "timeline": [
      {"type": "sleep_until", "us": 25}, {"type": "execute", "queue": "short", "lists": ["short"]}
    ]}]
  })");
}

/// 100,000 bytes at 100 GB/s are 1 us: a save of 1 + 1, a restore of 2 + 1; ISR and DPC together 2.
std::vector<std::string> costs(const std::string& granularity) {
  return {R"(/engines/1/compute_preemption={"granularity": ")" + granularity + "\"}",
          R"(/engines/1/context_state={"bytes": 100000, "save_us": 1, "restore_us": 2, "gb_per_s": 100})",
          "/scheduler/bands/normal/grace_us=7", "/scheduler/isr_us=1", "/scheduler/dpc_us=1"};
}

std::uint64_t us(double time) { return static_cast<std::uint64_t>(time * 1e6 + 0.5); }

}  // namespace

TEST_CASE("preemptions.csv of a run on tiny: groups end, the context is saved, and the other begins", "[scenario]") {
  // Requested at 25 + 7, stopped at 40, saved at 42, known at 44: the short one runs from 44 to 54. The long one is
  // behind it in the hardware queue, is restored until 57 and has 8 groups left: it ends at 67.
  const Protocol played(two_dispatches(), costs("thread_group_boundary"));
  const CsvTable rows = played.rows();
  REQUIRE(rows.size() == 1);
  CHECK(rows.at(0, "node") == "adapter.compute0");
  CHECK(rows.at(0, "reason") == "higher_rank");
  CHECK(rows.at(0, "outcome") == "stopped");
  CHECK(rows.at(0, "level_reached") == "thread_group_boundary");
  CHECK(rows.at(0, "victim") == "adapter.scheduler.long");
  CHECK(rows.at(0, "beneficiary") == "adapter.scheduler.short");
  CHECK(rows.ps(0, "ready_us") == us(25));
  CHECK(rows.ps(0, "requested_us") == us(32));
  CHECK(rows.ps(0, "stopped_us") == us(40));
  CHECK(rows.ps(0, "free_us") == us(42));
  CHECK(rows.ps(0, "known_us") == us(44));
  CHECK(rows.ps(0, "beneficiary_started_us") == us(44));
  CHECK(rows.ps(0, "resumed_us") == us(57));
  CHECK(rows.ps(0, "wait_us") == us(7));
  CHECK(rows.ps(0, "restore_wait_us") == 0);
  CHECK(rows.ps(0, "drain_us") == us(8));
  CHECK(rows.ps(0, "save_us") == us(2));
  CHECK(rows.ps(0, "restore_us") == us(3));
  CHECK(rows.number(0, "saved_bytes") == 100000);
  CHECK(rows.number(0, "saved_context_bytes") == 100000);
  // Ids of the node's one sequence: the long one, the short one behind it, the request, the short one and the long one
  // again.
  CHECK(rows.number(0, "victim_fence_id") == 1);
  CHECK(rows.number(0, "preemption_fence_id") == 3);
  CHECK(rows.number(0, "victim_new_fence_id") == 5);
  CHECK(played.result().end_ps == us(67 + 2));  // known after ISR and DPC
  CHECK(played.result().preemption.total.latency.max_ps == us(42 - 25));
  CHECK(played.result().preemption.total.from_request.max_ps == us(42 - 32));
}

TEST_CASE("preemptions.csv of a run on tiny: while nothing can be stopped yet what is queued behind begins",
          "[scenario]") {
  // Requested at 32, and for 100 us the engine takes no notice: the long one ends at 50 and the short one, queued
  // behind it, runs from 50 to 60. Then nothing is left to stop, which is known at 62.
  std::vector<std::string> sets = costs("thread_group_boundary");
  sets.front() = R"(/engines/1/compute_preemption={"granularity": "thread_group_boundary", "escalation": [
    {"granularity": "none", "after_us": 0}, {"granularity": "thread_group_boundary", "after_us": 100}]})";
  const Protocol played(two_dispatches(), sets);
  const CsvTable rows = played.rows();
  REQUIRE(rows.size() == 1);
  CHECK(rows.at(0, "outcome") == "ended");
  CHECK(rows.number(0, "packets") == 0);
  CHECK(rows.ps(0, "requested_us") == us(32));
  CHECK(rows.ps(0, "beneficiary_started_us") == us(50));
  CHECK(rows.ps(0, "free_us") == us(60));
  CHECK(rows.ps(0, "known_us") == us(62));
  CHECK_FALSE(rows.has(0, "resumed_us"));
}

TEST_CASE("preemptions.csv of a run on tiny: between instructions the groups' state is saved, by kind", "[scenario]") {
  // 8 groups of 64 threads with 32 registers of 4 bytes: 65,536 bytes, and 8 bytes for each of the 512 threads. With
  // the context's 30,368 these are 100,000 bytes, 1 us: stopped at 32, free at 34.
  std::vector<std::string> sets = costs("shader_boundary");
  sets[1] =
      R"(/engines/1/context_state={"bytes": 30368, "thread_bytes": 8, "save_us": 1, "restore_us": 2, "gb_per_s": 100})";
  const CsvTable rows = Protocol(two_dispatches(), sets).rows();
  REQUIRE(rows.size() == 1);
  CHECK(rows.at(0, "level_reached") == "shader_boundary");
  CHECK(rows.ps(0, "drain_us") == 0);
  CHECK(rows.ps(0, "save_us") == us(2));
  CHECK(rows.ps(0, "free_us") == us(34));
  CHECK(rows.number(0, "saved_bytes") == 100000);
  CHECK(rows.number(0, "saved_context_bytes") == 30368);
  CHECK(rows.number(0, "saved_register_bytes") == 65536);
  CHECK(rows.number(0, "saved_shared_bytes") == 0);
  CHECK(rows.number(0, "saved_thread_bytes") == 4096);
  CHECK(rows.ps(0, "restore_us") == us(3));
}

TEST_CASE("log.txt and trace.json of a run tell of each step of a preemption", "[scenario]") {
  const Protocol played(two_dispatches(), costs("thread_group_boundary"));
  const std::string log = played.file("log.txt");
  const std::vector<const char*> lines = {
      "adapter.compute0: packet 1 of adapter.scheduler.long, ready for 0.000000 us, submitted to hardware queue 0, "
      "SubmissionFenceId 1\n",
      "[      25.000000 us] adapter.compute0: attempt to preempt packet 1 of adapter.scheduler.long in hardware queue "
      "0 "
      "for packet 2 of adapter.scheduler.short: MissRemainingPreemptionQuantum\n",
      "[      32.000000 us] adapter.compute0: request to preempt hardware queue 0, PreemptionFenceId 3, higher_rank: "
      "packet 1 of adapter.scheduler.long gives way to packet 2 of adapter.scheduler.short, ready for 7.000000 us\n",
      "[      42.000000 us] adapter.compute0: interrupt dma_preempted of hardware queue 0, PreemptionFenceId 3, "
      "LastCompletedFenceId 0, known at 44.000000 us\n",
      "[      44.000000 us] adapter.compute0: request 3 answered by hardware queue 0, packets back: 2",
      "submitted to hardware queue 0, SubmissionFenceId 5, was 1 before it came back\n",
      "interrupt dma_completed of hardware queue 0, SubmissionFenceId 4, known at 56.000000 us\n"};
  std::size_t at = 0;
  for (const char* line : lines) {
    INFO(line);
    at = log.find(line, at);
    REQUIRE(at != std::string::npos);
  }
  CHECK_THAT(log, Contains("adapter.scheduler.short: process urgent, realtime band, level 0"));

  std::vector<std::pair<std::string, double>> arrow;
  std::vector<std::string> instants;
  for (const json& event : played.trace()) {
    const std::string phase = event.at("ph");
    if (phase == "s" || phase == "t" || phase == "f") arrow.emplace_back(phase, event.at("ts"));
    if (phase == "i" && event.contains("cat") && event.at("cat") != "rank") {
      instants.push_back(event.at("name"));
      if (event.at("name") == "dma_preempted") CHECK(event.at("args").at("LastCompletedFenceId") == 0);
    }
  }
  std::sort(arrow.begin(), arrow.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  CHECK(arrow == std::vector<std::pair<std::string, double>>{{"s", 32}, {"t", 40}, {"f", 44}});
  CHECK(std::count(instants.begin(), instants.end(), "submission") == 4);  // two of them again
  CHECK(std::count(instants.begin(), instants.end(), "request: higher_rank") == 1);
  CHECK(std::count(instants.begin(), instants.end(), "MissRemainingPreemptionQuantum") >= 1);
  CHECK(std::count(instants.begin(), instants.end(), "dma_completed") == 2);
}

TEST_CASE("preemptions.csv of shipped workloads agrees with their statistics and with every piece", "[scenario]") {
  const std::vector<std::pair<const char*, std::vector<std::string>>> runs = {
      {"game_and_compositor", {R"(/engines/0/graphics_preemption={"granularity": "primitive_boundary"})"}},
      {"game_and_compositor",
       {R"(/engines/0/graphics_preemption={"granularity": "shader_boundary"})",
        R"(/engines/0/compute_preemption={"granularity": "shader_boundary"})", "/scheduler/isr_us=3",
        "/scheduler/dpc_us=5", "/scheduler/bands/normal/grace_us=100"}},
      {"background_compute", {R"(/engines/0/compute_preemption={"granularity": "thread_group_boundary"})"}},
      {"two_processes_time_sliced",
       {R"(/engines/1/compute_preemption={"granularity": "shader_boundary"})", "/scheduler/policy=time_slice",
        "/scheduler/time_slice_us=2050", "/engines/1/runlist=gpu"}},
  };
  for (const auto& [name, sets] : runs) {
    INFO(name << " " << sets.front());
    const LoadedWorkload loaded = load_workload(shipped_workload(name), "", sets);
    PreemptionClosure closure;
    RunOptions options;
    options.progress = &closure;
    RunResult result;
    run_workload(loaded, options, result);
    CHECK(result.preemption.total.requests > 0);
    CHECK(closure.mistake(EventLog(), false) == "");
  }
}

TEST_CASE("game_and_compositor: each row leads from the compositor's wish to its start", "[scenario]") {
  const Protocol played(shipped_workload("game_and_compositor"),
                        {R"(/engines/0/graphics_preemption={"granularity": "pixel_boundary"})",
                         R"(/engines/0/compute_preemption={"granularity": "thread_boundary"})"});
  const CsvTable rows = played.rows();
  REQUIRE(rows.size() == played.result().preemption.total.requests);
  std::uint64_t stopped = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO(i);
    if (rows.at(i, "outcome") != "stopped") continue;
    ++stopped;
    CHECK(rows.at(i, "victim") == "adapter.scheduler.game");
    CHECK(rows.at(i, "beneficiary") == "adapter.scheduler.compositor");
    CHECK(rows.ps(i, "ready_us") <= rows.ps(i, "requested_us"));
    CHECK(rows.ps(i, "requested_us") <= rows.ps(i, "stopped_us"));
    CHECK(rows.ps(i, "stopped_us") <= rows.ps(i, "free_us"));
    CHECK(rows.ps(i, "known_us") <= rows.ps(i, "beneficiary_started_us"));
    CHECK(rows.ps(i, "beneficiary_started_us") < rows.ps(i, "resumed_us"));
  }
  CHECK(stopped == played.result().preemption.total.stopped);
  CHECK(stopped > 5);
}
