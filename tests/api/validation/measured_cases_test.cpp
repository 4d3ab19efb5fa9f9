// SPDX-License-Identifier: Apache-2.0
// How measured rows become workloads.
#include "tests/api/validation/measured_rows.hpp"

using namespace fenceline;
using namespace fenceline::testing;
using Catch::Contains;
using nlohmann::json;
using Of = Moment::Of;

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
        load_measured(source_directory() / "bench/hardware/gv100" / (name + std::string(".dat")));
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
  const MeasuredFile table = load_measured(source_directory() / "bench/hardware/gv100/level3.dat");
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
  refused("compute_loops_us", {{"groups_of_256", 1}}, ": expected us, quantiles_us or both, found neither");
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
  const auto spread = [&](const json& quantiles, const json& runs_us) {
    json row = {{"groups_of_256", 1}};
    row["quantiles_us"] = runs_us;
    return refusal_of({{"quantiles", quantiles}, {"compute_loops_us", json::array({row})}});
  };
  const json runs = json::array({json::array({1, 2})});
  CHECK_THAT(spread(json::array(), runs), Contains("/quantiles: expected which quantiles the rows give, found none"));
  CHECK_THAT(spread({0, 0.5, 1}, runs),
             Contains("/compute_loops_us/0/quantiles_us/0: expected 3 values, one for each of quantiles, found 2"));
  CHECK_THAT(spread({0, 1}, json::array({json::array({2, 1})})),
             Contains("/compute_loops_us/0/quantiles_us/0: expected ascending values"));
  CHECK_THAT(spread({1, 0}, runs), Contains("/quantiles: expected ascending quantiles"));
  // Of a workload to play, not a measured one.
  CHECK_THAT(refusal_of({{"name", "w"}, {"fences", json::array()}}), Contains("a measured file"));
}
