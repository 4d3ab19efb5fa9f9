// SPDX-License-Identifier: Apache-2.0
#include "api/validation/kinds/fitted_draw.hpp"

#include "api/validation/measured/measured_frames.hpp"
#include "api/validation/measured/measured_shaders.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {
namespace {

constexpr std::uint64_t most_pixels = std::uint64_t{1} << 36;
constexpr std::uint64_t first_try = std::uint64_t{1} << 16;
constexpr double precision = 1e-4;

Workload draw_alone(std::uint64_t pixels) {
  WorkloadBuilder builder("draw alone");
  submit_overlapped_draw(builder, pixels);
  return builder.finish();
}

}  // namespace

void submit_alone(WorkloadBuilder& builder, QueueType type, const std::string& list, std::vector<CommandInfo> commands,
                  bool gated) {
  const std::size_t queue = builder.queue(list, type, vulkan_path);
  if (gated) builder.wait(queue, "gate");
  builder.execute(queue, list, std::move(commands));
  builder.signal(queue, list + " done");
  builder.host("waits for " + list).waits(list + " done").signals(list + " seen");
}

void submit_overlapped_draw(WorkloadBuilder& builder, std::uint64_t pixels, bool gated) {
  const CommandInfo draw = draw_command(builder, 1, pixels, measured_shaders::overlapped_draw_loops);
  submit_alone(builder, QueueType::direct, "draw", std::vector<CommandInfo>(measured_shaders::overlapped_draws, draw),
               gated);
}

std::uint64_t FittedDraw::pixels(CasePlayer& player, double alone_us) {
  const auto known = pixels_.find(alone_us);
  if (known != pixels_.end()) return known->second;
  const double empty_us = player.empty_list_us(QueueType::direct);
  const auto us_of = [&](std::uint64_t pixels) {
    return player.figure_us(draw_alone(pixels), {{}, {Moment::Of::fence, "draw seen"}}) - empty_us;
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

}  // namespace fenceline
