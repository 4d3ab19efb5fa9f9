// SPDX-License-Identifier: Apache-2.0
#include "engines/draw_pipeline.hpp"

#include "engines/shader_array/rules/group_cost.hpp"
#include "engines/shader_array/rules/occupancy.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <utility>

namespace fenceline {

std::uint32_t DrawPipeline::start(std::uint32_t id, Grid grid, const DrawCost& cost, std::uint64_t triangles,
                                  const GraphicsPipeline& pipeline, const CommandRemainder* left, Callback done) {
  grid.footprint = {group_threads_, pipeline.registers_per_thread, 0};
  grid.graphics = true;
  grid.foretold = true;
  grid.owner = &grids_;
  const std::uint32_t slot = draws_.take();
  running_.push_back(slot);
  DrawInFlight& draw = draws_[slot];
  draw.begin(id, numbers_.next(), cost, done);
  draw.pixel_grid = pixel_grid(grid, cost, pipeline, triangles);
  draw.pixel_grid.tag = DrawTag{slot, true}.tag();
  if (left != nullptr) {
    draw.left = *left;
    draw.left.state = {};
    draw.write_back_bytes = left->write_back_bytes;
  } else {
    draw.left.vertices.groups = cost.vertex_groups;
    draw.left.grid.groups = cost.pixel_groups;
    draw.left.stage_cycles = {cost.setup_cycles, cost.raster_cycles, cost.rop_cycles};
    if (cost.vertex_groups > 0) {
      const std::uint64_t fill = group_cost(grid.footprint, pipeline.vertex_shader, array_.config()).cycles;
      draw.left.fill_ps = array_.clock().duration_ps(fill);
    }
  }
  if (!draw.left.vertices.empty()) {
    grid.groups = cost.vertex_groups;
    grid.work.shader = pipeline.vertex_shader;
    grid.tag = DrawTag{slot, false}.tag();
    draw.vertices.grid = array_.launch(grid, &draw.left.vertices);
    draw.left.vertices = {};
  }
  if (draw.left.filled || cost.vertex_groups == 0) {
    filled(ticket(slot));
  } else {
    draw.filled_ps = now_ps() + draw.left.fill_ps;
    agenda_.at<&DrawPipeline::filled>(draw.filled_ps, this, ticket(slot));
  }
  return slot;
}

/// Pixels come as the rasteriser delivers and the output takes them, and stay for their shader's time. Where the SMs
/// are slower than that, as many wait as there are places.
Grid DrawPipeline::pixel_grid(const Grid& common, const DrawCost& cost, const GraphicsPipeline& pipeline,
                              std::uint64_t triangles) const {
  const ShaderArrayConfig& sms = array_.config();
  const double in_sm_cycles = static_cast<double>(array_.clock().khz()) / static_cast<double>(clock_.khz());
  const double pace = static_cast<double>(std::max(cost.raster_cycles, cost.rop_cycles)) * in_sm_cycles;
  const GroupCost shader = group_cost(common.footprint, pipeline.pixel_shader, sms);
  const double busy = static_cast<double>(cost.pixel_groups) * busy_cycles(shader);
  Grid grid = common;
  grid.groups = cost.pixel_groups;
  if (busy <= pace * sms.graphics_sms) {
    const std::uint64_t stay = sms.group_overhead_cycles + cycles_alone(shader);
    grid.flow = pixel_flow(cost.pixel_groups, static_cast<std::uint64_t>(pace), stay);
    const std::uint64_t places = std::uint64_t{groups_that_fit(common.footprint, sms)} * sms.graphics_sms;
    if (grid.flow.groups >= places && grid.groups > places) grid.flow = {};
  }
  const std::uint64_t overhead = sms.group_overhead_cycles;  // comes to the work of every group
  grid.work.cycles = std::max(grid.flow.cycles, overhead) - overhead;
  grid.work.shader = pipeline.pixel_shader;
  grid.units = triangles;
  return grid;
}

/// For what the agenda holds for a draw: when the draw has been halted, it is stale.
std::uint64_t DrawPipeline::ticket(std::uint32_t slot) const { return Ticket{slot, draws_[slot].number}.argument(); }

DrawInFlight* DrawPipeline::live(std::uint64_t ticket) {
  const auto [slot, number] = Ticket::of(ticket);
  return draws_[slot].number == number ? &draws_[slot] : nullptr;
}

/// The first vertices are shaded: every stage has work from now on.
void DrawPipeline::filled(std::uint64_t ticket) {
  DrawInFlight* draw = live(ticket);
  if (draw == nullptr) return;
  const std::uint64_t now = now_ps();
  draw->left.filled = true;
  draw->left.fill_ps = 0;
  occupy_stages(*draw);
  if (draw->left.grid.empty()) {
    write_back(Ticket::of(ticket).slot);
  } else {
    draw->pixels_wait = true;
    if (draw->pixels_come_ps() > now) {
      agenda_.at<&DrawPipeline::shade_pixels>(draw->pixels_come_ps(), this, ticket);
    } else {
      shade_pixels(ticket);
    }
  }
  expect_end(Ticket::of(ticket).slot);
}

/// What draws have written leaves L2 when enough has come together.
void DrawPipeline::write_back(std::uint32_t slot) {
  DrawInFlight& draw = draws_[slot];
  const Callback done = Callback::to<&DrawPipeline::written_back>(this, slot);
  if (std::exchange(draw.left.drawn, true)) {
    if (draw.left.bytes) draw.write_back = memory_.access_vram(0, done, &*draw.left.bytes);
    draw.left.bytes.reset();
    return;
  }
  cached_bytes_ += draw.cost.vram_bytes;
  if (cached_bytes_ < write_back_bytes_) return;
  draw.write_back = memory_.access_vram(cached_bytes_, done);
  draw.write_back_bytes = cached_bytes_;
  cached_bytes_ = 0;
}

void DrawPipeline::occupy_stages(DrawInFlight& draw) {
  const std::uint64_t now = now_ps();
  for (std::size_t stage = 0; stage < stages; ++stage) {
    draw.stage_start_ps[stage] = draw.stage_end_ps[stage] = now;
    if (draw.left.stage_cycles[stage] == 0) continue;
    draw.stage_start_ps[stage] = std::max(now, free_ps_[stage]);
    free_ps_[stage] = clock_.after(draw.stage_start_ps[stage], draw.left.stage_cycles[stage]);
    draw.stage_end_ps[stage] = free_ps_[stage];
  }
}

void DrawPipeline::shade_pixels(std::uint64_t ticket) {
  DrawInFlight* draw = live(ticket);
  if (draw == nullptr || draw->halting || !draw->pixels_wait || draw->pixels_come_ps() > now_ps()) return;
  draw->pixels_wait = false;
  draw->pixels.grid = array_.launch(draw->pixel_grid, &draw->left.grid);
  draw->left.grid = {};
  write_back(Ticket::of(ticket).slot);
}

/// Once it is known when the draw is complete; when its groups are at their ends, if it is being halted.
void DrawPipeline::expect_end(std::uint32_t slot) {
  const DrawInFlight& draw = draws_[slot];
  if (!draw.vertices.end_known() || !draw.pixels.end_known()) return;
  std::uint64_t end_ps = now_ps();
  for (const DrawPart& part : {draw.vertices, draw.pixels}) {
    if (part.grid != none) end_ps = std::max(end_ps, part.end_ps);
  }
  if (!draw.halting) {
    if (!draw.left.filled || draw.write_back != none || draw.pixels_wait) return;
    end_ps = std::max(end_ps, draw.stages_end_ps());
  }
  agenda_.at<&DrawPipeline::end_expected>(end_ps, this, ticket(slot));
}

void DrawPipeline::end_expected(std::uint64_t ticket) {
  if (live(ticket) != nullptr) part_done(Ticket::of(ticket).slot);
}

void DrawPipeline::written_back(std::uint64_t slot) {
  draws_[slot].write_back = none;
  part_done(static_cast<std::uint32_t>(slot));
}

/// Something of the draw has ended: all of it, perhaps, or all that goes on while it is being halted.
void DrawPipeline::part_done(std::uint32_t slot) {
  DrawInFlight& draw = draws_[slot];
  if (draw.shading()) {
    expect_end(slot);
    return;
  }
  if (!draw.is_complete()) {
    if (draw.halting) {
      if (stages_at_boundary(slot) && written_to_boundary(slot)) freeze(slot);
    } else if (draw.only_stages_left()) {
      expect_end(slot);
    }
    return;
  }
  const Callback done = draw.done;
  leave(slot);
  done();
}

/// The draw is not under way any more: it is complete, or has gone back.
void DrawPipeline::leave(std::uint32_t slot) {
  draws_[slot].number = 0;
  running_.erase(std::find(running_.begin(), running_.end(), slot));
  draws_.remove(slot);
}

void DrawPipeline::reranked(const DmaPacket& packet) {
  for (const std::uint32_t slot : running_) {  // pixels that are still to come
    Grid& grid = draws_[slot].pixel_grid;
    if (grid.order != packet.id) continue;
    grid.priority = packet.priority;
    grid.in_process_priority = packet.in_process_priority;
  }
}

void DrawPipeline::grid_ends(std::uint64_t tag, std::uint64_t end_ps) {
  const auto [slot, pixels] = DrawTag::of(tag);
  DrawPart& part = pixels ? draws_[slot].pixels : draws_[slot].vertices;
  part.end_ps = end_ps;
  expect_end(slot);
}

}  // namespace fenceline
