// SPDX-License-Identifier: Apache-2.0
#include "api/validation/kinds/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline {

const std::vector<MeasuredKind>& measured_kinds() {
  static constexpr const char* modes = "each mode 5 %, its share 25 points";
  static const std::vector<MeasuredKind> kinds = {
      {"workloads", {1.5, 4, 3, nullptr}, false, plan_workloads},
      {"graphics_workloads", {6, 12, 8, nullptr}, false, plan_graphics_workloads},
      {"copies_us", {{}, {}, {}, "each 3 %, below 1 MiB 15 %"}, false, plan_copies},
      {"block_waves", {{}, {}, {}, "each 2 %"}, false, plan_block_waves},
      {"launch", {{}, {}, {}, "each 10 %"}, false, plan_launch},
      {"fences", {{}, {}, {}, "each 10 %"}, false, plan_fences},
      {"bandwidth_sharing", {{}, {}, {}, "each 12 %"}, false, plan_bandwidth_sharing},
      {"l2_us", {{}, {}, {}, "each 10 %"}, false, plan_l2},
      {"block_boundary_preemption", {{}, {}, {}, "same p50, high p50 and max each 12 %"}, false, plan_block_boundary},
      {"time_slicing", {{}, {}, {}, "slices each 3 %, switches 10 %"}, false, plan_time_slicing},
      {"context_preemption", {{}, {}, {}, "p50 each 15 %"}, false, plan_context_preemption},
      {"kernel_time", {{}, {}, {}, "mean and p99 each 12 %"}, false, plan_kernel_time},
      {"empty_submit_us", {}, true, plan_empty_submit},
      {"pixel_fill_us", {6, {}, {}, "each 10 % (over 10 us)"}, false, plan_pixel_fill},
      {"triangles_us", {6, {}, {}, "each 10 % (over 10 us)"}, false, plan_triangles},
      {"draw_calls_us", {6, {}, {}, "each 10 % (over 10 us)"}, false, plan_draw_calls},
      {"dispatches_us", {{}, {}, {}, "each 10 %"}, false, plan_dispatches},
      {"compute_loops_us", {{}, {}, {}, "each 8 %"}, false, plan_compute_loops},
      {"fence_chain_us_per_hop", {{}, {}, {}, "each 10 %"}, false, plan_fence_chain},
      {"async_overlap", {{}, {}, {}, "each 12 %"}, false, plan_async_overlap},
      {"async_overlap", {{}, {}, {}, modes}, false, plan_async_overlap_modes, "async_overlap, modes"},
      {"compute_loops_us", {{}, {}, {}, modes}, false, plan_compute_loops_modes, "compute_loops_us, modes"},
      {"fill_overlap", {{}, {}, {}, "each 10 %, of several outcomes 6 %"}, false, plan_fill_overlap},
      {"decode_alone_us", {{}, {}, {}, "each 2 %"}, false, plan_decode_alone},
      {"train_alone_us", {{}, {}, {}, "each 2 %"}, false, plan_train_alone},
      {"two_processes", {{}, {}, {}, "each 7 %"}, false, plan_two_processes},
      {"torch_jobs", {{}, {}, {}, "each 2 %"}, false, plan_torch_jobs},
      {"torch_pairs", {{}, {}, {}, "p50 each 7 %"}, false, plan_torch_pairs},
      {"torch_pairs", {{}, {}, {}, "p50 each 7 %"}, false, plan_torch_pairs_kept_out, "torch_pairs, kept out"},
      {"published", {}, true, plan_published},
      {"traceEvents", {{}, {}, {}, "each 2 %"}, false, plan_trace},
  };
  return kinds;
}

std::vector<std::string> measured_keys() {
  std::vector<std::string> keys;
  for (const MeasuredKind& kind : measured_kinds()) {
    if (std::find(keys.begin(), keys.end(), kind.key) == keys.end()) keys.emplace_back(kind.key);
  }
  return keys;
}

std::vector<SkippedKind> skipped_kinds(const MeasuredFile& measured) {
  constexpr const char* traces = "no Kineto trace of such steps in the same directory";
  std::vector<SkippedKind> skipped;
  const auto add = [&](const char* key, std::size_t rows, const char* reason) {
    if (rows > 0) skipped.push_back({key, rows, reason});
  };
  add("decode_alone_us", measured.decode_alone_us && !measured.decode_trace ? 1 : 0, traces);
  add("train_alone_us", measured.train_alone_us && !measured.train_trace ? 1 : 0, traces);
  add("two_processes", measured.preemption.two_processes && !(measured.decode_trace && measured.train_trace) ? 1 : 0,
      traces);
  return skipped;
}

std::string row_pointer(const char* key, std::size_t index) { return fmt::format("/{}/{}", key, index); }

PlannedCase sampled(std::string name, std::string pointer, double measured_us, double limit_pct,
                    const std::shared_ptr<const Samples>& samples, Statistic statistic) {
  PlannedCase one;
  one.name = std::move(name);
  one.pointer = std::move(pointer);
  one.measured_us = measured_us;
  one.limit_pct = limit_pct;
  one.samples = samples;
  one.statistic = statistic;
  return one;
}

Plan plan_workloads(const PlanInput& input) {
  Plan cases;
  for (std::size_t i = 0; i < input.measured.workloads.size(); ++i) {
    cases.push_back(
        plan(input.measured.workloads[i], input.measured.device, input.measured.path, row_pointer("workloads", i)));
  }
  return cases;
}

Plan plan_graphics_workloads(const PlanInput& input) {
  Plan cases;
  for (std::size_t i = 0; i < input.measured.graphics_workloads.size(); ++i) {
    cases.push_back(
        plan(input.measured.graphics_workloads[i], input.measured.path, row_pointer("graphics_workloads", i)));
  }
  return cases;
}

}  // namespace fenceline
