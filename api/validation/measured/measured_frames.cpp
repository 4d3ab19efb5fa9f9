// SPDX-License-Identifier: Apache-2.0
#include "api/validation/measured/measured_frames.hpp"

#include "api/validation/measured/measured_ranges.hpp"
#include "api/validation/measured/measured_shaders.hpp"
#include "sim/config/fields.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace fenceline {
namespace {

std::string list_of(std::size_t submission) { return fmt::format("op{}", submission); }

QueueType type_of(FrameQueue queue) {
  switch (queue) {
    case FrameQueue::graphics: return QueueType::direct;
    case FrameQueue::compute: return QueueType::compute;
    case FrameQueue::copy: return QueueType::copy;
  }
  return QueueType::direct;
}

CommandInfo command_of(WorkloadBuilder& builder, const MeasuredCommand& command) {
  if (command.draw) return draw_command(builder, *command.draw);
  if (command.dispatch) return dispatch_command(builder, *command.dispatch);
  if (command.copy) return builder.copy(command.copy->dir, command.copy->bytes);
  return BarrierCommand{};
}

}  // namespace

void describe(Fields& f, MeasuredDraw& c) {
  f.required("triangles", c.triangles, "of the draw", between(1, 1e8));
  f.required("edge_px", c.edge_px, "legs of each triangle, pixels", between(0, 16384));
  check_pixels(f, c.triangles, c.edge_px);
  f.optional("loops", c.loops, "of the pixel shader", measured_range::loop_count);
}
void describe(Fields& f, MeasuredDispatch& c) {
  f.required("groups", c.groups, "of 256 threads", measured_range::groups);
  f.optional("loops", c.loops, "of each thread", measured_range::loop_count);
}
void describe(Fields& f, MeasuredFrameCopy& c) {
  f.required("bytes", c.bytes, "copied", between(1, 1e15));
  f.required("dir", c.dir, "which way");
}
void describe(Fields&, MeasuredBarrier&) {}

void describe(Fields& f, MeasuredCommand& c) {
  f.optional("draw", c.draw, "right triangles");
  f.optional("dispatch", c.dispatch, "thread groups");
  f.optional("copy", c.copy, "a copy over PCIe");
  f.optional("barrier", c.barrier, "a full barrier");
  const int given =
      int{c.draw.has_value()} + int{c.dispatch.has_value()} + int{c.copy.has_value()} + int{c.barrier.has_value()};
  f.check(given == 1, "one of draw, dispatch, copy, barrier", fmt::format("{} of them", given));
}

void describe(Fields& f, MeasuredSubmission& c) {
  f.required("queue", c.queue, "queue of the submission");
  f.required("commands", c.commands, "of its command list");
  f.optional("waits", c.waits, "indices of submissions that must be complete first");
  f.optional("start_us", c.start_us, "measured start", measured_range::us_or_none);
  f.required("end_us", c.end_us, "measured end", measured_range::us_or_none);
}

void describe(Fields& f, MeasuredFrame& c) {
  f.optional("seed", c.seed, "of the random frame: its name");
  f.optional("name", c.name, "of the frame");
  f.optional("makespan_us", c.makespan_us, "measured last end, median", measured_range::us_or_none);
  f.optional("makespan_min", c.makespan_min, "least over the repetitions", measured_range::us_or_none);
  f.optional("makespan_max", c.makespan_max, "most over the repetitions", measured_range::us_or_none);
  f.required("submissions", c.submissions, "in the order they were submitted");
}

void check_pixels(Fields& f, std::uint64_t triangles, double edge_px) {
  constexpr double most = 1e11;
  f.check(static_cast<double>(triangles) * edge_px * edge_px / 2 <= most, fmt::format("at most {} pixels", most),
          "more: triangles * edge_px^2 / 2", "edge_px");
}

std::uint64_t covered_pixels(std::uint64_t triangles, double edge_px) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(triangles) * edge_px * edge_px / 2));
}

CommandInfo draw_command(WorkloadBuilder& builder, const MeasuredDraw& draw) {
  return draw_command(builder, draw.triangles, covered_pixels(draw.triangles, draw.edge_px), draw.loops);
}

CommandInfo draw_command(WorkloadBuilder& builder, std::uint64_t triangles, std::uint64_t pixels, std::uint64_t loops,
                         const char* variant) {
  GraphicsPipeline pipeline;
  pipeline.name = fmt::format("draw, {} loops{}", loops, variant);
  pipeline.vertex_shader.alu_instructions = measured_shaders::vertex_fixed_alu;
  pipeline.pixel_shader.alu_instructions =
      measured_shaders::pixel_fixed_alu + measured_shaders::alu_per_loop * static_cast<double>(loops);
  pipeline.bytes_per_pixel = measured_shaders::bytes_per_pixel;
  DrawCommand command;
  command.pipeline = builder.pipeline(pipeline);
  command.vertices = 3 * triangles;
  command.pixels = pixels;
  command.extent_pixels = measured_shaders::target_pixels;
  return command;
}

CommandInfo dispatch_command(WorkloadBuilder& builder, const MeasuredDispatch& dispatch) {
  ComputePipeline pipeline;
  pipeline.name = fmt::format("dispatch, {} loops", dispatch.loops);
  pipeline.group.threads = measured_shaders::group_threads;
  if (dispatch.loops > 0) {  // else it is empty
    pipeline.work.shader.alu_instructions =
        measured_shaders::compute_fixed_alu + measured_shaders::alu_per_loop * static_cast<double>(dispatch.loops);
  }
  return DispatchCommand{builder.pipeline(pipeline), dispatch.groups, 1, 1};
}

Workload workload_of(const MeasuredFrame& frame, const std::string& file, const std::string& pointer) {
  WorkloadBuilder builder(frame.name.value_or(frame.seed ? fmt::format("seed {}", *frame.seed) : pointer));
  builder.host("host").signals("gate");
  std::map<FrameQueue, std::size_t> queues;
  for (const MeasuredSubmission& submission : frame.submissions) queues.emplace(submission.queue, 0);
  for (auto& [queue, index] : queues) {
    index = builder.queue(enum_names(queue)[static_cast<std::size_t>(queue)].second, type_of(queue), vulkan_path);
    builder.wait(index, "gate");
  }
  for (std::size_t i = 0; i < frame.submissions.size(); ++i) {
    const MeasuredSubmission& submission = frame.submissions[i];
    const std::size_t queue = queues.at(submission.queue);
    for (std::size_t j = 0; j < submission.waits.size(); ++j) {
      const std::uint64_t other = submission.waits[j];
      if (other >= frame.submissions.size()) {
        throw ConfigError(file, fmt::format("{}/submissions/{}/waits/{}", pointer, i, j),
                          fmt::format("the index of a submission, less than {}", frame.submissions.size()),
                          fmt::format("{}", other));
      }
      builder.wait(queue, list_of(other));
    }
    std::vector<CommandInfo> commands;
    for (const MeasuredCommand& command : submission.commands) commands.push_back(command_of(builder, command));
    builder.execute(queue, list_of(i), std::move(commands));
    builder.signal(queue, list_of(i));
  }
  return builder.finish();
}

PlannedCase plan(const MeasuredFrame& frame, const std::string& file, const std::string& pointer) {
  PlannedCase result;
  result.plays.push_back(workload_of(frame, file, pointer));
  result.name = result.plays.front().name;
  result.pointer = pointer;
  result.figure.from.of = Moment::Of::first_start;
  result.figure.to.of = Moment::Of::last_end;
  double last_us = 0;
  for (std::size_t i = 0; i < frame.submissions.size(); ++i) {
    result.ops.push_back({list_of(i), frame.submissions[i].end_us});
    last_us = std::max(last_us, frame.submissions[i].end_us);
  }
  result.measured_us = frame.makespan_us.value_or(last_us);
  return result;
}

}  // namespace fenceline
