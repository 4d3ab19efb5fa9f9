// SPDX-License-Identifier: Apache-2.0
// DrawPipeline, the family of functions that stop a draw at a boundary.
#include "engines/draw_pipeline.hpp"
#include "engines/shader_array/rules/occupancy.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

void DrawPipeline::halt(std::uint32_t slot, PreemptionLevel level) {
  DrawInFlight& draw = draws_[slot];
  if (draw.is_complete()) return;  // the agenda says so at this moment
  if (!traits_of(level).has(level_rule::stops_commands) && !draw.halting) {
    if (holds_something(draw)) return;
    level = PreemptionLevel::thread;  // nothing of it has to come to an end
  }
  draw.level = std::max(draw.level, level);
  if (!draw.halting && !draw.left.filled) draw.number = numbers_.next();  // no triangle begins any more
  draw.halting = true;
  if (draw.vertices.under_way()) array_.halt(draw.vertices.grid, level);
  if (draw.pixels.under_way()) array_.halt(draw.pixels.grid, level);
  part_done(slot);
}

void DrawPipeline::grid_halted(std::uint64_t tag, GridRemainder left) {
  const auto [slot, pixels] = DrawTag::of(tag);
  DrawInFlight& draw = draws_[slot];
  if (pixels) {
    draw.pixels = {};
    draw.left.grid = std::move(left);
  } else {
    draw.vertices = {};
    draw.left.vertices = std::move(left);
  }
  part_done(slot);
}

bool DrawPipeline::has_worked(std::uint32_t slot, PreemptionLevel level) const {
  const DrawInFlight& draw = draws_[slot];
  const std::uint64_t now = now_ps();
  if (!draw.left.filled) return now > draw.start_ps;
  for (const DrawPart& part : {draw.vertices, draw.pixels}) {
    if (part.grid != none && array_.has_worked(part.grid, level)) return true;
  }
  for (std::size_t stage = 0; stage < stages; ++stage) {
    if (draw.left.stage_cycles[stage] > 0 && clock_.after(draw.stage_start_ps[stage], 1) <= now) return true;
  }
  return draw.write_back != none && memory_.has_moved(draw.write_back);
}

/// Of the draw, vertices or pixels are on the SMs or in one of the stages, or pixels have been shaded; or its bytes are
/// being written back.
bool DrawPipeline::holds_something(const DrawInFlight& draw) const {
  const std::uint64_t now = now_ps();
  const auto is_resident = [&](const DrawPart& part) {
    if (part.grid == none) return false;
    return part.end_ps != DrawPart::unknown ? part.end_ps > now : array_.is_resident(part.grid);
  };
  if (is_resident(draw.vertices) || is_resident(draw.pixels)) return true;
  if (!draw.left.filled) return false;
  const bool placed = draw.pixels.grid != none && array_.has_worked(draw.pixels.grid, PreemptionLevel::group);
  const bool before = draw.pixels.grid == none && draw.left.grid.groups < draw.cost.pixel_groups;
  if (placed || before) return true;
  for (std::size_t stage = 0; stage < stages; ++stage) {
    if (draw.stage_start_ps[stage] <= now && now < draw.stage_end_ps[stage]) return true;
  }
  return draw.write_back != none && memory_.has_begun(draw.write_back);
}

/// The triangles that have been shaded have passed every stage, or the level does not ask for it. Otherwise the draw is
/// looked at again once they have.
bool DrawPipeline::stages_at_boundary(std::uint32_t slot) {
  const DrawInFlight& draw = draws_[slot];
  if (traits_of(draw.level).has(level_rule::stops_groups) || !draw.left.filled) return true;
  const std::uint64_t whole[stages] = {draw.cost.setup_cycles, draw.cost.raster_cycles, draw.cost.rop_cycles};
  std::uint64_t boundary_ps = now_ps();
  for (std::size_t stage = 0; stage < stages; ++stage) {
    const std::uint64_t beyond = draw.beyond_boundary(whole[stage]);
    if (draw.left.stage_cycles[stage] <= beyond) continue;
    boundary_ps = std::max(boundary_ps, clock_.time_of(clock_.cycle_at(draw.stage_end_ps[stage]) - beyond));
  }
  if (boundary_ps <= now_ps()) return true;
  agenda_.at<&DrawPipeline::end_expected>(boundary_ps, this, ticket(slot));
  return false;
}

/// The write-back of the triangles that have been shaded is over, or the level does not ask for it. Otherwise what lies
/// beyond the boundary is taken off, and the rest of it comes to its end.
bool DrawPipeline::written_to_boundary(std::uint32_t slot) {
  DrawInFlight& draw = draws_[slot];
  if (traits_of(draw.level).has(level_rule::stops_groups) || draw.write_back == none) return true;
  if (draw.last_write_back) return false;
  const auto left = memory_.cancel(draw.write_back);
  if (!left) return false;  // its last byte has passed
  const std::uint64_t beyond = std::min(draw.beyond_boundary(draw.write_back_bytes), left->bytes[0]);
  draw.write_back = none;
  if (beyond > 0) draw.left.bytes = TransferRemainder{{beyond, 0}, 0};
  if (left->bytes[0] == beyond) return true;
  draw.last_write_back = true;
  draw.write_back = memory_.access_vram(left->bytes[0] - beyond, Callback::to<&DrawPipeline::written_back>(this, slot));
  return false;
}

/// The draw goes back with what its stages have not done. A cycle that has begun is lost.
void DrawPipeline::freeze(std::uint32_t slot) {
  DrawInFlight& draw = draws_[slot];
  const std::uint64_t now = now_ps();
  if (draw.write_back != none) {
    const auto bytes = memory_.cancel(draw.write_back);
    if (!bytes) return;  // its last byte has passed
    if (!draw.left.bytes) draw.left.bytes.emplace();
    draw.left.bytes->bytes[0] += bytes->bytes[0];
  }
  draw.left.write_back_bytes = draw.write_back_bytes;
  if (!draw.left.filled) draw.left.fill_ps = std::max(now, draw.filled_ps) - now;
  for (std::size_t stage = 0; stage < stages && draw.left.filled; ++stage) {
    const std::uint64_t end_ps = std::max(now, draw.stage_end_ps[stage]);
    const std::uint64_t cycles = clock_.cycle_at(end_ps) - clock_.cycle_at(now);
    draw.left.stage_cycles[stage] = std::min(draw.left.stage_cycles[stage], cycles);
  }
  const std::uint32_t id = draw.id;
  CommandRemainder left = std::move(draw.left);
  leave(slot);
  leave_stages();
  owner_.draw_halted(id, std::move(left));
}

/// A draw has: those behind it move up, once for all that leave at this moment.
void DrawPipeline::leave_stages() {
  if (std::exchange(closing_gaps_, true)) return;
  agenda_.at<&DrawPipeline::close_gaps>(now_ps(), this);
}

void DrawPipeline::close_gaps(std::uint64_t) {
  closing_gaps_ = false;
  const std::uint64_t now = now_ps();
  std::vector<std::uint32_t> in_order;
  for (std::size_t stage = 0; stage < stages; ++stage) {
    in_order = running_;
    std::stable_sort(in_order.begin(), in_order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return draws_[a].stage_start_ps[stage] < draws_[b].stage_start_ps[stage];
    });
    free_ps_[stage] = now;
    for (const std::uint32_t slot : in_order) {
      DrawInFlight& draw = draws_[slot];
      if (draw.stage_start_ps[stage] > now) {
        draw.stage_start_ps[stage] = free_ps_[stage];
        draw.stage_end_ps[stage] = clock_.after(free_ps_[stage], draw.left.stage_cycles[stage]);
      }
      free_ps_[stage] = std::max(free_ps_[stage], draw.stage_end_ps[stage]);
    }
  }
  in_order = running_;
  for (const std::uint32_t slot : in_order) {
    const DrawInFlight& draw = draws_[slot];
    if (draw.pixels_wait) {
      agenda_.at<&DrawPipeline::shade_pixels>(std::max(now, draw.pixels_come_ps()), this, ticket(slot));
    }
    expect_end(slot);
  }
}

}  // namespace fenceline
