// SPDX-License-Identifier: Apache-2.0
#include "engines/graphics_engine.hpp"

#include "engines/compute_engine.hpp"
#include "sim/assert.hpp"

#include <algorithm>

namespace fenceline {
namespace {

bool is_draw(const Command& command) {
  return std::holds_alternative<Draw>(command) || std::holds_alternative<DrawIndexed>(command);
}

const Draw* draw_in(const Command* command) {
  if (command == nullptr) return nullptr;
  if (const auto* indexed = std::get_if<DrawIndexed>(command)) return &indexed->draw;
  return std::get_if<Draw>(command);
}

}  // namespace

void describe(Fields& f, GraphicsEngineConfig& c) {
  f.about("the 3D node: draws, dispatches, copies and clears");
  describe(f, static_cast<EngineConfig&>(c));
  f.optional("graphics_preemption", c.graphics_preemption, "where draws and what goes with them stop");
  f.optional("compute_preemption", c.compute_preemption, "where dispatches stop");
  const Range rate = between(1e-3, 1e6);
  f.optional("triangles_per_clock", c.rates.triangles_per_clock, "triangles set up in one cycle", between(1e-3, 1e3));
  f.optional("lanes_per_clock", c.rates.lanes_per_clock,
             "pixels rasterised in one cycle, with the idle lanes of partly covered quads", rate);
  f.optional("rop_pixels_per_clock", c.rates.rop_pixels_per_clock, "pixels written in one cycle", rate);
  f.optional("rop_full_rate_bytes", c.rates.rop_full_rate_bytes,
             "bytes of a pixel written in one turn; larger formats take more, blending twice as many", between(1, 64));
  f.optional("triangle_lanes", c.rates.triangle_lanes, "idle lanes of every triangle that covers a pixel",
             between(0, 1e4));
  f.optional("tile_pixels", c.rates.tile_pixels,
             "triangles that follow each other within a tile of so many pixels share its warps", between(1, 1e6));
  f.optional("border_lanes", c.rates.border_lanes,
             "idle lanes along a triangle's border: this times the square root of its area in pixels", between(0, 100));
  f.optional("group_threads", c.rates.group_threads, "vertices or pixels that one group shades", between(1, 1024));
  f.optional("pipeline_change_cycles", c.pipeline_change_cycles,
             "front-end cycles of a draw whose pipeline state is not that of the draw before, in addition",
             between(0, 1e9));
  f.optional("dispatch_switch_cycles", c.dispatch_switch_cycles,
             "front-end cycles of a dispatch that follows draws or begins a packet, in addition", between(0, 1e9));
  f.optional("write_back_bytes", c.write_back_bytes,
             "render-target bytes collected in L2 before they are written to video memory", between(1, 1e9));
}

GraphicsEngine::GraphicsEngine(sc_core::sc_module_name module_name, const GraphicsEngineConfig& config,
                               ShaderArray& array, Memory& memory, EventLog& log)
    : Engine(module_name, config, log),
      rates_(config.rates),
      write_back_bytes_(config.write_back_bytes),
      pipeline_change_cycles_(config.pipeline_change_cycles),
      dispatch_switch_cycles_(config.dispatch_switch_cycles),
      array_(array),
      memory_(memory) {}

bool GraphicsEngine::must_drain(const Command& running, const Command& next) const {
  return (is_draw(running) && std::holds_alternative<Dispatch>(next)) ||
         (std::holds_alternative<Dispatch>(running) && is_draw(next));
}

std::uint64_t GraphicsEngine::front_end_cycles(const Command* previous, const Command& next) const {
  const std::uint64_t cycles = engine_config().command_cycles;
  const Draw* last = draw_in(previous);
  if (const Draw* draw = draw_in(&next)) {
    return cycles + (last != nullptr && last->pipeline != draw->pipeline ? pipeline_change_cycles_ : 0);
  }
  const bool begins = previous == nullptr || last != nullptr;
  return cycles + (begins && std::holds_alternative<Dispatch>(next) ? dispatch_switch_cycles_ : 0);
}

void GraphicsEngine::start(std::uint32_t, const DmaPacket& packet, const Command& command, const CommandRemainder*,
                           Callback done) {
  if (const auto* draw = std::get_if<Draw>(&command)) {
    const GraphicsPipeline& pipeline = packet.stream->graphics_pipelines[draw->pipeline];
    start_draw(packet, draw_cost(*draw, pipeline, rates_), pipeline, done);
  } else if (const auto* indexed = std::get_if<DrawIndexed>(&command)) {
    const GraphicsPipeline& pipeline = packet.stream->graphics_pipelines[indexed->draw.pipeline];
    start_draw(packet, draw_cost(*indexed, pipeline, rates_), pipeline, done);
  } else {
    const bool started = start_compute_command(packet, command, array_, memory_, done);
    FENCELINE_ASSERT(started, std::string(name()) + ": a 3D engine was given " + name_of(command));
  }
}

void GraphicsEngine::start_draw(const DmaPacket& packet, const DrawCost& cost, const GraphicsPipeline& pipeline,
                                Callback done) {
  Grid grid = grid_of(packet);
  grid.footprint = {rates_.group_threads, pipeline.registers_per_thread, 0};
  grid.graphics = true;
  const std::uint32_t slot = draws_.add({cost, grid, pipeline.pixel_shader, 1, done});
  if (cost.vertex_groups == 0) {
    filled(slot);
    return;
  }
  ++draws_[slot].parts;
  grid.groups = cost.vertex_groups;
  grid.work.shader = pipeline.vertex_shader;
  grid.done = Callback::to<&GraphicsEngine::part_done>(this, slot);
  array_.launch(grid);
  const std::uint64_t fill = group_cost(grid.footprint, pipeline.vertex_shader, array_.config()).cycles;
  const std::uint64_t fill_ps = array_.clock().duration_ps(fill);
  agenda().at<&GraphicsEngine::filled>(sc_core::sc_time_stamp().value() + fill_ps, this, slot);
}

/// The first vertices are shaded: every stage has work from now on.
void GraphicsEngine::filled(std::uint64_t slot) {
  DrawInFlight& draw = draws_[slot];
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  const Callback part_done = Callback::to<&GraphicsEngine::part_done>(this, slot);
  const std::uint64_t raster_ps = std::max(now, free_ps_[raster]);
  const std::array<std::uint64_t, stages> cycles = {draw.cost.setup_cycles, draw.cost.raster_cycles,
                                                    draw.cost.rop_cycles};
  std::uint64_t end_ps = now;
  for (std::size_t stage = 0; stage < stages; ++stage) {
    free_ps_[stage] = clock().after(std::max(now, free_ps_[stage]), cycles[stage]);
    if (cycles[stage] > 0) end_ps = std::max(end_ps, free_ps_[stage]);
  }
  agenda().at(end_ps, part_done);
  if (draw.cost.pixel_groups > 0) {
    ++draw.parts;
    if (raster_ps > now) {
      agenda().at<&GraphicsEngine::shade_pixels>(raster_ps, this, slot);
    } else {
      shade_pixels(slot);
    }
  }
  cached_bytes_ += draw.cost.vram_bytes;
  if (cached_bytes_ >= write_back_bytes_) {
    ++draws_[slot].parts;
    memory_.access_vram(cached_bytes_, part_done);
    cached_bytes_ = 0;
  }
}

/// Pixel groups come no faster than the rasteriser delivers and the output takes them: each stays until its neighbours
/// on the SM have had their turn. Seven of eight resident groups keep that pace, so a place lost to compute costs
/// nothing.
void GraphicsEngine::shade_pixels(std::uint64_t slot) {
  const DrawInFlight& draw = draws_[slot];
  const auto pace = static_cast<double>(std::max(draw.cost.raster_cycles, draw.cost.rop_cycles));
  const double in_sm_cycles = static_cast<double>(array_.config().clock_khz) / static_cast<double>(clock().khz());
  const double resident = 0.875 * groups_per_sm(draw.grid.footprint, array_.config()) * array_.config().graphics_sms;
  const double share = std::min(1.0, resident / static_cast<double>(draw.cost.pixel_groups));
  Grid grid = draw.grid;
  grid.groups = draw.cost.pixel_groups;
  grid.work.cycles = static_cast<std::uint64_t>(pace * in_sm_cycles * share);
  grid.work.shader = draw.pixel_shader;
  grid.done = Callback::to<&GraphicsEngine::part_done>(this, slot);
  array_.launch(grid);
}

void GraphicsEngine::part_done(std::uint64_t slot) {
  DrawInFlight& draw = draws_[slot];
  if (--draw.parts > 0) return;
  const Callback done = draw.done;
  draws_.remove(slot);
  done();
}

WorkClass GraphicsEngine::class_of(const Command& command) const {
  return std::holds_alternative<Dispatch>(command) ? WorkClass::compute : WorkClass::graphics;
}

void GraphicsEngine::move_state(std::uint64_t bytes, Callback done) {
  memory_.move_state(bytes, engine_config().context_state.gb_per_s, done);
}

}  // namespace fenceline
