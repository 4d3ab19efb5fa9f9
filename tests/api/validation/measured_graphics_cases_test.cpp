// SPDX-License-Identifier: Apache-2.0
// Rows of Vulkan's measurements as cases: draws, dispatches, fences, overlaps and frames.
#include "tests/api/validation/measured_rows.hpp"

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;
using Of = Moment::Of;

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
