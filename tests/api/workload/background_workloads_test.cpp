// SPDX-License-Identifier: Apache-2.0
// The shipped workloads of background processing show what they are for.
#include "api/report/run/run.hpp"
#include "api/workload/load/workload_file.hpp"
#include "api/workload/play/player.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// The times at which frames ended, and what was said of tasks.
struct Frames final : LogSink {
  explicit Frames(const std::string& name, const std::vector<std::string>& sets = {}) {
    const LoadedWorkload loaded = load_workload(shipped_workload(name), "", sets);
    Machine machine(loaded.machine);
    Player player(machine, loaded.program);
    machine.log().attach(*this);
    CHECK(player.play());
  }
  void packet(const EventLog&, const PacketRecord& packet) override {
    if (packet.type == PacketType::render) ran_ps.push_back(packet.finished_ps - packet.started_ps);
  }
  void counter(const EventLog& log, const Counter& counter) override {
    if (log.text(counter.track) == "adapter.fences.frames" && counter.value > 0) ended_ps.push_back(counter.at_ps);
  }
  void task(const EventLog&, const TaskRecord& task) override {
    if (task.what == TaskRecord::What::finished) ++tasks;
  }
  std::vector<std::uint64_t> ran_ps;
  std::vector<std::uint64_t> ended_ps;
  int tasks = 0;
};

}  // namespace

TEST_CASE("background workloads: frames of pgo_glitch take longer the more tasks run beside them", "[api]") {
  std::uint64_t before_ps = 0;
  for (const int tasks : {0, 1, 2, 4}) {
    const std::string count = std::to_string(tasks);
    const Frames frames("pgo_glitch",
                        {"/workload/cpus/8/timeline/1/count=" + count, "/background_processing/parallel_tasks=4"});
    CHECK(frames.tasks >= tasks);
    REQUIRE_FALSE(frames.ended_ps.empty());
    CAPTURE(tasks);
    CHECK(frames.ended_ps.back() > before_ps);
    before_ps = frames.ended_ps.back();
  }
}

TEST_CASE("background workloads: pgo_benchmark converges, and its last frames are faster than those of pgo_off",
          "[api]") {
  const Frames trained("pgo_benchmark");
  const Frames off("pgo_off");
  REQUIRE(trained.ran_ps.size() >= 100);
  CHECK(trained.ran_ps.size() < 1000);  // it stopped training by itself
  CHECK(trained.tasks > 0);
  CHECK(off.tasks == 0);
  CHECK(trained.ran_ps.back() < off.ran_ps.back());
}

TEST_CASE("background workloads: A and B of pgo_single_frame take the same time", "[api]") {
  const Frames frames("pgo_single_frame");
  REQUIRE(frames.ran_ps.size() >= 3);
  CHECK(frames.ran_ps.back() == frames.ran_ps[frames.ran_ps.size() - 2]);
  CHECK(frames.ran_ps.back() < frames.ran_ps.front());
}

TEST_CASE("background workloads: their runs are the same bytes each time", "[api]") {
  const std::string name = GENERATE("pgo_single_frame", "pgo_benchmark", "pgo_glitch", "pgo_off");
  const std::vector<std::string> sets = {"/background_processing/pgo/tuning_period=3"};
  const Shell shell;
  const auto run_into = [&](const char* directory) {
    RunOptions options;
    options.directory = shell.work() / directory;
    options.outputs = {"vcd", "html"};
    RunResult result;
    run_workload(load_workload(shipped_workload(name), "", sets), options, result);
    CHECK(result.completed);
  };
  run_into("first");
  run_into("second");
  const auto first = files_in(shell.work() / "first");
  CHECK(first.size() >= 5);
  CHECK((first == files_in(shell.work() / "second")));
}

TEST_CASE("background workloads: what a machine still tells as it goes with tasks under way is for nobody", "[api]") {
  struct Late final : LogSink {
    void task(const EventLog&, const TaskRecord&) override { heard += ended ? 1 : 0; }
    void span(const EventLog&, const Span&) override { heard += ended ? 1 : 0; }
    void finish(const EventLog&, std::uint64_t) override { ended = true; }
    bool ended = false;
    int heard = 0;
  };
  int under_way = 0;
  for (const std::uint64_t ms : {1, 10, 20, 40, 60, 80, 100}) {
    Late late;
    RunOptions options;
    options.limit_ps = ms * 1'000'000'000;
    options.progress = &late;
    RunResult result;
    run_workload(load_workload(shipped_workload("pgo_glitch"), "", {}), options, result);
    for (const auto& [process, told] : result.background) {
      under_way += told.queued > told.finished + told.cancelled ? 1 : 0;
    }
    CHECK(late.ended);
    CHECK(late.heard == 0);
  }
  CHECK(under_way > 0);
}
