// SPDX-License-Identifier: Apache-2.0
// Translation of the rows of fill_overlap: draws on the 3D queue and a dispatch on the compute queue, behind one gate.
#include "api/validation/kinds/fitted_draw.hpp"
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/measured/measured_shaders.hpp"
#include "api/validation/play/workload_builder.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace fenceline {
namespace {

using Of = Moment::Of;

constexpr double one_outcome_pct = 10;
constexpr double several_outcomes_pct = 6;

void submit_draws(WorkloadBuilder& builder, const MeasuredFillOverlap& row, bool gated) {
  const CommandInfo draw = draw_command(builder, 1, measured_shaders::large_triangle_pixels, row.draw_loops);
  submit_alone(builder, QueueType::direct, "draws", std::vector<CommandInfo>(row.draws, draw), gated);
}
void submit_dispatch(WorkloadBuilder& builder, const MeasuredFillOverlap& row, bool gated) {
  submit_alone(builder, QueueType::compute, "dispatch", {dispatch_command(builder, {row.groups, row.loops})}, gated);
}

}  // namespace

Plan plan_fill_overlap(const PlanInput& input) {
  Plan cases;
  const MeasuredOverlaps& measured = input.measured.overlaps;
  for (std::size_t i = 0; i < measured.fill_overlap.size(); ++i) {
    const MeasuredFillOverlap& row = measured.fill_overlap[i];
    const auto add = [&](const char* list, const char* how, WorkloadBuilder& builder) -> PlannedCase& {
      PlannedCase& one = cases.emplace_back();
      one.name = fmt::format("{} draws, {} loops; {} groups, {} loops: {} {}", row.draws, row.draw_loops, row.groups,
                             row.loops, list, how);
      one.pointer = row_pointer("fill_overlap", i);
      one.plays.push_back(builder.finish());
      one.figure.to = {Of::fence, std::string(list) + " seen"};
      one.limit_pct = one_outcome_pct;
      return one;
    };
    const auto add_alone = [&](const char* list, QueueType type, const std::optional<double>& measured_us,
                               auto submits) {
      if (!measured_us) return;
      WorkloadBuilder builder(std::string(list) + " alone");
      submits(builder, row, false);
      PlannedCase& one = add(list, "alone", builder);
      one.measured_us = *measured_us;
      one.less_empty_list = type;
    };
    add_alone("draws", QueueType::direct, row.draw_alone_us, submit_draws);
    add_alone("dispatch", QueueType::compute, row.dispatch_alone_us, submit_dispatch);
    // Together the times are absolute: what an empty list takes is in them.
    const auto add_together = [&](const char* list, const std::vector<double>& values_us) {
      if (values_us.empty()) return;
      WorkloadBuilder builder("together");
      builder.host("host").signals("gate");
      submit_draws(builder, row, true);
      submit_dispatch(builder, row, true);
      PlannedCase& one = add(list, "together", builder);
      one.outcomes_us = outcomes_of(measured.quantiles, values_us);
      if (one.outcomes_us.size() > 1) one.limit_pct = several_outcomes_pct;
    };
    add_together("draws", row.draw_together_quantiles_us);
    add_together("dispatch", row.dispatch_together_quantiles_us);
  }
  return cases;
}

}  // namespace fenceline
