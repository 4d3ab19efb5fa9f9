// SPDX-License-Identifier: Apache-2.0
// What binds the stops of a node, from figures that are made up so that it is known.
#include "api/report/limits/preemption_limits.hpp"

#include "api/report/turns/turn_waits.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using Catch::StartsWith;

namespace {

constexpr std::uint64_t us = 1'000'000;

/// A machine of a 3D, a compute and a copy engine whose stops are all at groups.
MachineConfig machine_of_three() {
  MachineConfig machine;
  machine.memory.vram.gb_per_s = 500;
  GraphicsEngineConfig graphics;
  graphics.graphics_preemption.granularity = GraphicsPreemption::triangle_boundary;
  graphics.compute_preemption.granularity = ComputePreemption::thread_group_boundary;
  ComputeEngineConfig compute;
  compute.compute_preemption.granularity = ComputePreemption::thread_group_boundary;
  machine.engines = {graphics, compute, CopyEngineConfig{}};
  return machine;
}

/// Ten stops of a node: how long the mean one took in all, and its parts.
NodePreemption stops(const std::string& node, std::uint64_t whole_us, std::uint64_t drain_us, std::uint64_t save_us,
                     std::uint64_t saved_bytes) {
  NodePreemption told;
  told.node = node;
  told.requests = told.stopped = 10;
  told.from_request.mean_ps = whole_us * us;
  told.drain.mean_ps = drain_us * us;
  told.save.mean_ps = save_us * us;
  told.saved_bytes = saved_bytes;
  return told;
}

const StoppableWork all_work = {true, true, {"default"}};

std::string limit(const MachineConfig& machine, const NodePreemption& told, const StoppableWork& work = all_work) {
  RunPreemption preemption;
  preemption.nodes = {told};
  const std::vector<PreemptionLimit> limits = preemption_limits(machine, work, preemption);
  return limits.empty() ? "" : limits.front().node + ": " + limits.front().text;
}

ContextState& state_of(MachineConfig& machine, std::size_t node) {
  return std::visit([](auto& config) -> ContextState& { return config.context_state; }, machine.engines[node]);
}

}  // namespace

TEST_CASE("preemption limits: the save is bound by what is least of three", "[report]") {
  MachineConfig machine = machine_of_three();
  const NodePreemption told = stops("adapter.compute0", 20, 4, 16, 1 << 20);
  state_of(machine, 1).gb_per_s = 200;
  CHECK(limit(machine, told) ==
        "compute0: save, 80 % of the time from a request on, limited by /engines/1/context_state/gb_per_s (200; video "
        "memory has 500)");
  state_of(machine, 1).gb_per_s = 1000;
  CHECK(limit(machine, told) ==
        "compute0: save, 80 % of the time from a request on, limited by /memory/vram/gb_per_s (500)");
  state_of(machine, 1).gb_per_s = 500;
  CHECK_THAT(limit(machine, told),
             Contains("limited by /engines/1/context_state/gb_per_s and /memory/vram/gb_per_s alike (500)"));
  state_of(machine, 1).gb_per_s = 1000;
  state_of(machine, 1).save_us = 9;
  CHECK(limit(machine, told) ==
        "compute0: save, 80 % of the time from a request on, limited by /engines/1/context_state/save_us (9)");
  state_of(machine, 1).save_us = 7;  // the bytes take longer
  CHECK(limit(machine, told) ==
        "compute0: save, 80 % of the time from a request on, limited by /memory/vram/gb_per_s (500)");
}

TEST_CASE("preemption limits: a drain is bound by where the work stops", "[report]") {
  MachineConfig machine = machine_of_three();
  CHECK(limit(machine, stops("adapter.3d0", 100, 90, 10, 4096)) ==
        "3d0: drain, 90 % of the time from a request on: draws stop at triangle_boundary "
        "(/engines/0/graphics_preemption/granularity), "
        "dispatches at thread_group_boundary (/engines/0/compute_preemption/granularity)");
  CHECK(limit(machine, stops("adapter.link1.compute0", 100, 90, 10, 4096)) ==
        "compute0: drain, 90 % of the time from a request on: dispatches stop at thread_group_boundary "
        "(/engines/1/compute_preemption/granularity)");
  CHECK_THAT(limit(machine, stops("adapter.copy0", 100, 90, 10, 4096)),
             StartsWith("copy0: drain, 90 % of the time from a request on: copies stop at ") &&
                 Contains("(/engines/2/preemption/granularity)"));
}

TEST_CASE("preemption limits: what a queue's way to the engine allows bounds a drain", "[report]") {
  MachineConfig machine = machine_of_three();
  machine.submission_paths["own"].graphics.finest_preemption = ComputePreemption::dma_buffer_boundary;
  const NodePreemption told = stops("adapter.3d0", 100, 90, 10, 4096);
  CHECK_THAT(limit(machine, told), !Contains("finest_preemption"));  // nobody takes it
  CHECK(limit(machine, told, {false, true, {"default", "own"}}) ==
        "3d0: drain, 90 % of the time from a request on: dispatches stop at dma_buffer_boundary "
        "(/submission_paths/own/graphics/finest_preemption)");
  CHECK(limit(machine, told, {true, false, {"default"}}) ==
        "3d0: drain, 90 % of the time from a request on: draws stop at triangle_boundary "
        "(/engines/0/graphics_preemption/granularity)");
}

TEST_CASE("preemption limits: state that costs nothing is said", "[report]") {
  MachineConfig machine = machine_of_three();
  const std::string nothing = "/engines/1/context_state/bytes and save_us are 0: what is stopped is saved for nothing";
  CHECK(limit(machine, stops("adapter.compute0", 0, 0, 0, 0)) == "compute0: " + nothing);
  CHECK_THAT(limit(machine, stops("adapter.compute0", 10, 10, 0, 0)),
             StartsWith("compute0: drain, 100 % of the time from a request on: ") && Contains("; " + nothing));
  state_of(machine, 1).bytes = 1;
  CHECK(limit(machine, stops("adapter.compute0", 0, 0, 0, 0)).empty());
  CHECK(limit(machine, stops("adapter.compute0", 10, 2, 1, 4096)) ==
        "compute0: a restore under way, 70 % of the time from a request on: what was stopped is to stop again as soon "
        "as it goes on");
}

TEST_CASE("preemption limits: what was never stopped says where it stops", "[report]") {
  const MachineConfig machine = machine_of_three();
  NodePreemption told;
  told.node = "adapter.compute0";
  CHECK(limit(machine, told).empty());
  told.attempts[static_cast<std::size_t>(PreemptionAttempt::miss_less_priority)] = 5;
  CHECK(limit(machine, told) ==
        "compute0: nothing was to stop: what waited was of a lower rank than what ran (MissLessPriority)");
  told.lost_ps = 40 * us;
  told.engine_ps = 150 * us;
  MachineConfig switches = machine;
  state_of(switches, 1).switch_us = 40;
  CHECK(limit(switches, told) ==
        "compute0: changes between contexts, 27 % of the engine's time, limited by /engines/1/context_state/switch_us "
        "(40); nothing was to stop: what waited was of a lower rank than what ran (MissLessPriority)");
  told.lost_ps = 0;
  told.attempts[static_cast<std::size_t>(PreemptionAttempt::miss_no_command)] = 3;
  CHECK(limit(machine, told) ==
        "compute0: what ran could not be stopped, 3 times (MissNoCommand): dispatches stop at thread_group_boundary "
        "(/engines/1/compute_preemption/granularity)");
  told.attempts = {};
  told.attempts[static_cast<std::size_t>(PreemptionAttempt::miss_not_enabled)] = 7;
  CHECK_THAT(limit(machine, told), StartsWith("compute0: what ran could not be stopped, 7 times (MissNotEnabled): "));
  told.node = "adapter.unknown7";
  CHECK(limit(machine, told).empty());
}

TEST_CASE("preemption limits: a turn or grace that takes longer than the stop is what binds it", "[report]") {
  MachineConfig machine = machine_of_three();
  machine.scheduler.bands.normal.process_quantum_us = 70;
  NodePreemption told = stops("adapter.compute0", 30, 20, 10, 4096);
  told.latency.mean_ps = 100 * us;
  told.turns = {{TurnKnob::process_quantum, 1, "adapter.scheduler.low", 10 * 50 * us},
                {TurnKnob::process_quantum, 1, "adapter.scheduler.other", 10 * 15 * us},
                {TurnKnob::grace, 2, "adapter.scheduler.focused", 10 * 5 * us}};
  CHECK(limit(machine, told) ==
        "compute0: quantum, 65 % of the latency, limited by /scheduler/bands/normal/process_quantum_us (70)");
  told.turns[0].waited_ps = 0;  // 15 of 100 are left
  CHECK_THAT(limit(machine, told), StartsWith("compute0: drain, 67 % of the time from a request on: "));
  told.turns[2].waited_ps = 10 * 40 * us;
  CHECK(limit(machine, told) == "compute0: grace, 40 % of the latency, limited by /scheduler/bands/focus/grace_us (0)");
  // Of the same 100 us, at a higher rank than both: told beside what can be turned.
  told.turns.push_back({TurnKnob::rank, 0, "adapter.scheduler.king", 10 * 41 * us});
  CHECK(limit(machine, told) ==
        "compute0: grace, 40 % of the latency, limited by /scheduler/bands/focus/grace_us (0); most of the latency, 41 "
        "%, is for what ran of a higher rank");
  told.turns.pop_back();
  StoppableWork work = all_work;
  work.queues["focused"].name = "focused";
  work.queues["focused"].grace_us = 41;
  CHECK(limit(machine, told, work) ==
        "compute0: grace, 40 % of the latency, limited by /workload/queues/focused/grace_us (41)");
}

namespace {

/// What the summary says of the limit, without the rest of the line, of a run on `tiny` whose thread groups take 100
/// us. `low` has 50 times as many as run at a time, and 50 us later `high` wants its engine. `low` and `process` are
/// more members of that queue and of the other one's process.
std::string limit_of_run(const std::string& low, const std::string& process, const std::vector<std::string>& sets,
                         const std::string& lists = R"(["long"])") {
  const Shell shell;
  shell.write("two.json", R"({"name": "two", "machine": "tiny",
    "compute_pipelines": [{"name": "k", "threads": 64, "group_cycles": 100000}],
    "command_lists": [{"name": "long", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "k", "x": 400}]},
                      {"name": "short", "type": "direct", "commands": [{"type": "dispatch", "pipeline": "k", "x": 8}]}],
    "processes": [{"name": "a"}, {"name": "b"}],
    "queues": [{"name": "low", "type": "direct", "process": "a" )" +
                              low + R"(}, {"name": "high", "type": "direct", "process": )" + process + R"(}],
    "cpus": [{"name": "c", "timeline": [{"type": "execute", "queue": "low", "lists": )" +
                              lists + R"(}, {"type": "sleep_until", "us": 50},
                                        {"type": "execute", "queue": "high", "lists": ["short"]}]}]})");
  std::vector<std::string> arguments = {
      "run", "two.json", "--out", "r", "--set", "/engines/3d/compute_preemption/granularity=thread_group_boundary"};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
  const Output output = shell.fenceline(arguments);
  INFO(output.err);
  REQUIRE(output.code == 0);
  const std::string begin = "\nlimit        3d0: ";
  const std::size_t at = output.out.find(begin);
  if (at == std::string::npos) return "";
  const std::size_t from = at + begin.size();
  return output.out.substr(from, output.out.find_first_of(";:\n", from) - from);
}

}  // namespace

TEST_CASE("fenceline run: the summary names the quantum or grace for which most of a stop's latency went", "[cli]") {
  const std::string other = R"("b")";
  const std::string same = R"("a")";
  const std::string higher = "/workload/processes/b/priority=realtime";
  const std::string band = "/scheduler/bands/normal/";
  // Ready at 50, asked to stop at 250, stopped where the groups end at 300: 200 of 250 us.
  CHECK(limit_of_run("", other, {band + "process_quantum_us=250"}) ==
        "quantum, 80 % of the latency, limited by " + band + "process_quantum_us (250)");
  CHECK(limit_of_run("", same, {band + "quantum_us=250"}) ==
        "quantum, 80 % of the latency, limited by " + band + "quantum_us (250)");
  CHECK(limit_of_run(R"(, "quantum_us": 250)", same, {}) ==
        "quantum, 80 % of the latency, limited by /workload/queues/low/quantum_us (250)");
  CHECK(limit_of_run("", other, {higher, band + "grace_us=200"}) ==
        "grace, 80 % of the latency, limited by " + band + "grace_us (200)");
  CHECK(limit_of_run(R"(, "grace_us": 200)", other, {higher}) ==
        "grace, 80 % of the latency, limited by /workload/queues/low/grace_us (200)");
  CHECK(limit_of_run("", other, {"/scheduler/policy=xe", "/scheduler/time_slice_us=250"}) ==
        "quantum, 80 % of the latency, limited by /scheduler/time_slice_us (250)");
  // The turn ends at 100, the grace at 250.
  CHECK(limit_of_run("", other, {band + "process_quantum_us=100", band + "process_grace_us=150"}) ==
        "grace, 60 % of the latency, limited by " + band + "process_grace_us (150)");
  CHECK(limit_of_run(R"(, "quantum_us": 100, "grace_same_priority_us": 150)", same, {}) ==
        "grace, 60 % of the latency, limited by /workload/queues/low/grace_same_priority_us (150)");
  // Asked at 110, stopped at 200: the drain takes 90 of 150 us.
  CHECK(limit_of_run("", other, {band + "process_quantum_us=110"}) == "drain, 100 % of the time from a request on");
  // What is queued behind the running list is withheld at once; the grace is as long.
  CHECK(limit_of_run("", other, {higher, band + "grace_us=200"},
                     R"(["long"]}, {"type": "execute", "queue": "low", "lists": ["long"])") ==
        "grace, 80 % of the latency, limited by " + band + "grace_us (200)");
}

TEST_CASE("fenceline run: the summary names the floor of the normal band where that is waited for", "[cli]") {
  const std::string lists = R"(["long", "long", "long", "long"])";
  const std::string focus = "/workload/processes/a/focus=true";
  const auto floor = [](int percent) { return "/scheduler/target_normal_band_percentage=" + std::to_string(percent); };
  // Of 10 ms from 50 us on the focus band has 8 ms, or 6: then what runs drains for 50 us.
  CHECK(limit_of_run("", R"("b")", {focus, floor(20)}, lists) ==
        "floor of the normal band, 99 % of the latency, limited by /scheduler/target_normal_band_percentage (20)");
  CHECK(limit_of_run("", R"("b")", {focus, floor(40)}, lists) ==
        "floor of the normal band, 99 % of the latency, limited by /scheduler/target_normal_band_percentage (40)");
  // Nothing asks for what is of a higher rank to stop.
  const std::string higher = "/workload/processes/a/priority=realtime";
  CHECK(limit_of_run("", R"("b")", {higher}) == "nothing was to stop");
}

TEST_CASE("fenceline run: the summary says what limits a stop, and turning that makes it shorter", "[cli]") {
  const Shell shell;
  const auto save_of = [&](const std::string& gb_per_s) {
    const Output output = shell.fenceline({"run", shipped_workload("two_processes_time_sliced").string(), "--out",
                                           "run", "--set", "/engines/1/context_state/gb_per_s=" + gb_per_s});
    REQUIRE(output.code == 0);
    return output.out;
  };
  CHECK_THAT(save_of("100"), Contains("\nlimit        compute0: save, 100 % of the time from a request on, limited by "
                                      "/engines/1/context_state/gb_per_s (100; video memory has "));
  CHECK_THAT(save_of("9000"), Contains("limited by /memory/vram/gb_per_s ("));
}
