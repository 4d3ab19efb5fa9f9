// SPDX-License-Identifier: Apache-2.0
// Translation of the rows of async_overlap: a draw on the 3D queue and a dispatch on the compute queue.
#include "api/validation/kinds/fitted_draw.hpp"
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/play/workload_builder.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

using Of = Moment::Of;

}  // namespace

Plan plan_async_overlap(const PlanInput& input) {
  const auto draw = std::make_shared<FittedDraw>();
  Plan cases;
  const auto& rows = input.measured.graphics.async_overlap;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const MeasuredOverlap& row = rows[i];
    const std::string text = fmt::format("{} groups, {} loops", row.groups, row.loops);
    const auto add = [&](const char* what, double measured_us) -> PlannedCase& {
      PlannedCase one;
      one.name = fmt::format("{}: {}", text, what);
      one.pointer = row_pointer("async_overlap", i);
      one.measured_us = measured_us;
      one.limit_pct = 12;
      cases.push_back(std::move(one));
      return cases.back();
    };
    if (row.dispatch_alone_us) {
      WorkloadBuilder builder("dispatch alone");
      submit_alone(builder, QueueType::compute, "dispatch", {dispatch_command(builder, {row.groups, row.loops})});
      PlannedCase& one = add("dispatch alone", *row.dispatch_alone_us);
      one.plays.push_back(builder.finish());
      one.figure.to = {Of::fence, "dispatch seen"};
      one.less_empty_list = QueueType::compute;
    }
    // Together both are submitted at one moment; the times are absolute, an empty submission's part included.
    const auto add_together = [&](const char* list, const std::optional<double>& measured_us) {
      if (!measured_us) return;
      PlannedCase& one = add((std::string(list) + " together").c_str(), *measured_us);
      one.figure.to = {Of::fence, std::string(list) + " seen"};
      one.fitted = [draw, row](CasePlayer& player) {
        WorkloadBuilder builder("together");
        submit_overlapped_draw(builder, draw->pixels(player, *row.draw_alone_us));
        submit_alone(builder, QueueType::compute, "dispatch", {dispatch_command(builder, {row.groups, row.loops})});
        return builder.finish();
      };
    };
    add_together("draw", row.draw_together_us);
    add_together("dispatch", row.dispatch_together_us);
  }
  return cases;
}

}  // namespace fenceline
