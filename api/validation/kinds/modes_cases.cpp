// SPDX-License-Identifier: Apache-2.0
// Translations of rows that hardware shows several outcomes of: spread.json, quantiles of several runs.
#include "api/validation/kinds/fitted_draw.hpp"
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/measured/measured_frames.hpp"
#include "api/validation/play/workload_builder.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

using Of = Moment::Of;

constexpr double mode_limit_pct = 5;
/// Outcomes that fewer samples show are none (38 samples a run).
constexpr double least_measured_share = 0.1;
/// So often a row is played, each time with the jitter of another seed.
constexpr std::uint64_t seeds = 100;

/// A case for each mode that was measured.
void add_modes(Plan& cases, const std::string& name, const std::string& pointer, const std::vector<double>& quantiles,
               const std::vector<std::vector<double>>& runs_us, const std::shared_ptr<const Samples>& samples) {
  const std::vector<OutcomeMode> modes = modes_of(of_quantiles(quantiles, runs_us), least_measured_share);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    PlannedCase& one = cases.emplace_back();
    one.name = modes.size() == 1 ? name : fmt::format("{}, mode {} of {}", name, i + 1, modes.size());
    one.pointer = pointer;
    one.measured_us = modes[i].us;
    one.limit_pct = mode_limit_pct;
    one.samples = samples;
    one.modes = modes;
  }
}

}  // namespace

/// Both queues wait for one gate.
Plan plan_async_overlap_modes(const PlanInput& input) {
  const auto draw = std::make_shared<FittedDraw>();
  return plan_rows(input.measured.graphics.async_overlap, "async_overlap",
                   [&](Plan& cases, const MeasuredOverlap& row, const std::string& pointer) {
                     const auto add = [&](const char* list, const std::vector<std::vector<double>>& runs_us) {
                       if (runs_us.empty()) return;
                       auto samples = std::make_shared<Samples>();
                       samples->seeds = seeds;
                       samples->figures.push_back({{}, {Of::fence, std::string(list) + " seen"}});
                       samples->fitted = [draw, row](CasePlayer& player) {
                         WorkloadBuilder builder("together");
                         builder.host("host").signals("gate");
                         submit_overlapped_draw(builder, draw->pixels(player, *row.draw_alone_us), true);
                         submit_alone(builder, QueueType::compute, "dispatch",
                                      {dispatch_command(builder, {row.groups, row.loops})}, true);
                         return builder.finish();
                       };
                       add_modes(cases, fmt::format("{} groups, {} loops: {} together", row.groups, row.loops, list),
                                 pointer, input.measured.overlaps.quantiles, runs_us, samples);
                     };
                     add("draw", row.draw_together_quantiles_us);
                     add("dispatch", row.dispatch_together_quantiles_us);
                   });
}

Plan plan_compute_loops_modes(const PlanInput& input) {
  return plan_rows(input.measured.graphics.compute_loops_us, "compute_loops_us",
                   [&](Plan& cases, const MeasuredComputeLoops& row, const std::string& pointer) {
                     if (row.quantiles_us.empty()) return;
                     WorkloadBuilder builder("loops");
                     submit_alone(builder, QueueType::compute, "dispatch",
                                  {dispatch_command(builder, {row.groups_of_256, row.loops})});
                     auto samples = std::make_shared<Samples>();
                     samples->seeds = seeds;
                     samples->plays.push_back(builder.finish());
                     samples->figures.push_back({{}, {Of::fence, "dispatch seen"}});
                     samples->less_empty_list = QueueType::compute;
                     add_modes(cases, fmt::format("{} groups, {} loops", row.groups_of_256, row.loops), pointer,
                               input.measured.overlaps.quantiles, row.quantiles_us, samples);
                   });
}

}  // namespace fenceline
