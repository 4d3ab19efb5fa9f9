// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/validation/play/planned_case.hpp"
#include "api/validation/play/workload_builder.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

// Measured random frames: the key "graphics_workloads", as in bench/hardware/h200/graphics_workloads.json. Times are
// microseconds on the device clock, 0 is the earliest start.

/// One draw of right triangles.
struct MeasuredDraw {
  std::uint64_t triangles = 1;
  double edge_px = 0;  ///< the legs
  std::uint64_t loops = 0;
};
void describe(Fields& f, MeasuredDraw& c);
/// `groups` groups of 256 threads.
struct MeasuredDispatch {
  std::uint64_t groups = 1;
  std::uint64_t loops = 0;
};
void describe(Fields& f, MeasuredDispatch& c);
struct MeasuredFrameCopy {
  CopyDirection dir = CopyDirection::h2d;
  std::uint64_t bytes = 0;
};
void describe(Fields& f, MeasuredFrameCopy& c);
struct MeasuredBarrier {};
void describe(Fields& f, MeasuredBarrier& c);

/// Exactly one of them.
struct MeasuredCommand {
  std::optional<MeasuredDraw> draw;
  std::optional<MeasuredDispatch> dispatch;
  std::optional<MeasuredFrameCopy> copy;
  std::optional<MeasuredBarrier> barrier;
};
void describe(Fields& f, MeasuredCommand& c);

enum class FrameQueue : std::uint8_t { graphics, compute, copy };
constexpr EnumNames<FrameQueue, 3> enum_names(FrameQueue) {
  return {{{FrameQueue::graphics, "3d"}, {FrameQueue::compute, "compute"}, {FrameQueue::copy, "copy"}}};
}

/// One command list.
struct MeasuredSubmission {
  FrameQueue queue = FrameQueue::graphics;
  std::vector<MeasuredCommand> commands;
  std::vector<std::uint64_t> waits;  ///< submissions that must be complete first
  std::optional<double> start_us;
  double end_us = 0;
};
void describe(Fields& f, MeasuredSubmission& c);

struct MeasuredFrame {
  std::optional<std::uint64_t> seed;
  std::optional<std::string> name;
  std::optional<double> makespan_us;  ///< absent: the last end
  std::optional<double> makespan_min;
  std::optional<double> makespan_max;
  std::vector<MeasuredSubmission> submissions;
};
void describe(Fields& f, MeasuredFrame& c);

/// Commands of the measured shaders, as measured_shaders.hpp has them.
CommandInfo draw_command(WorkloadBuilder& builder, const MeasuredDraw& draw);
/// A draw of `pixels` in all, by a pipeline of its own for each number of loops (and each `variant`).
CommandInfo draw_command(WorkloadBuilder& builder, std::uint64_t triangles, std::uint64_t pixels, std::uint64_t loops,
                         const char* variant = "");
CommandInfo dispatch_command(WorkloadBuilder& builder, const MeasuredDispatch& dispatch);
/// Pixels that right triangles cover: their area, as triangles that are smaller than a pixel hit a pixel's centre with
/// the probability of their area.
std::uint64_t covered_pixels(std::uint64_t triangles, double edge_px);
/// More pixels than anybody draws are a mistake, and would take for ever.
void check_pixels(Fields& f, std::uint64_t triangles, double edge_px);

/// The frame on the submission path "vulkan_queue": every submission a command list "op<index>" with a fence of its
/// own, all queues behind a gate that the CPU opens at time 0.
Workload workload_of(const MeasuredFrame& frame, const std::string& file, const std::string& pointer);
/// The makespan, and the submissions' ends, from the first start.
PlannedCase plan(const MeasuredFrame& frame, const std::string& file, const std::string& pointer);

}  // namespace fenceline
