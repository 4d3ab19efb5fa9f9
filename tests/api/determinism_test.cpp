// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/run.hpp"
#include "api/workload/play/player.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

void run_into(const std::filesystem::path& workload, const std::filesystem::path& directory,
              const std::vector<std::string>& sets = {}) {
  RunOptions options;
  options.directory = directory;
  options.detailed_trace = sets.empty();
  if (!sets.empty()) options.outputs = {"vcd", "html"};
  RunResult result;
  run_workload(load_workload(workload, "", sets), options, result);
  CHECK(result.completed);
}

/// Does something unrelated in this process and leaves a machine half done.
std::unique_ptr<Machine> distraction() {
  MachineConfig config = builtin_machine("h200");
  config.shader_array.sms = 7;
  config.shader_array.graphics_sms = 3;
  const auto loaded = load_workload(shipped_workload("ring_buffer"), "", {});
  Machine other(config);
  Player(other, loaded.program).play();
  auto half_done = std::make_unique<Machine>(config);
  const FenceId fence = half_done->create_fence("fence2");
  const ContextId queue = half_done->create_queue({"copy", QueueType::copy, QueuePriority::high, ""});
  for (std::uint64_t i = 1; i < 20; ++i) {
    half_done->execute(queue, loaded.program.lists[0]);
    half_done->signal(queue, fence, i);
  }
  half_done->run_until(fence, 9);
  return half_done;
}

}  // namespace

TEST_CASE("run directory: it is the same bytes in one process, in two, and whatever went before", "[api]") {
  const std::string name = GENERATE("multi_engine", "ring_buffer", "pipelined_compute_graphics", "commands");
  const Shell shell;
  const auto workload = shipped_workload(name);
  run_into(workload, shell.work() / "first");
  const auto left_over = distraction();
  run_into(workload, shell.work() / "second");
  CHECK(shell.fenceline({"run", workload.string(), "--trace", "--out", "third"}).code == 0);
  CHECK(shell.fenceline({"run", workload.string(), "--trace", "--out", "elsewhere/fourth"}).code == 0);

  const auto first = files_in(shell.work() / "first");
  CHECK(first.size() == 10);
  for (const char* file : {"report.json", "trace.json", "packets.csv", "preemptions.csv", "log.txt"}) {
    REQUIRE(first.count(file) == 1);
    CHECK(first.at(file).size() > 100);
  }
  CHECK((first == files_in(shell.work() / "second")));  // in parentheses: not 300 kB of text in a message
  CHECK((first == files_in(shell.work() / "third")));
  CHECK((first == files_in(shell.work() / "elsewhere/fourth")));
}

TEST_CASE("run directory: with preemption, too, it is the same bytes each time", "[api]") {
  const Shell shell;
  const auto workload = shipped_workload("background_compute");
  const std::vector<std::string> sets = {R"(/engines/0/graphics_preemption={"granularity": "shader_boundary"})",
                                         R"(/engines/0/compute_preemption={"granularity": "shader_boundary"})",
                                         "/scheduler/interrupt_jitter_us=1"};
  run_into(workload, shell.work() / "first", sets);
  const auto left_over = distraction();
  run_into(workload, shell.work() / "second", sets);
  const auto first = files_in(shell.work() / "first");
  CHECK(first.size() == 12);
  CHECK((first == files_in(shell.work() / "second")));
}

TEST_CASE("run directory: it is the same bytes by the shader array's rules and by its shortcuts", "[api]") {
  const std::string name = GENERATE("multi_engine", "every_unit", "four_bands", "high_priority_compute");
  const Shell shell;
  for (const char* simulate : {"rules", "shortcuts"}) {
    const std::string set = std::string("/shader_array/simulate=") + simulate;
    REQUIRE(
        shell.fenceline({"run", shipped_workload(name).string(), "--trace", "--vcd", "--set", set, "--out", simulate})
            .code == 0);
  }
  auto by_rules = files_in(shell.work() / "rules");
  auto by_shortcuts = files_in(shell.work() / "shortcuts");
  CHECK(by_rules.at("report.json").find(R"("simulate": "rules")") != std::string::npos);
  by_rules.erase("report.json");  // it holds the machine as it was set
  by_shortcuts.erase("report.json");
  CHECK(by_rules.size() >= 5);
  CHECK(by_rules == by_shortcuts);
}
