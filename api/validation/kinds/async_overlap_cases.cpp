// SPDX-License-Identifier: Apache-2.0
// Translation of the rows of async_overlap: a draw on the 3D queue and a dispatch on the compute queue.
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/measured/measured_shaders.hpp"
#include "api/validation/play/case_player.hpp"
#include "api/validation/play/workload_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

using Of = Moment::Of;

/// A list on a queue of its own, and a CPU thread that waits for its fence.
void submit(WorkloadBuilder& builder, QueueType type, const std::string& list, std::vector<CommandInfo> commands) {
  const std::size_t queue = builder.queue(list, type, vulkan_path);
  builder.execute(queue, list, std::move(commands));
  builder.signal(queue, list + " done");
  builder.host("waits for " + list).waits(list + " done").signals(list + " seen");
}

void submit_draw(WorkloadBuilder& builder, std::uint64_t pixels) {
  const CommandInfo draw = draw_command(builder, 1, pixels, measured_shaders::overlapped_draw_loops);
  submit(builder, QueueType::direct, "draw", std::vector<CommandInfo>(measured_shaders::overlapped_draws, draw));
}

Workload draw_alone(std::uint64_t pixels) {
  WorkloadBuilder builder("draw alone");
  submit_draw(builder, pixels);
  return builder.finish();
}

/// How many pixels the draws cover was not written down. It is taken to be as many as make them alone take the time
/// that they took alone.
class FittedDraw {
 public:
  std::uint64_t pixels(CasePlayer& player, double alone_us) {
    const auto known = pixels_.find(alone_us);
    if (known != pixels_.end()) return known->second;
    const double empty_us = player.empty_list_us(QueueType::direct);
    const auto us_of = [&](std::uint64_t pixels) {
      return player.figure_us(draw_alone(pixels), {{}, {Of::fence, "draw seen"}}) - empty_us;
    };
    std::uint64_t least = 1;  // too few, or the least there is
    double least_us = us_of(least);
    if (least_us >= alone_us) return pixels_[alone_us] = least;
    std::uint64_t most = first_try;
    double most_us = us_of(most);
    for (; most_us < alone_us && most < most_pixels; most_us = us_of(most)) {
      least = most;
      least_us = most_us;
      most *= 8;
    }
    // The time grows nearly evenly with the pixels: interpolation finds them soon, halving every other time surely.
    for (int i = 0; most_us - alone_us > alone_us * precision && most - least > 1; ++i) {
      const double share = i % 2 == 1 ? 0.5 : (alone_us - least_us) / (most_us - least_us) + precision / 2;
      const auto step = static_cast<std::uint64_t>(static_cast<double>(most - least) * share);
      const std::uint64_t middle = least + std::clamp<std::uint64_t>(step, 1, most - least - 1);
      const double us = us_of(middle);
      (us < alone_us ? least : most) = middle;
      (us < alone_us ? least_us : most_us) = us;
    }
    return pixels_[alone_us] = most;
  }

 private:
  static constexpr std::uint64_t most_pixels = std::uint64_t{1} << 36;
  static constexpr std::uint64_t first_try = std::uint64_t{1} << 16;
  static constexpr double precision = 1e-4;
  std::map<double, std::uint64_t> pixels_;
};

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
      submit(builder, QueueType::compute, "dispatch", {dispatch_command(builder, {row.groups, row.loops})});
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
        submit_draw(builder, draw->pixels(player, *row.draw_alone_us));
        submit(builder, QueueType::compute, "dispatch", {dispatch_command(builder, {row.groups, row.loops})});
        return builder.finish();
      };
    };
    add_together("draw", row.draw_together_us);
    add_together("dispatch", row.dispatch_together_us);
  }
  return cases;
}

}  // namespace fenceline
