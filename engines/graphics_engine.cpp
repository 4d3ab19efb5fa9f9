// SPDX-License-Identifier: Apache-2.0
#include "engines/graphics_engine.hpp"

#include "engines/compute_engine.hpp"
#include "sim/assert.hpp"

#include <algorithm>

namespace fenceline {

void describe(Fields& f, GraphicsEngineConfig& c) {
  f.about("the 3D node: draws, dispatches, copies and clears");
  describe(f, static_cast<EngineConfig&>(c));
  f.optional("triangles_per_clock", c.rates.triangles_per_clock, "triangles set up in one cycle", between(1e-3, 1e3));
  f.optional("pixels_per_clock", c.rates.pixels_per_clock, "pixels rasterised and written in one cycle",
             between(1e-3, 1e6));
  f.optional("group_threads", c.rates.group_threads, "vertices or pixels that one group shades", between(1, 1024));
}

GraphicsEngine::GraphicsEngine(sc_core::sc_module_name module_name, const GraphicsEngineConfig& config,
                               ShaderArray& array, Memory& memory, EventLog& log)
    : Engine(module_name, config, log), rates_(config.rates), array_(array), memory_(memory) {}

void GraphicsEngine::start(const DmaPacket& packet, const Command& command, Callback done) {
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
  const std::uint32_t slot = draws_.add({2, done});
  const Callback part_done = Callback::to<&GraphicsEngine::draw_part_done>(this, slot);

  const std::uint64_t now = sc_core::sc_time_stamp().value();
  raster_free_ps_ = clock().after(std::max(now, raster_free_ps_), cost.raster_cycles);
  agenda().at<&GraphicsEngine::draw_part_done>(raster_free_ps_, this, slot);
  memory_.access_vram(cost.vram_bytes, part_done);

  const auto shade = [&](std::uint64_t groups, std::uint64_t cycles) {
    if (groups == 0) return;
    Grid grid = grid_of(packet);
    grid.groups = groups;
    grid.footprint = {rates_.group_threads, pipeline.registers_per_thread, 0};
    grid.work.cycles = cycles;
    grid.graphics = true;
    grid.done = part_done;
    ++draws_[slot].parts;
    array_.launch(grid);
  };
  shade(cost.vertex_groups, pipeline.vertex_cycles);
  shade(cost.pixel_groups, pipeline.pixel_cycles);
}

void GraphicsEngine::draw_part_done(std::uint64_t slot) {
  DrawInFlight& draw = draws_[slot];
  if (--draw.parts > 0) return;
  const Callback done = draw.done;
  draws_.remove(slot);
  done();
}

}  // namespace fenceline
