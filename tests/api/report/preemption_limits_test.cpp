// SPDX-License-Identifier: Apache-2.0
// What binds the stops of a node, from figures that are made up so that it is known.
#include "api/report/limits/preemption_limits.hpp"

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
  CHECK(limit(machine, told).empty());
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
