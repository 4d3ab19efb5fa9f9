// SPDX-License-Identifier: Apache-2.0
// What is said to have no effect has none, and what has one is not said to have none.
#include "api/workload/knobs/silent_knobs.hpp"

#include "sim/config/json_pointer.hpp"
#include "sim/config_error.hpp"
#include "tests/knobs/knob_table.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;

namespace {

/// The pointers as `--set` takes them.
std::vector<std::string> silent_pointers(const LoadedWorkload& loaded) {
  std::vector<std::string> pointers;
  for (const SilentKnobs& knobs : silent_knobs(loaded)) {
    for (const std::string& pointer : knobs.pointers) {
      pointers.push_back((knobs.of_workload && knobs.file != "--set" ? "/workload" : "") + pointer);
    }
  }
  return pointers;
}

/// "reason" of what was set, for tests/knobs/turns.json and these.
std::string reason_of(const std::vector<std::string>& sets, const std::string& workload = "turns") {
  const auto silent = silent_knobs(load({"", "tests/knobs/" + workload + ".json", sets}));
  const auto pointer = sets.back().substr(0, sets.back().find('='));
  for (const SilentKnobs& knobs : silent) {
    if (knobs.file == "--set" && knobs.pointers.front() == pointer) return knobs.reason;
  }
  return "";
}

bool is_shipped(const Scenario& scenario) { return scenario.workload.rfind("configs/", 0) == 0; }

/// Doubles what each scenario names as without effect, and holds the results against each other. Every so many of the
/// changes, fewer of the shipped ones, which are longer. Returns their number.
std::size_t change_silent_ones(const std::vector<Scenario>& all) {
  Prover prover(all);
  std::size_t changes = 0;
  for (const Scenario& scenario : all) {
    std::vector<Proof> doubled;
    for (const std::string& pointer : silent_pointers(load(scenario))) {
      for (const Proof& change : prover.changes(scenario.name, pointer)) {
        if (doubled.empty() || doubled.back().pointer != change.pointer) doubled.push_back(change);
      }
    }
    const std::size_t step = doubled.size() / (is_shipped(scenario) ? 5 : 25) + 1;
    for (std::size_t i = 0; i < doubled.size(); i += step) {
      const Proof& change = doubled[i];
      INFO(scenario.name << ": " << change.pointer << " " << change.from << " -> " << change.to);
      CHECK_FALSE(prover.holds(change));
      ++changes;
    }
  }
  return changes;
}

std::vector<Scenario> scenarios_of(bool shipped) {
  std::vector<Scenario> all = scenarios();
  all.erase(std::remove_if(all.begin(), all.end(), [&](const Scenario& one) { return is_shipped(one) != shipped; }),
            all.end());
  return all;
}

}  // namespace

TEST_CASE("silent knobs: what is named as without effect changes nothing when it is doubled", "[knobs]") {
  CHECK(change_silent_ones(scenarios_of(false)) > 400);
}

TEST_CASE("silent knobs: neither does it in the shipped workloads", "[knobs]") {
  CHECK(change_silent_ones(scenarios_of(true)) > 40);
}

TEST_CASE("silent knobs: neither does it in scenarios with other values at random", "[knobs]") {
  // Each has up to four of its values replaced. Of what is then named as without effect three are replaced, too.
  std::mt19937 random(1);
  const auto below = [&](std::size_t count) { return std::size_t{random()} % count; };
  const std::vector<Scenario> all = scenarios_of(false);
  std::map<std::string, std::vector<Proof>> others;
  std::size_t changes = 0;
  for (int round = 0; round < 200; ++round) {
    Scenario scenario = all[below(all.size())];
    std::vector<Proof>& values = others[scenario.name];
    if (values.empty()) values = Prover({scenario}).changes(scenario.name, "");
    for (std::size_t more = below(5); more > 0; --more) {
      const Proof& one = values[below(values.size())];
      scenario.sets.push_back(one.pointer + '=' + one.to);
    }
    std::vector<std::string> silent;
    try {
      silent = silent_pointers(load(scenario));
    } catch (const ConfigError&) {
      continue;  // values that do not go together
    }
    if (silent.empty()) continue;
    Prover prover({scenario});
    for (int i = 0; i < 3; ++i) {
      const std::vector<Proof> named = prover.changes(scenario.name, silent[below(silent.size())]);
      if (named.empty()) continue;
      const Proof& change = named[below(named.size())];
      INFO(fmt::format("{} {}: {} {} -> {}", scenario.name, fmt::join(scenario.sets, " "), change.pointer, change.from,
                       change.to));
      CHECK_FALSE(prover.holds(change));
      ++changes;
    }
  }
  CHECK(changes > 100);
}

TEST_CASE("silent knobs: what moves a scenario's result is not named there", "[knobs]") {
  std::map<std::string, std::vector<std::string>> silent;
  for (const Scenario& scenario : scenarios()) silent[scenario.name] = silent_pointers(load(scenario));
  for (const Proof& proof : read_table()) {
    if (proof.refused) continue;
    for (const std::string& pointer : silent.at(proof.scenario)) {
      INFO(proof.scenario << ": " << pointer << " and " << proof.pointer);
      CHECK_FALSE(pointer_within(proof.pointer, pointer));
    }
  }
}

TEST_CASE("silent knobs: a value whose mechanism is off is named with the reason", "[knobs]") {
  CHECK_THAT(reason_of({"/scheduler/policy=fifo", "/scheduler/bands/normal/quantum_us=7"}), Contains("policy wddm"));
  CHECK_THAT(reason_of({"/workload/processes/0/priority=idle", "/scheduler/bands/idle/grace_us=7"}),
             Contains("no grace"));
  CHECK_THAT(reason_of({"/scheduler/time_slice_us=7"}), Contains("time_slice and xe"));
  CHECK_THAT(reason_of({"/scheduler/policy=xe", "/scheduler/process_switch_us=7"}), Contains("policy time_slice"));
  CHECK_THAT(reason_of({"/scheduler/preemption_timeout_us=7"}), Contains("policy xe"));
  CHECK_THAT(reason_of({"/scheduler/jitter=false", "/scheduler/interrupt_jitter_us=0", "/scheduler/seed=7"}),
             Contains("random"));
  CHECK_THAT(reason_of({"/engines/1/compute_preemption={\"granularity\":\"thread_group_boundary\"}",
                        "/engines/1/context_state/thread_bytes=7"}),
             Contains("no thread is resident"));
  CHECK_THAT(reason_of({"/engines/2/preemption={\"granularity\":\"dma_buffer_boundary\"}",
                        "/engines/2/context_state/save_us=7"}),
             Contains("never stops inside"));
  CHECK_THAT(reason_of({"/display/refresh_hz=75"}), Contains("presents"));
  CHECK_THAT(reason_of({"/display/width=75"}), Contains("D3D12"));
  CHECK_THAT(reason_of({"/engines/0/tile_pixels=7"}), Contains("extent"));
  CHECK_THAT(reason_of({"/shader_array/sfu_lanes=7"}), Contains("SFU"));
  CHECK_THAT(reason_of({"/memory/device_copy_setup_ns=7"}), Contains("within video memory"));
  CHECK_THAT(reason_of({"/submission_paths/free/compute/launch_ns=7"}), Contains("path"));
  CHECK_THAT(reason_of({"/host/after_sleep_us=1"}, "memory"), Contains("sleeps"));
  CHECK_THAT(reason_of({"/engines/2/hardware_queues=3"}, "memory"), Contains("one queue"));
  CHECK_THAT(reason_of({"/workload/compute_pipelines/0/working_set_bytes=4096"}), Contains("stream no bytes"));
}

TEST_CASE("silent knobs: a value for timeouts that another one keeps from mattering is named", "[knobs]") {
  CHECK_THAT(reason_of({"/tdr/level=off", "/tdr/delay_us=7"}), Contains("nothing times out"));
  CHECK_THAT(reason_of({"/scheduler/policy=fifo", "/tdr/too_long_us=7"}), Contains("nothing times out"));
  CHECK_THAT(reason_of({"/tdr/level=recover", "/scheduler/policy=xe", "/tdr/delay_us=7"}),
             Contains("preemption_timeout_us"));
  CHECK_THAT(reason_of({"/tdr/debug_mode=recover_always", "/tdr/limit_count=7"}), Contains("no timeout counts"));
  CHECK_THAT(reason_of({"/tdr/engine_reset=unsupported", "/tdr/engine_reset_us=7"}), Contains("adapter is reset"));
  CHECK_THAT(reason_of({"/tdr/dependent_wait_us=7"}), Contains("dependent_nodes"));
  CHECK(reason_of({"/tdr/delay_us=7"}).empty());
}

TEST_CASE("silent knobs: a value that can matter is not named", "[knobs]") {
  CHECK(reason_of({"/scheduler/bands/normal/quantum_us=7"}).empty());
  CHECK(reason_of({"/scheduler/policy=xe", "/scheduler/time_slice_us=7"}).empty());
  CHECK(reason_of({"/scheduler/seed=7"}).empty());
  CHECK(reason_of({"/engines/1/context_state/thread_bytes=7"}).empty());
  CHECK(reason_of({"/host/after_sleep_us=1"}).empty());
  CHECK(reason_of({"/shader_array/sfu_lanes=7"}, "commands").empty());
}

TEST_CASE("fenceline check and run: they name a knob without effect once, and exit 0", "[cli]") {
  const Shell shell;
  nlohmann::json workload = small_workload();
  workload["fences"].push_back({{"name", "idle"}});
  shell.write("small.json", workload.dump());
  const Output check = shell.fenceline({"check", "small.json"});
  CHECK(check.code == 0);
  CHECK(check.err.empty());
  CHECK_THAT(check.out,
             Contains("small.json: /fences/2/name: has no effect here: nothing signals it or waits for it\n"));
  CHECK_THAT(check.out, Contains("built-in h200: ") && Contains("has no effect here: no queue uses this path\n"));
  const Output run =
      shell.fenceline({"run", "small.json", "--out", "out", "--set", "/scheduler/bands/normal/quantum_us=9"});
  CHECK(run.code == 0);
  const std::string set = "--set: /scheduler/bands/normal/quantum_us: has no effect here: ";
  CHECK_THAT(run.out, Contains(set) && Contains("small.json: /fences/2/name: has no effect here: "));
  CHECK(run.out.find(set, run.out.find(set) + 1) == std::string::npos);
  CHECK_THAT(run.out, Contains("no effect    built-in h200: "));
  CHECK(lines_of(run.out) <= 40);
  const auto report = parse_json(contents_of(shell.work() / "out/report.json"), "report.json");
  CHECK(report["no_effect"][0]["file"] == "--set");
  CHECK(report["no_effect"][0]["at"] == nlohmann::json({"/scheduler/bands/normal/quantum_us"}));
}

TEST_CASE("fenceline check: of a machine alone it names what no workload can make matter", "[cli]") {
  const Shell shell;
  shell.write("machine.json", R"({"name": "mine", "engines": [{"type": "copy",
    "preemption": {"granularity": "copy_boundary", "escalation": [{"granularity": "copy_boundary"}]}}],
    "scheduler": {"policy": "fifo", "seed": 4, "bands": {"idle": {"grace_us": 1}}}})");
  const Output check = shell.fenceline({"check", "machine.json"});
  CHECK(check.code == 0);
  CHECK_THAT(
      check.out,
      Contains("machine.json: /scheduler/bands/idle/grace_us: has no effect here: only policy wddm has bands\n"));
  CHECK_THAT(check.out, Contains("machine.json: /scheduler/seed: has no effect here: nothing is random"));
  CHECK(lines_of(check.out) == 5);
}

TEST_CASE("schemas: what nothing ever read is refused with the keys there are", "[knobs]") {
  const Shell shell;
  const std::vector<std::pair<std::string, std::string>> gone = {
      {R"("submission_paths": {"default": {"compute": {"copy_setup_ns": 1}}})", "copy_setup_ns"},
      {R"("submission_paths": {"default": {"graphics": {"copy_setup_ns": 1}}})", "copy_setup_ns"},
      {R"("memory": {"pcie_to_host": {"contention_exponent": 2}})", "contention_exponent"},
      {R"("engines": [{"type": "copy", "indirect_fetch_ns": 2}])", "indirect_fetch_ns"},
      {R"("engines": [{"type": "copy", "context_state": {"thread_bytes": 2}}])", "thread_bytes"},
      {R"("scheduler": {"caps": {"cancel_command_aware": false}})", "cancel_command_aware"}};
  for (const auto& [text, key] : gone) {
    shell.write("machine.json", R"({"name": "old", )" + text + "}");
    const Output check = shell.fenceline({"check", "machine.json"});
    INFO(key << ": " << check.err);
    CHECK(check.code == 2);
    CHECK_THAT(check.err, Contains(key) && Contains("one of"));
  }
}
