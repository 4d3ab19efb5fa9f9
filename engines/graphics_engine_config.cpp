// SPDX-License-Identifier: Apache-2.0
#include "engines/graphics_engine_config.hpp"

#include "sim/config/fields.hpp"

namespace fenceline {

void describe(Fields& f, GraphicsEngineConfig& c) {
  f.about("the 3D node: draws, dispatches, copies and clears");
  describe_shader_engine(f, c);
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

}  // namespace fenceline
