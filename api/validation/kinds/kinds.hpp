// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine_config.hpp"
#include "api/validation/measured/measured_file.hpp"
#include "api/validation/play/planned_case.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// What the errors of one kind of rows should keep, percent.
struct KindLimits {
  std::optional<double> mean_pct;     ///< of |error| over the cases that count
  std::optional<double> p90_pct;      ///< the same, 90th percentile
  std::optional<double> mean_op_pct;  ///< over all operations of all cases
  const char* each = nullptr;         ///< in words, what each case should keep: its limit_pct
};

/// Where a row's translation finds what it needs.
struct PlanInput {
  const MeasuredFile& measured;
  const MachineConfig& machine;
};
using Plan = std::vector<PlannedCase>;

/// A kind of measured rows.
struct MeasuredKind {
  const char* key;  ///< of measured files, at their top
  KindLimits limits;
  bool informative;  ///< shown, without a verdict
  Plan (*plan)(const PlanInput& input);
  const char* shown = nullptr;  ///< its name, where several kinds have one key

  const char* name() const { return shown != nullptr ? shown : key; }
};
const std::vector<MeasuredKind>& measured_kinds();

/// The top-level keys of measured rows, those that cannot be played among them.
std::vector<std::string> measured_keys();

/// Rows that are known but cannot be played.
struct SkippedKind {
  std::string key;
  std::size_t rows = 0;
  const char* reason = nullptr;
};
std::vector<SkippedKind> skipped_kinds(const MeasuredFile& measured);

// The translations, one function a kind.
Plan plan_workloads(const PlanInput& input);
Plan plan_graphics_workloads(const PlanInput& input);
Plan plan_copies(const PlanInput& input);
Plan plan_block_waves(const PlanInput& input);
Plan plan_launch(const PlanInput& input);
Plan plan_fences(const PlanInput& input);
Plan plan_block_boundary(const PlanInput& input);
Plan plan_bandwidth_sharing(const PlanInput& input);
Plan plan_l2(const PlanInput& input);
Plan plan_empty_submit(const PlanInput& input);
Plan plan_pixel_fill(const PlanInput& input);
Plan plan_triangles(const PlanInput& input);
Plan plan_draw_calls(const PlanInput& input);
Plan plan_dispatches(const PlanInput& input);
Plan plan_compute_loops(const PlanInput& input);
Plan plan_fence_chain(const PlanInput& input);
Plan plan_async_overlap(const PlanInput& input);
Plan plan_async_overlap_modes(const PlanInput& input);
Plan plan_compute_loops_modes(const PlanInput& input);
Plan plan_fill_overlap(const PlanInput& input);
Plan plan_decode_alone(const PlanInput& input);
Plan plan_train_alone(const PlanInput& input);
Plan plan_two_processes(const PlanInput& input);
Plan plan_torch_jobs(const PlanInput& input);
Plan plan_torch_pairs(const PlanInput& input);
Plan plan_torch_pairs_kept_out(const PlanInput& input);
Plan plan_time_slicing(const PlanInput& input);
Plan plan_context_preemption(const PlanInput& input);
Plan plan_kernel_time(const PlanInput& input);
Plan plan_trace(const PlanInput& input);
Plan plan_published(const PlanInput& input);

/// "/key/index"
std::string row_pointer(const char* key, std::size_t index);

/// A case whose figure is a statistic of samples.
PlannedCase sampled(std::string name, std::string pointer, double measured_us, double limit_pct,
                    const std::shared_ptr<const Samples>& samples, Statistic statistic = Statistic::p50);

/// The cases of all rows of a key: `add_row` puts those of one row, whose pointer it is given, behind the others.
template <class Row, class AddRow>
Plan plan_rows(const std::vector<Row>& rows, const char* key, AddRow add_row) {
  Plan cases;
  for (std::size_t i = 0; i < rows.size(); ++i) add_row(cases, rows[i], row_pointer(key, i));
  return cases;
}

}  // namespace fenceline
