// SPDX-License-Identifier: Apache-2.0
// Translations of the rows of graphics.json: Vulkan queues, host time from submit to fence less that of an empty list.
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/measured/measured_shaders.hpp"
#include "api/validation/play/workload_builder.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <utility>

namespace fenceline {
namespace {

using Of = Moment::Of;

constexpr std::array<QueueType, 3> queue_types = {QueueType::direct, QueueType::compute, QueueType::copy};
constexpr std::array<const char*, 3> queue_names = {"3D", "compute", "copy"};
/// Rows of at most this are shown, but have no limit where a limit is for larger ones.
constexpr double small_row_us = 10;

/// The host submits one list and waits for its fence.
PlannedCase submission(WorkloadBuilder& builder, QueueType type, std::vector<CommandInfo> commands) {
  const std::size_t queue = builder.queue("queue", type, vulkan_path);
  builder.execute(queue, "list", std::move(commands));
  builder.signal(queue, "done");
  builder.host("host").waits("done").signals("seen");
  PlannedCase result;
  result.plays.push_back(builder.finish());
  result.figure.to = {Of::fence, "seen"};
  result.less_empty_list = type;
  return result;
}

void name(PlannedCase& one, std::string text, std::string pointer, double measured_us) {
  one.name = std::move(text);
  one.pointer = std::move(pointer);
  one.measured_us = measured_us;
}

/// The limit is for rows of more than 10 us, and only they count.
void limit_large(PlannedCase& one, double limit_pct) {
  one.counts = one.measured_us > small_row_us;
  if (one.counts) one.limit_pct = limit_pct;
}

PlannedCase draw_calls(std::uint64_t draws, bool state_change) {
  WorkloadBuilder builder("draws");
  const std::uint64_t triangles = measured_shaders::triangles_of_small_draw;
  const std::uint64_t pixels = covered_pixels(triangles, measured_shaders::small_triangle_edge_px);
  std::vector<CommandInfo> commands;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const bool other = state_change && i % 2 == 1;
    commands.push_back(draw_command(builder, triangles, pixels, 0, other ? ", other state" : ""));
  }
  return submission(builder, QueueType::direct, std::move(commands));
}

PlannedCase dispatches(const MeasuredDispatches& row, QueueType type, bool barriers) {
  WorkloadBuilder builder("dispatches");
  std::vector<CommandInfo> commands;
  for (std::uint64_t i = 0; i < row.dispatches; ++i) {
    commands.push_back(dispatch_command(builder, {row.groups, 0}));
    if (barriers) commands.emplace_back(BarrierCommand{});
  }
  return submission(builder, type, std::move(commands));
}

/// 64 submissions take turns between two queues, each behind a fence of the one before. On one queue the wait says
/// nothing that the queue's order does not say, and drivers drop it: so do we.
PlannedCase fence_chain(std::uint32_t first, std::uint32_t second) {
  constexpr int hops = 63;
  WorkloadBuilder builder("chain");
  std::array<std::size_t, 2> queues{};
  queues[0] = builder.queue(queue_names[first], queue_types[first], vulkan_path);
  queues[1] = first == second ? queues[0] : builder.queue(queue_names[second], queue_types[second], vulkan_path);
  for (int i = 0; i <= hops; ++i) {
    const std::size_t queue = queues[static_cast<std::size_t>(i % 2)];
    if (i > 0 && queues[0] != queues[1]) builder.wait(queue, fmt::format("fence{}", i - 1));
    builder.execute(queue, fmt::format("list{}", i), {});
    builder.signal(queue, fmt::format("fence{}", i));
  }
  PlannedCase result;
  result.plays.push_back(builder.finish());
  result.figure.from = {Of::fence, "fence0"};
  result.figure.to = {Of::fence, fmt::format("fence{}", hops)};
  result.figure.divide_by = hops;
  return result;
}

}  // namespace

Plan plan_empty_submit(const PlanInput& input) {
  Plan cases;
  const auto& rows = input.measured.graphics.empty_submit_us;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    WorkloadBuilder builder("empty");
    PlannedCase one = submission(builder, queue_types.at(i), {});
    one.less_empty_list.reset();
    name(one, fmt::format("{} queue", queue_names.at(i)), row_pointer("empty_submit_us", i), rows[i]);
    cases.push_back(std::move(one));
  }
  return cases;
}

Plan plan_pixel_fill(const PlanInput& input) {
  return plan_rows(input.measured.graphics.pixel_fill_us, "pixel_fill_us",
                   [&](Plan& cases, const MeasuredFill& row, const std::string& pointer) {
                     WorkloadBuilder builder("fill");
                     const CommandInfo draw = draw_command(builder, 1, row.triangle_pixels, row.loops);
                     PlannedCase one = submission(builder, QueueType::direct, {draw});
                     name(one, fmt::format("{} pixels, {} loops", row.triangle_pixels, row.loops), pointer, row.us);
                     limit_large(one, 10);
                     cases.push_back(std::move(one));
                   });
}

Plan plan_triangles(const PlanInput& input) {
  return plan_rows(input.measured.graphics.triangles_us, "triangles_us",
                   [&](Plan& cases, const MeasuredTriangles& row, const std::string& pointer) {
                     WorkloadBuilder builder("triangles");
                     const CommandInfo draw = draw_command(builder, MeasuredDraw{row.triangles, row.edge_px, 0});
                     PlannedCase one = submission(builder, QueueType::direct, {draw});
                     name(one, fmt::format("{} triangles of {} px", row.triangles, row.edge_px), pointer, row.us);
                     limit_large(one, 10);
                     cases.push_back(std::move(one));
                   });
}

Plan plan_draw_calls(const PlanInput& input) {
  return plan_rows(input.measured.graphics.draw_calls_us, "draw_calls_us",
                   [&](Plan& cases, const MeasuredDrawCalls& row, const std::string& pointer) {
                     const auto add = [&](const std::optional<double>& measured_us, bool state_change) {
                       if (!measured_us) return;
                       PlannedCase one = draw_calls(row.draws, state_change);
                       name(one, fmt::format("{} draws{}", row.draws, state_change ? " with state change" : ""),
                            pointer, *measured_us);
                       limit_large(one, 10);
                       cases.push_back(std::move(one));
                     };
                     add(row.us, false);
                     add(row.us_with_state_change, true);
                   });
}

Plan plan_dispatches(const PlanInput& input) {
  return plan_rows(
      input.measured.graphics.dispatches_us, "dispatches_us",
      [&](Plan& cases, const MeasuredDispatches& row, const std::string& pointer) {
        const auto add = [&](const std::optional<double>& measured_us, QueueType type, bool barriers,
                             const char* text) {
          if (!measured_us) return;
          PlannedCase one = dispatches(row, type, barriers);
          name(one, fmt::format("{} of {} group{}{}", row.dispatches, row.groups, row.groups == 1 ? "" : "s", text),
               pointer, *measured_us);
          one.limit_pct = 10;
          cases.push_back(std::move(one));
        };
        add(row.us, QueueType::compute, false, "");
        add(row.us_with_barrier, QueueType::compute, true, ", barriers");
        add(row.us_with_barrier_on_3d_queue, QueueType::direct, true, ", barriers, 3D queue");
      });
}

Plan plan_compute_loops(const PlanInput& input) {
  return plan_rows(input.measured.graphics.compute_loops_us, "compute_loops_us",
                   [&](Plan& cases, const MeasuredComputeLoops& row, const std::string& pointer) {
                     if (!row.us) return;
                     WorkloadBuilder builder("loops");
                     const CommandInfo dispatch = dispatch_command(builder, {row.groups_of_256, row.loops});
                     PlannedCase one = submission(builder, QueueType::compute, {dispatch});
                     std::string text = fmt::format("{} groups, {} loops", row.groups_of_256, row.loops);
                     if (row.replaced_by) {
                       text += fmt::format(" (replaced by {})", *row.replaced_by);
                       one.counts = false;
                     } else {
                       one.limit_pct = 8;
                     }
                     name(one, std::move(text), pointer, *row.us);
                     cases.push_back(std::move(one));
                   });
}

Plan plan_fence_chain(const PlanInput& input) {
  return plan_rows(input.measured.graphics.fence_chain_us_per_hop, "fence_chain_us_per_hop",
                   [&](Plan& cases, const MeasuredFenceChain& row, const std::string& pointer) {
                     const std::uint32_t first = row.queues[0];
                     const std::uint32_t second = row.queues[1];
                     PlannedCase one = fence_chain(first, second);
                     name(one, fmt::format("{} and {}", queue_names.at(first), queue_names.at(second)), pointer,
                          row.us);
                     one.limit_pct = 10;
                     cases.push_back(std::move(one));
                   });
}

}  // namespace fenceline
