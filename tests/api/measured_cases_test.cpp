// SPDX-License-Identifier: Apache-2.0
// How measured rows become workloads.
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/load_measured.hpp"
#include "api/validation/measured/measured_shaders.hpp"
#include "sim/config_error.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace fenceline;
using Catch::Contains;
using nlohmann::json;
using Of = Moment::Of;

namespace {

/// The cases of one kind in a document.
Plan plan_of(const std::string& key, const json& document) {
  static const MachineConfig machine = builtin_machine("h200");
  const MeasuredFile file = measured_file(document, "m.json");
  for (const MeasuredKind& kind : measured_kinds()) {
    if (kind.key == key) return kind.plan({file, machine});
  }
  FAIL("no kind " << key);
  return {};
}
PlannedCase only_case(const std::string& key, const json& document) {
  Plan cases = plan_of(key, document);
  REQUIRE(cases.size() == 1);
  return cases.front();
}
PlannedCase case_of(const std::string& key, const json& row) {
  return only_case(key, {{key, json::array({row})}, {"device", {{"used", {0, 2, 1}}}}});
}

const Workload& workload_of(const PlannedCase& one) {
  REQUIRE(one.plays.size() == 1);
  return one.plays.front();
}
template <class T>
std::vector<T> commands_of(const CommandListInfo& list) {
  std::vector<T> commands;
  for (const CommandInfo& command : list.commands) {
    if (const auto* of_type = std::get_if<T>(&command)) commands.push_back(*of_type);
  }
  return commands;
}
template <class T>
std::vector<T> steps_of(const QueueInfo& queue) {
  std::vector<T> steps;
  for (const QueueStep& step : queue.timeline) {
    if (const auto* of_type = std::get_if<T>(&step)) steps.push_back(*of_type);
  }
  return steps;
}

/// One list that the host submits to one Vulkan queue; what it sees, less an empty list.
void check_submission(const PlannedCase& one, QueueType type, const std::string& seen = "seen") {
  const Workload& workload = workload_of(one);
  REQUIRE(workload.queues.size() == 1);
  CHECK(workload.queues[0].type == type);
  CHECK(workload.queues[0].path == "vulkan_queue");
  CHECK(workload.command_lists.size() == 1);
  CHECK(one.figure.from.of == Of::release);
  CHECK((one.figure.to.of == Of::fence && one.figure.to.name == seen));
  CHECK(one.less_empty_list == type);
}

std::string refusal_of(const json& document) {
  try {
    const MachineConfig machine = builtin_machine("h200");
    const MeasuredFile file = measured_file(document, "m.json");
    for (const MeasuredKind& kind : measured_kinds()) kind.plan({file, machine});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("measured cases: a spinning kernel runs on a stream with its footprint", "[api][validation]") {
  const json row = {{"threads", 64}, {"smem", 1024}, {"cycles", 4000}, {"grid", 17}, {"us", 2.5}};
  const json document = {{"block_waves", {row}}, {"device", {{"spin_regs", 20}}}};
  const PlannedCase one = only_case("block_waves", document);
  CHECK(one.measured_us == 2.5);
  CHECK(one.limit_pct == 2);
  CHECK(one.pointer == "/block_waves/0");
  const Workload& workload = workload_of(one);
  CHECK(workload.queues[0].path == "cuda_stream");
  CHECK(workload.queues[0].type == QueueType::compute);
  const ComputePipeline& pipeline = workload.compute_pipelines.at(0);
  CHECK(pipeline.group.threads == 64);
  CHECK(pipeline.group.registers_per_thread == 20);
  CHECK(pipeline.group.shared_bytes == 1024);
  CHECK(pipeline.work.cycles == 4000);
  CHECK(commands_of<DispatchCommand>(workload.command_lists.at(0)).at(0).x == 17);
  CHECK((one.figure.from.of == Of::work_start && one.figure.to.of == Of::work_end));
}

TEST_CASE("measured cases: copies are CUDA's, or Vulkan's beside a key of Vulkan's", "[api][validation]") {
  const json rows = {{{"dir", "h2d"}, {"bytes", 4096}, {"us", 3}}, {{"dir", "d2h"}, {"bytes", 1 << 20}, {"us", 30}}};
  const auto path_with = [&](const char* key, const json& value) {
    json document = {{"copies_us", rows}};
    if (key != nullptr) document[key] = value;
    const Plan cases = plan_of("copies_us", document);
    CHECK(cases.at(0).limit_pct == 15);
    CHECK(cases.at(1).limit_pct == 3);
    return workload_of(cases.at(0)).queues.at(0).path;
  };
  CHECK(path_with(nullptr, {}) == "cuda_stream");
  CHECK(path_with("device", {{"copy_engines", 3}}) == "cuda_stream");
  CHECK(path_with("launch", {{"empty_1block_period_us", 1.5}}) == "cuda_stream");
  CHECK(path_with("device", {{"timestamp_ns", 1.0}}) == "vulkan_queue");
  CHECK(path_with("empty_submit_us", {9.5}) == "vulkan_queue");
  CHECK(path_with("compute_loops_us", {{{"groups_of_256", 1}, {"loops", 1}, {"us", 1}}}) == "vulkan_queue");
  CHECK(path_with("graphics_workloads", json::array({{{"submissions", json::array()}}})) == "vulkan_queue");

  const PlannedCase vulkan = case_of("copies_us", rows[0]);
  check_submission(vulkan, QueueType::copy);
  // CUDA's are between two events; inside the device they are work of the compute engine, and never Vulkan's.
  const PlannedCase device = case_of("copies_us", {{"dir", "d2d"}, {"bytes", 4096}, {"us", 3}});
  CHECK(workload_of(device).queues.at(0).type == QueueType::compute);
  CHECK(workload_of(device).queues.at(0).path == "cuda_stream");
  CHECK((device.figure.from.of == Of::list_end && device.figure.from.name == "before"));
  CHECK((device.figure.to.of == Of::list_end && device.figure.to.name == "after"));
  for (const CommandListInfo& list : workload_of(device).command_lists) {
    CHECK(list.commands.size() == (list.name == "copy" ? 1 : 0));
  }
}

TEST_CASE("measured cases: every given figure of launches and fences is a case", "[api][validation]") {
  const Plan launches = plan_of(
      "launch",
      {{"launch",
        {{"empty_1block_period_us", 1.5}, {"empty_1056block_period_us", 2.0}, {"host_to_device_to_host_us", 6.5}}}});
  REQUIRE(launches.size() == 3);
  CHECK(launches[1].measured_us == 2.0);
  const auto periods = steps_of<ExecuteStep>(workload_of(launches[1]).queues.at(0));
  CHECK(static_cast<double>(periods.size() - 1) == launches[1].figure.divide_by);
  for (const CommandListInfo& list : workload_of(launches[1]).command_lists) {
    CHECK(commands_of<DispatchCommand>(list).at(0).x == 1056);
  }
  CHECK(only_case("launch", {{"launch", {{"host_to_device_to_host_us", 6.5}}}}).name == launches[2].name);

  const Plan fences = plan_of(
      "fences",
      {{"fences",
        {{"same_queue_gap_ns", 1500}, {"cross_queue_event_gap_ns", 1600}, {"cross_queue_value_fence_gap_ns", 3800}}}});
  REQUIRE(fences.size() == 3);
  CHECK(fences[2].measured_us == 3.8);
  for (std::size_t i = 0; i < 3; ++i) {
    const Workload& workload = workload_of(fences[i]);
    CHECK(workload.queues.size() == (i == 0 ? 1 : 2));
    CHECK((fences[i].figure.from.of == Of::work_end && fences[i].figure.to.of == Of::work_start));
  }
}

TEST_CASE("measured cases: streams that wait for values take a path of their own where there is one", "[api]") {
  MachineConfig machine = builtin_machine("h200");
  const MeasuredFile file = measured_file({{"fences", {{"cross_queue_value_fence_gap_ns", 3800}}}}, "m.json");
  const auto path = [&] { return workload_of(plan_fences({file, machine}).at(0)).queues.at(1).path; };
  machine.submission_paths.erase("cuda_value_fence");
  CHECK(path() == "cuda_stream");
  machine.submission_paths["cuda_value_fence"] = {};
  CHECK(path() == "cuda_value_fence");
}

TEST_CASE("measured cases: shared bandwidth gives a case for the kernel and one for the copy", "[api][validation]") {
  const json both = {{"kernel_8GiB_read_us", 2000.0}, {"copy", "d2d 4x1GiB"}, {"copy_us", 4000.0}};
  const Plan cases = plan_of("bandwidth_sharing", {{"bandwidth_sharing", {both}}});
  REQUIRE(cases.size() == 2);
  CHECK(cases[0].measured_us == 2000);
  CHECK(cases[1].measured_us == 4000);
  const Workload& workload = workload_of(cases[0]);
  REQUIRE(workload.queues.size() == 2);
  CHECK(workload.queues[1].type == QueueType::compute);
  CHECK(workload.command_lists.size() == 5);
  CHECK(std::get<BufferResource>(workload.resources.at(0)).bytes == std::uint64_t{1} << 30);
  const ComputePipeline& pipeline = workload.compute_pipelines.at(0);
  const std::uint64_t groups = commands_of<DispatchCommand>(workload.command_lists[0]).at(0).x;
  const std::uint64_t bytes = std::uint64_t{8} << 30;
  CHECK(groups * pipeline.work.vram_bytes >= bytes);
  CHECK(groups * pipeline.work.vram_bytes < bytes + groups);
  CHECK(groups % (std::uint64_t{132} * 8) == 0);

  CHECK(case_of("bandwidth_sharing", {{"kernel_8GiB_read_us", 2000.0}, {"copy", "none"}, {"copy_us", 0.0}}).name ==
        "kernel");
  const PlannedCase copy = case_of("bandwidth_sharing", {{"copy", "h2d 256MiB"}, {"copy_us", 4800.0}});
  CHECK(copy.name == "h2d 256MiB");
  CHECK(std::get<BufferResource>(workload_of(copy).resources.at(0)).bytes == std::uint64_t{256} << 20);
  for (const char* text : {"h2d", "256MiB", "h2h 1MiB", "h2d 1MB", "h2d 0MiB", "h2d 0x1MiB", "h2d 2x", "", " 1MiB",
                           "h2d 99999999999999999999GiB", "h2d 1MiB "}) {
    INFO(text);
    CHECK_THAT(refusal_of({{"bandwidth_sharing", {{{"copy", text}, {"copy_us", 1.0}}}}}),
               Contains("m.json: /bandwidth_sharing/0/copy: expected a copy such as"));
  }
}

TEST_CASE("measured cases: the latency beside a kernel is sampled over launch moments", "[api][validation]") {
  for (const char* mode : {"idle", "same_priority", "high_priority"}) {
    const json row = {{"mode", mode}, {"block_us", 20}, {"p50", 17.0}, {"max", 25.0}};
    const Plan cases = plan_of("block_boundary_preemption", {{"block_boundary_preemption", {row}}});
    REQUIRE(cases.size() == 2);
    CHECK(cases[0].measured_us == 17);
    CHECK(cases[1].measured_us == 25);
    CHECK(cases[0].samples == cases[1].samples);
    const bool idle = mode == std::string("idle");
    const bool high = mode == std::string("high_priority");
    CHECK(cases[0].limit_pct.has_value() == !idle);
    CHECK(cases[1].limit_pct.has_value() == high);
    const Workload& workload = cases[0].samples->plays.front();
    CHECK(workload.queues.size() == (idle ? 1 : 2));
    CHECK((workload.queues.back().priority == QueuePriority::high) == high);
  }
}

TEST_CASE("measured cases: percentiles of samples are nearest ranks", "[api][validation]") {
  const std::vector<double> samples = {4, 1, 3, 2, 5, 9, 6, 8, 7, 10};
  CHECK(statistic_of(Statistic::p50, samples) == 5);
  CHECK(statistic_of(Statistic::p90, samples) == 9);
  CHECK(statistic_of(Statistic::p99, samples) == 10);
  CHECK(statistic_of(Statistic::max, samples) == 10);
  CHECK(statistic_of(Statistic::mean, samples) == 5.5);
  CHECK(statistic_of(Statistic::p50, {3}) == 3);
}

TEST_CASE("measured cases: draws have the measured shaders and cover the triangles' area", "[api][validation]") {
  const PlannedCase fill = case_of("pixel_fill_us", {{"triangle_pixels", 5000}, {"loops", 16}, {"us", 20.0}});
  check_submission(fill, QueueType::direct);
  const auto draw = commands_of<DrawCommand>(workload_of(fill).command_lists[0]).at(0);
  CHECK(draw.pixels == 5000);
  CHECK(draw.vertices == 3);
  CHECK(workload_of(fill).graphics_pipelines.at(0).pixel_shader.alu_instructions ==
        Approx(measured_shaders::pixel_fixed_alu + 16 * measured_shaders::alu_per_loop));

  const PlannedCase triangles = case_of("triangles_us", {{"triangles", 1000}, {"edge_px", 0.1}, {"us", 20.0}});
  check_submission(triangles, QueueType::direct);
  const auto small = commands_of<DrawCommand>(workload_of(triangles).command_lists[0]).at(0);
  CHECK(small.vertices == 3000);
  CHECK(small.pixels == 5);  // 1000 * 0.1 * 0.1 / 2

  const Plan calls =
      plan_of("draw_calls_us", {{"draw_calls_us", {{{"draws", 7}, {"us", 11.0}, {"us_with_state_change", 12.0}}}}});
  REQUIRE(calls.size() == 2);
  for (const PlannedCase& one : calls) {
    const auto draws = commands_of<DrawCommand>(workload_of(one).command_lists[0]);
    CHECK(draws.size() == 7);
    const bool changes = one.measured_us == 12;
    CHECK((draws[0].pipeline != draws[1].pipeline) == changes);
    CHECK(draws[0].pipeline == draws[2].pipeline);
  }
}

TEST_CASE("measured cases: rows of at most 10 us are shown and do not count where the rule says so", "[api]") {
  for (const double us : {10.0, 10.5}) {
    const PlannedCase one = case_of("triangles_us", {{"triangles", 10}, {"edge_px", 8}, {"us", us}});
    CHECK(one.counts == (us > 10));
    CHECK(one.limit_pct.has_value() == (us > 10));
  }
  CHECK(case_of("compute_loops_us", {{"groups_of_256", 1}, {"loops", 1}, {"us", 1.0}}).limit_pct == 8);
}

TEST_CASE("measured cases: dispatches give a case for each column", "[api][validation]") {
  const Plan cases = plan_of("dispatches_us", {{"dispatches_us",
                                                {{{"dispatches", 5},
                                                  {"groups", 132},
                                                  {"us", 1.0},
                                                  {"us_with_barrier", 2.0},
                                                  {"us_with_barrier_on_3d_queue", 3.0}},
                                                 {{"dispatches", 5}, {"groups", 1}, {"us_with_barrier", 4.0}}}}});
  REQUIRE(cases.size() == 4);
  for (const PlannedCase& one : cases) {
    check_submission(one, one.measured_us == 3 ? QueueType::direct : QueueType::compute);
    const CommandListInfo& list = workload_of(one).command_lists[0];
    CHECK(commands_of<DispatchCommand>(list).size() == 5);
    CHECK(commands_of<DispatchCommand>(list)[4].x == (one.measured_us == 4 ? 1 : 132));
    CHECK(commands_of<BarrierCommand>(list).size() == (one.measured_us == 1 ? 0 : 5));
    CHECK(workload_of(one).compute_pipelines.at(0).work.shader.alu_instructions == 0);
  }
  const PlannedCase loops = case_of("compute_loops_us", {{"groups_of_256", 99}, {"loops", 64}, {"us", 5.0}});
  check_submission(loops, QueueType::compute);
  CHECK(workload_of(loops).compute_pipelines.at(0).group.threads == 256);
  CHECK(workload_of(loops).compute_pipelines.at(0).work.shader.alu_instructions ==
        Approx(measured_shaders::compute_fixed_alu + 64 * measured_shaders::alu_per_loop));
}

TEST_CASE("measured cases: a fence chain takes turns, and waits only across queues", "[api][validation]") {
  const PlannedCase across = case_of("fence_chain_us_per_hop", {{"queues", {0, 2}}, {"us", 10.0}});
  const Workload& workload = workload_of(across);
  REQUIRE(workload.queues.size() == 2);
  CHECK(workload.queues[0].type == QueueType::direct);
  CHECK(workload.queues[1].type == QueueType::copy);
  CHECK(workload.command_lists.size() == 64);
  CHECK(steps_of<WaitStep>(workload.queues[0]).size() == 31);
  CHECK(steps_of<WaitStep>(workload.queues[1]).size() == 32);
  CHECK(across.figure.divide_by == 63);
  const PlannedCase one_queue = case_of("fence_chain_us_per_hop", {{"queues", {1, 1}}, {"us", 8.0}});
  REQUIRE(workload_of(one_queue).queues.size() == 1);
  CHECK(steps_of<ExecuteStep>(workload_of(one_queue).queues[0]).size() == 64);
  CHECK(steps_of<WaitStep>(workload_of(one_queue).queues[0]).empty());
}

TEST_CASE("measured cases: the draws beside a dispatch are fitted to their time alone", "[api][validation]") {
  const json row = {{"groups", 132},
                    {"loops", 100},
                    {"draw_alone_us", 900.0},
                    {"dispatch_alone_us", 13},
                    {"draw_together_us", 910.0},
                    {"dispatch_together_us", 25.0}};
  const Plan cases = plan_of("async_overlap", {{"async_overlap", {row}}});
  REQUIRE(cases.size() == 3);
  CHECK(cases[0].less_empty_list == QueueType::compute);
  CHECK(!cases[0].fitted);
  for (std::size_t i = 1; i < 3; ++i) {
    CHECK(cases[i].fitted);
    CHECK(!cases[i].less_empty_list);
    CHECK(cases[i].plays.empty());
  }
  CHECK(plan_of("async_overlap", {{"async_overlap", {{{"groups", 1}, {"dispatch_alone_us", 13}}}}}).size() == 1);
  CHECK_THAT(refusal_of({{"async_overlap", {{{"groups", 1}, {"draw_together_us", 13}}}}}),
             Contains("/async_overlap/0: expected draw_alone_us"));
}

TEST_CASE("measured cases: draws and a dispatch are released together, and alone", "[api][validation]") {
  const json row = {{"draw_loops", 4},
                    {"draws", 3},
                    {"groups", 132},
                    {"loops", 100},
                    {"draw_alone_us", 900.0},
                    {"dispatch_alone_us", 13},
                    {"draw_together_quantiles_us", {900, 910, 990}},
                    {"dispatch_together_quantiles_us", {20, 50, 51}}};
  const json document = {{"quantiles", {0.25, 0.5, 0.75}}, {"fill_overlap", {row}}};
  const Plan cases = plan_of("fill_overlap", document);
  REQUIRE(cases.size() == 4);
  check_submission(cases[1], QueueType::compute, "dispatch seen");
  for (const PlannedCase& one : cases) {
    CHECK(one.pointer == "/fill_overlap/0");
    const Workload& workload = workload_of(one);
    for (const QueueInfo& queue : workload.queues) {
      const bool together = workload.queues.size() == 2;
      CHECK(steps_of<WaitStep>(queue).size() == (together ? 1 : 0));  // the gate
    }
  }
  CHECK(cases[0].less_empty_list == QueueType::direct);
  const std::vector<DrawCommand> draws = commands_of<DrawCommand>(workload_of(cases[0]).command_lists.at(0));
  REQUIRE(draws.size() == 3);
  CHECK(draws[0].pixels == measured_shaders::large_triangle_pixels);
  CHECK(workload_of(cases[0]).graphics_pipelines.at(0).pixel_shader.alu_instructions ==
        Approx(measured_shaders::pixel_fixed_alu + 4 * measured_shaders::alu_per_loop));
  // Together: absolute times. 900, 910 and 990 are two outcomes, 20 and 50 also.
  for (std::size_t i = 2; i < 4; ++i) {
    CHECK(!cases[i].less_empty_list);
    CHECK(cases[i].limit_pct == 6);
    CHECK(workload_of(cases[i]).queues.size() == 2);
  }
  CHECK(cases[2].outcomes_us == std::vector<double>{900, 990});
  CHECK(cases[3].outcomes_us == std::vector<double>{20, 50});
  CHECK(plan_of("fill_overlap", {{"fill_overlap", {{{"groups", 1}, {"draw_alone_us", 13}}}}}).size() == 1);
}

TEST_CASE("measured cases: outcomes are told apart by gaps between quantiles", "[api][validation]") {
  const std::vector<double> seven = {0, 0.1, 0.25, 0.5, 0.75, 0.9, 1};
  // One outcome: its median; extremes, which less than a tenth of the samples show, are none.
  CHECK(outcomes_of(seven, {50, 100, 101, 102, 103, 104, 200}) == std::vector<double>{102});
  // A step of 5 % is none, one of more is.
  CHECK(outcomes_of(seven, {100, 100, 100, 105, 105, 105, 105}) == std::vector<double>{105});
  CHECK(outcomes_of(seven, {100, 100, 100, 105.1, 105.1, 105.1, 105.1}) == std::vector<double>{100, 105.1});
  CHECK(outcomes_of(seven, {1, 1, 2, 4, 8, 16, 16}) == std::vector<double>{1, 2, 4, 8, 16});
  CHECK(outcomes_of({0.5}, {7}) == std::vector<double>{7});
}

TEST_CASE("measured cases: quantiles that do not fit are refused with their place", "[api][validation]") {
  const auto document = [](const json& quantiles, const json& values) {
    return json{{"quantiles", quantiles},
                {"fill_overlap", {{{"groups", 1}, {"dispatch_together_quantiles_us", values}}}}};
  };
  CHECK_THAT(refusal_of(document({0.1, 0.5}, {7})),
             Contains("/fill_overlap/0/dispatch_together_quantiles_us: expected 2 values, one for each of quantiles"));
  CHECK_THAT(refusal_of(document({0.1, 0.5}, {7, 6})), Contains("dispatch_together_quantiles_us: expected ascending"));
  CHECK_THAT(refusal_of(document({0.5, 0.1}, {6, 7})), Contains("/quantiles: expected ascending"));
  CHECK_THAT(refusal_of(document({0, 1}, {6, 7})), Contains("/quantiles: expected a quantile from 0.1 to 0.9"));
  CHECK_THAT(refusal_of(document(json::array(), {6, 7})), Contains("/quantiles: expected a quantile from 0.1 to 0.9"));
}

TEST_CASE("measured cases: a frame's submissions are lists behind a gate with fences between queues", "[api]") {
  const json frame = {{"seed", 7},
                      {"makespan_us", 50.0},
                      {"submissions",
                       {{{"queue", "3d"},
                         {"commands",
                          {{{"draw", {{"triangles", 2}, {"edge_px", 100}, {"loops", 16}}}},
                           {{"barrier", json::object()}},
                           {{"dispatch", {{"groups", 16}, {"loops", 256}}}}}},
                         {"waits", json::array()},
                         {"start_us", 0.0},
                         {"end_us", 30.0}},
                        {{"queue", "copy"},
                         {"commands", json::array({{{"copy", {{"bytes", 4096}, {"dir", "d2h"}}}}})},
                         {"waits", {0, 0}},
                         {"end_us", 50.0}}}}};
  const PlannedCase one = case_of("graphics_workloads", frame);
  CHECK(one.name == "seed 7");
  CHECK(one.measured_us == 50);
  CHECK((one.figure.from.of == Of::first_start && one.figure.to.of == Of::last_end));
  REQUIRE(one.ops.size() == 2);
  CHECK(one.ops[0].measured_end_us == 30);
  const Workload& workload = workload_of(one);
  REQUIRE(workload.queues.size() == 2);
  for (const QueueInfo& queue : workload.queues) {
    CHECK(queue.path == "vulkan_queue");
    CHECK(steps_of<WaitStep>(queue).at(0).fence == "gate");
  }
  CHECK(steps_of<WaitStep>(workload.queues[1]).at(1).fence == "op0");
  const CommandListInfo& list = workload.command_lists.at(0);
  REQUIRE(list.commands.size() == 3);
  CHECK(std::get<DrawCommand>(list.commands[0]).pixels == 10000);  // 2 * 100 * 100 / 2
  CHECK(std::holds_alternative<BarrierCommand>(list.commands[1]));

  const auto refused = [&](const char* pointer, const json& value) {
    json document = {{"graphics_workloads", {frame}}};
    document[json::json_pointer(std::string("/graphics_workloads/0/submissions") + pointer)] = value;
    return refusal_of(document);
  };
  CHECK_THAT(refused("/1/waits", {2}), Contains("/submissions/1/waits/0: expected the index of a submission"));
  CHECK_THAT(refused("/0/commands/0", json::object()), Contains("/0/commands/0: expected one of draw, dispatch"));
  CHECK_THAT(refused("/0/commands/1/draw", {{"triangles", 1}, {"edge_px", 1}}), Contains("expected one of draw"));
  CHECK_THAT(refused("/0/commands/0/draw/edges", 1), Contains("edge_px"));
  CHECK_THAT(refused("/0/commands/0/draw/triangles", 100000000), Contains("/draw/edge_px: expected at most"));
  CHECK_THAT(refused("/0/queue", "video"), Contains("\"3d\", \"compute\", \"copy\""));
}

TEST_CASE("measured cases: kernels of two processes take turns for many slices", "[api][validation]") {
  const json row = {
      {"blocks", 7}, {"threads", 96}, {"smem", 2048}, {"slice_us", {2000.0, 2001.0}}, {"switch_us", {{"p50", 150.0}}}};
  const Plan cases = plan_of("time_slicing", {{"time_slicing", {row}}});
  REQUIRE(cases.size() == 3);
  CHECK(cases[1].measured_us == 2001);
  CHECK(cases[2].measured_us == 150);
  const Workload& workload = cases[0].samples->plays.at(0);
  REQUIRE(workload.queues.size() == 2);
  CHECK(workload.queues[0].process != workload.queues[1].process);
  CHECK(workload.compute_pipelines.at(0).group.threads == 96);
  CHECK(workload.compute_pipelines.at(0).group.shared_bytes == 2048);
  // A process that did not run has no slices.
  CHECK(plan_of("time_slicing", {{"time_slicing", {{{"blocks", 7}, {"threads", 96}, {"ok", false}}}}}).empty());
}

TEST_CASE("measured cases: the level of a table of gv100 is known by its name or by its latencies",
          "[api][validation]") {
  for (const char* name : {"level1", "level2", "level3"}) {
    const MeasuredFile table =
        load_measured(testing::source_directory() / "bench/hardware/gv100" / (name + std::string(".dat")));
    CHECK(skipped_kinds(table).empty());
    const MachineConfig machine = builtin_machine("quadro_gv100");
    const auto granularity_of = [&](const MeasuredFile& file) {
      for (const MeasuredKind& kind : measured_kinds()) {
        if (kind.key != std::string("kernel_time")) continue;
        const Plan cases = kind.plan({file, machine});
        REQUIRE(cases.size() == 4 * file.preemption.kernel_time.size());
        MachineConfig adapted = machine;
        cases.front().samples->adapt(adapted);
        return std::get<ComputeEngineConfig>(adapted.engines.at(1)).compute_preemption.granularity;
      }
      FAIL("no such kind");
      return ComputePreemption::none;
    };
    const ComputePreemption by_name = granularity_of(table);
    MeasuredFile unnamed = table;
    unnamed.path = "table.dat";
    CHECK(granularity_of(unnamed) == by_name);
    const bool level1 = name == std::string("level1");
    const bool level2 = name == std::string("level2");
    CHECK(by_name == (level1   ? ComputePreemption::none
                      : level2 ? ComputePreemption::dispatch_boundary
                               : ComputePreemption::shader_boundary));
  }
  const MeasuredFile table = load_measured(testing::source_directory() / "bench/hardware/gv100/level3.dat");
  CHECK(table.preemption.kernel_time.size() == 11);
  CHECK(table.preemption.kernel_time[0].p99 == 40.667);
}

TEST_CASE("measured cases: wrong rows are refused at their place", "[api][validation]") {
  const auto refused = [](const char* key, const json& row, const std::string& message) {
    INFO(row);
    CHECK_THAT(refusal_of({{key, json::array({row})}}), Contains("m.json: /" + std::string(key) + "/0" + message));
  };
  refused("pixel_fill_us", {{"triangle_pixels", 0}, {"us", 1}}, "/triangle_pixels: expected");
  refused("pixel_fill_us", {{"us", 1}}, ": expected the required key \"triangle_pixels\"");
  refused("triangles_us", {{"triangles", 1}, {"edge_px", -1}, {"us", 1}}, "/edge_px: expected");
  refused("dispatches_us", {{"dispatches", 1}, {"groups", 1}, {"us_barrier", 1}}, "/us_barrier: expected");
  refused("compute_loops_us", {{"groups_of_256", 1}, {"us", 0}}, "/us: expected");
  refused("fence_chain_us_per_hop", {{"queues", {0}}, {"us", 1}}, "/queues: expected two queues");
  refused("fence_chain_us_per_hop", {{"queues", {0, 3}}, {"us", 1}}, "/queues/1: expected");
  refused("copies_us", {{"dir", "up"}, {"bytes", 1}, {"us", 1}}, "/dir: expected");
  refused("block_boundary_preemption", {{"mode", "busy"}, {"block_us", 1}}, "/mode: expected");
  refused("time_slicing", {{"blocks", 1}}, ": expected the required key \"threads\"");
  CHECK_THAT(refusal_of({{"launch", 5}}), Contains("/launch: expected an object"));
  CHECK_THAT(refusal_of({{"launch", {{"period", 5}}}}), Contains("empty_1block_period_us"));
  CHECK_THAT(refusal_of({{"launch", json::object()}, {"lunch", 1}}), Contains("/lunch: expected"));
  CHECK_THAT(refusal_of({{"device", json::object()}}), Contains("one of the keys workloads, graphics_workloads"));
  CHECK_THAT(refusal_of({{"empty_submit_us", {1, 2, 3, 4}}}), Contains("/empty_submit_us: expected at most three"));
  // Of a workload to play, not a measured one.
  CHECK_THAT(refusal_of({{"name", "w"}, {"fences", json::array()}}), Contains("a measured file"));
}
