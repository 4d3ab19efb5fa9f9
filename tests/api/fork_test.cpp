// SPDX-License-Identifier: Apache-2.0
// Parameters of a machine that change while it runs: `run --fork`.
#include "api/capture/file/recorded_run.hpp"
#include "api/machine_change.hpp"
#include "api/report/run/run.hpp"
#include "api/workload/load/live_change.hpp"
#include "api/workload/load/workload_file.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_pointer.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

struct Files {
  std::string packets;
  std::string preemptions;
  std::string log;
  std::uint64_t end_ps;
};

/// The workload's run, on a machine with these values from the beginning, or changed so at a time.
Files played(const Shell& shell, const std::string& workload, const std::vector<std::string>& sets,
             const std::optional<PlayedChange>& change = {}) {
  RunOptions options;
  options.directory = shell.work() / "run";
  if (change) options.change = std::make_shared<const PlayedChange>(*change);
  RunResult result;
  run_workload(load_workload(shipped_workload(workload), "", sets), options, result);
  return {contents_of(options.directory / "packets.csv"), contents_of(options.directory / "preemptions.csv"),
          contents_of(options.directory / "log.txt"), result.end_ps};
}

/// Rows of packets that were over by then.
std::multiset<std::string> over_by(const std::string& packets, std::uint64_t at_ps) {
  std::multiset<std::string> rows;
  std::istringstream lines(packets);
  std::string head;
  std::getline(lines, head);
  const auto column = [&](const std::string& line, const std::string& name) {
    std::istringstream names(head);
    std::istringstream values(line);
    std::string one;
    std::string value;
    while (std::getline(names, one, ',') && std::getline(values, value, ',')) {
      if (one == name) return value;
    }
    return std::string();
  };
  for (std::string line; std::getline(lines, line);) {
    const std::string completed = column(line, "completed_us");
    if (!completed.empty() && std::stod(completed) * 1e6 < static_cast<double>(at_ps)) rows.insert(line);
  }
  return rows;
}

}  // namespace

TEST_CASE("fork: what changes at time 0 does what it does from the beginning", "[scenario]") {
  const Shell shell;
  const std::vector<std::vector<std::string>> changes = {
      {"/scheduler/bands/normal/quantum_us=300"},
      {"/scheduler/bands/normal/process_quantum_us=400", "/scheduler/bands/focus/process_quantum_us=700"},
      {"/scheduler/bands/realtime/grace_us=120"},
      {R"(/engines/3d/graphics_preemption={"granularity": "pixel_boundary"})"},
      {R"(/engines/3d/compute_preemption={"granularity": "thread_boundary"})"},
      {R"(/engines/compute0/compute_preemption={"granularity": "dispatch_boundary"})"},
      {R"(/engines/3d/graphics_preemption={"granularity": "primitive_boundary"})",
       "/engines/3d/context_state/bytes=4000000", "/engines/3d/context_state/gb_per_s=20",
       "/engines/3d/context_state/save_us=11", "/engines/3d/context_state/restore_us=7",
       "/engines/3d/context_state/switch_us=3", "/engines/3d/context_state/thread_bytes=64"},
  };
  for (const char* workload : {"game_and_compositor", "two_processes_time_sliced", "four_bands", "vr_timewarp"}) {
    const Files plain = played(shell, workload, {});
    std::size_t different = 0;
    for (const auto& sets : changes) {
      CAPTURE(workload, sets);
      const Files expected = played(shell, workload, sets);
      const Files found = played(shell, workload, {}, PlayedChange{0, sets});
      CHECK(found.packets == expected.packets);
      CHECK(found.preemptions == expected.preemptions);
      CHECK(found.end_ps == expected.end_ps);
      if (expected.packets != plain.packets) ++different;
    }
    CHECK(different > 0);
  }
}

TEST_CASE("fork: queues and processes that change at time 0 stand as they would from the beginning", "[scenario]") {
  const Shell shell;
  const std::vector<std::pair<std::string, std::vector<std::string>>> changes = {
      {"high_priority_compute", {"/workload/queues/1/priority=normal"}},
      {"high_priority_compute", {"/workload/queues/0/in_process_priority=7"}},
      {"background_compute", {"/workload/processes/background/priority=high"}},
      {"four_bands", {"/workload/queues/0/quantum_us=100", "/workload/queues/1/grace_us=50"}},
      {"four_bands", {"/workload/processes/0/priority=realtime", "/workload/processes/0/realtime_level=3"}},
  };
  std::size_t different = 0;
  for (const auto& [workload, sets] : changes) {
    CAPTURE(workload, sets);
    const Files expected = played(shell, workload, sets);
    const Files found = played(shell, workload, {}, PlayedChange{0, sets});
    CHECK(found.packets == expected.packets);
    CHECK(found.end_ps == expected.end_ps);
    if (expected.packets != played(shell, workload, {}).packets) ++different;
  }
  CHECK(different >= 3);
}

TEST_CASE("fork: a queue that falls to normal priority waits from then on, and not before", "[scenario]") {
  const Shell shell;
  const std::vector<std::string> lower = {"/workload/queues/urgent/priority=normal"};
  const Files plain = played(shell, "high_priority_compute", {});
  const std::uint64_t at_ps = plain.end_ps / 2;
  const Files changed = played(shell, "high_priority_compute", {}, PlayedChange{at_ps, lower});
  CHECK(over_by(changed.packets, at_ps) == over_by(plain.packets, at_ps));
  CHECK(changed.packets != plain.packets);
  CHECK(changed.packets != played(shell, "high_priority_compute", lower).packets);
}

TEST_CASE("fork: of a workload nothing else changes, and nothing that the machine cannot have", "[api]") {
  const LoadedWorkload loaded = load_workload(shipped_workload("high_priority_compute"), "", {});
  for (const char* set : {"/workload/queues/urgent/name=x", "/workload/queues/0/timeline/0/value=3",
                          "/workload/command_lists/0/commands/0/x=5", "/workload/name=x", "/workload/queues/0={}",
                          "/workload/processes/0/focus=true", "/workload/queues/urgnt/priority=normal",
                          "/workload/queues/urgent/priority=urgent", "/workload/queues/0/quantum_us=0"}) {
    CAPTURE(set);
    CHECK_THROWS_WITH(live_change(loaded.workload, loaded.machine, {set}), Catch::StartsWith("--set: /workload/"));
  }
}

TEST_CASE("fork: the Windows 7 model stops nothing inside a packet, whatever changes", "[scenario]") {
  const Shell shell;
  const std::string model = "/scheduler/caps/preemption_aware=false";
  const Files plain = played(shell, "game_and_compositor", {model});
  for (const std::vector<std::string>& sets :
       std::vector<std::vector<std::string>>{{"/scheduler/enable_preemption=false"},
                                             {R"(/engines/3d/graphics_preemption={"granularity": "pixel_boundary"})"},
                                             {R"(/engines/3d/graphics_preemption={"granularity": "none"})"}}) {
    CAPTURE(sets);
    std::vector<std::string> from_start = sets;
    from_start.insert(from_start.begin(), model);
    const Files expected = played(shell, "game_and_compositor", from_start);
    CHECK(played(shell, "game_and_compositor", {model}, PlayedChange{0, sets}).packets == expected.packets);
    const Files later = played(shell, "game_and_compositor", {model}, PlayedChange{20'000'000'000, sets});
    CHECK(over_by(later.packets, 20'000'000'000) == over_by(plain.packets, 20'000'000'000));
  }
}

TEST_CASE("fork: until then nothing is different, and the same values change nothing", "[scenario]") {
  const Shell shell;
  const std::vector<std::string> finer = {R"(/engines/3d/graphics_preemption={"granularity": "pixel_boundary"})",
                                          R"(/engines/3d/compute_preemption={"granularity": "thread_boundary"})"};
  const Files plain = played(shell, "game_and_compositor", {});
  const Files from_start = played(shell, "game_and_compositor", finer);
  REQUIRE(plain.packets != from_start.packets);
  for (const std::uint64_t at_us : {1U, 9000U, 25000U, 33333U, 52000U, 70000U}) {
    CAPTURE(at_us);
    const std::uint64_t at_ps = std::uint64_t{at_us} * 1'000'000;
    REQUIRE(at_ps < plain.end_ps);
    const Files changed = played(shell, "game_and_compositor", {}, PlayedChange{at_ps, finer});
    CHECK(over_by(changed.packets, at_ps) == over_by(plain.packets, at_ps));
    if (at_us < 60000) CHECK(changed.packets != plain.packets);
    const json machine = dump_config(load_workload(shipped_workload("game_and_compositor"), "", {}).machine);
    const std::string same = machine.at(json::json_pointer("/engines/0/graphics_preemption")).dump();
    const Files still =
        played(shell, "game_and_compositor", {}, PlayedChange{at_ps, {"/engines/0/graphics_preemption=" + same}});
    CHECK(still.packets == plain.packets);
  }
}

TEST_CASE("fork: each live parameter is one of a machine, and what is not live is refused", "[api]") {
  const MachineConfig machine = load_machine("rtx_4090", "", {});
  const json document = dump_config(machine);
  for (const std::string& pattern : live_parameters()) {
    CAPTURE(pattern);
    std::vector<std::string> tokens = *split_pointer(pattern);
    bool found = false;
    for (std::size_t i = 0; i < document["engines"].size(); ++i) {
      json::json_pointer at;
      for (const std::string& token : tokens) at /= token == "*" ? std::to_string(i) : token;
      found = found || document.contains(at);
    }
    CHECK(found);
  }
  CHECK(changed_machine(machine, {"/scheduler/bands/normal/quantum_us=7"}).scheduler.bands.normal.quantum_us == 7);
  for (const char* set : {"/engines/3d/clock_mhz=100", "/shader_array/clock_mhz=1234", "/scheduler/policy=\"fifo\"",
                          "/engines/3d/context_state/allocation_kib=64", "/name=other", "/workload/queues/0/name=x",
                          "/scheduler/bands/normal/quantum=7", "/engines/3d/graphics_preemption/granularity=finest"}) {
    CAPTURE(set);
    CHECK_THROWS_WITH(changed_machine(machine, {set}), Catch::StartsWith("--set: /"));
  }
  CHECK_THROWS_WITH(
      changed_machine(machine, {"/shader_array/clock_mhz=1234"}),
      Contains("--set: /shader_array/clock_mhz: expected what counts while a machine runs: /scheduler/bands"));
}

TEST_CASE("fenceline run --fork: two runs, what became different, and each plays again", "[cli]") {
  const Shell shell;
  const std::string workload = shipped_workload("game_and_compositor").string();
  const std::vector<std::string> finer = {
      "--set", R"(/engines/3d/graphics_preemption={"granularity": "pixel_boundary"})", "--set",
      R"(/engines/3d/compute_preemption={"granularity": "thread_boundary"})"};
  const auto forked = [&](const std::string& at, std::vector<std::string> more) {
    more.insert(more.begin(), {"run", workload, "--fork", at});
    more.insert(more.end(), finer.begin(), finer.end());
    return shell.fenceline(more);
  };
  const Output output = forked("40ms", {"--out", "f"});
  CHECK(output.code == 0);
  CHECK_THAT(output.out, Contains("runs         f/unchanged f/changed\n"));
  CHECK_THAT(output.out, Contains("/engines/3d/graphics_preemption/granularity") && Contains("/run/change/at_ps"));
  CHECK_THAT(output.out, Contains("at 40000.000000 us     /engines/3d/graphics_preemption={"));
  REQUIRE(shell.fenceline({"run", workload, "--out", "plain"}).code == 0);
  CHECK(contents_of(shell.work() / "f/unchanged/packets.csv") == contents_of(shell.work() / "plain/packets.csv"));
  CHECK(contents_of(shell.work() / "f/changed/packets.csv") != contents_of(shell.work() / "plain/packets.csv"));
  const json report = json::parse(contents_of(shell.work() / "f/changed/report.json"));
  CHECK(report["run"]["change"]["at_ps"] == 40'000'000'000);
  CHECK(report["run"]["change"]["set"].size() == 2);
  CHECK(report["machine"] == json::parse(contents_of(shell.work() / "plain/report.json"))["machine"]);
  CHECK(shell.fenceline({"run", "f/changed", "--out", "again"}).code == 0);
  CHECK(contents_of(shell.work() / "f/changed/packets.csv") == contents_of(shell.work() / "again/packets.csv"));
  CHECK(shell.fenceline({"explain", "f/changed", "--queue", "compositor", "--at", "60000"}).code == 0);
  CHECK(forked("40ms", {"--out", "f", "--json"}).out[0] == '{');

  for (const std::vector<std::string>& verb :
       std::vector<std::vector<std::string>>{{"run", "f/changed", "--repeat", "2"},
                                             {"run", "f/changed", "--capture", "c"},
                                             {"pack", "f/changed", "-o", "c"}}) {
    const Output refused = shell.fenceline(verb);
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Contains("/run/change: expected a run whose machine did not change"));
  }
  // What ends before the change came is not made longer by it.
  CHECK(shell
            .fenceline({"run", "f/changed", "--set", "/workload/beats/vsync/count=1", "--set",
                        "/workload/beats/game frame/count=1", "--out", "short"})
            .code == 0);
  CHECK(json::parse(contents_of(shell.work() / "short/report.json"))["statistics"]["end_ps"] < 40'000'000'000);
  json damaged = report;
  damaged["run"]["change"]["set"][0] = "/shader_array/clock_mhz=1234";
  shell.write("damaged.json", damaged.dump());
  CHECK_THAT(shell.fenceline({"run", "damaged.json"}).err,
             Contains("damaged.json: /run/change/set: expected what counts"));
  const Output listed = forked("40ms", {"--out", "few", "--outputs", "packets"});
  CHECK(listed.code == 0);
  CHECK(std::filesystem::exists(shell.work() / "few/changed/packets.csv"));
  CHECK_FALSE(std::filesystem::exists(shell.work() / "few/changed/log.txt"));
  CHECK(shell.fenceline({"run", "-", "--fork", "1ms", "--set", "/scheduler/bands/normal/quantum_us=7"}).code == 2);
  CHECK_THAT(shell.fenceline({"run", "f/changed", "--fork", "1ms", "--set", "/scheduler/enable_preemption=false"}).err,
             Contains("/run/change: expected a run whose machine did not change"));

  const Output late = forked("10s", {"--out", "late"});
  CHECK(late.code == 2);
  CHECK_THAT(late.err, Contains("--fork: /: expected a time before the run's end at "));
  CHECK(shell.fenceline({"run", workload, "--fork", "1ms"}).code == 2);
  CHECK(forked("soon", {}).code != 0);
  CHECK(forked("1ms", {"--repeat", "3"}).code != 0);
  const Output wrong =
      shell.fenceline({"run", workload, "--fork", "1ms", "--set", "/shader_array/clock_mhz=1234", "--out", "w"});
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Contains("/shader_array/clock_mhz"));
  CHECK_FALSE(std::filesystem::exists(shell.work() / "w"));
}
