// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"
#include "engines/graphics_cost.hpp"
#include "engines/memory.hpp"
#include "engines/shader_array.hpp"
#include "sim/slots.hpp"

#include <array>
#include <cstdint>

namespace fenceline {

struct GraphicsEngineConfig : EngineConfig {
  static constexpr const char* type_name = "3d";
  RasterRates rates;
  std::uint32_t write_back_bytes = 1 << 18;
  std::uint32_t pipeline_change_cycles = 0;
  std::uint32_t dispatch_switch_cycles = 0;
};
void describe(Fields& f, GraphicsEngineConfig& c);

/// The 3D engine: draws, and whatever the compute and copy engines can do.
///
/// A draw's first vertices fill the pipeline; from then on vertex work, triangle set-up, rasterisation, pixel work,
/// output and memory traffic run side by side, and the draw is complete when the slowest is. Each fixed-function stage
/// serves one draw after another, so independent draws overlap. Draws and dispatches of one queue do not: switching
/// drains. Source: hardware/h200/graphics_workloads.json, lists with both take the sum of their times.
class GraphicsEngine final : public Engine {
 public:
  GraphicsEngine(sc_core::sc_module_name name, const GraphicsEngineConfig& config, ShaderArray& array, Memory& memory,
                 EventLog& log);

 private:
  struct DrawInFlight {
    DrawCost cost;
    Grid grid;  // what vertex and pixel grids have in common
    ShaderCost pixel_shader;
    std::uint32_t parts = 0;
    Callback done;
  };
  enum Stage : std::size_t { setup, raster, rop, stages };

  void start(std::uint32_t id, const DmaPacket& packet, const Command& command, const CommandRemainder* left,
             Callback done) override;
  WorkClass class_of(const Command& command) const override;
  void move_state(std::uint64_t bytes, Callback done) override;
  std::uint64_t front_end_cycles(const Command* previous, const Command& next) const override;
  bool must_drain(const Command& running, const Command& next) const override;
  void start_draw(const DmaPacket& packet, const DrawCost& cost, const GraphicsPipeline& pipeline, Callback done);
  void filled(std::uint64_t slot);
  void shade_pixels(std::uint64_t slot);
  void part_done(std::uint64_t slot);

  RasterRates rates_;
  std::uint32_t write_back_bytes_;
  std::uint32_t pipeline_change_cycles_;
  std::uint32_t dispatch_switch_cycles_;
  ShaderArray& array_;
  Memory& memory_;
  std::array<std::uint64_t, stages> free_ps_{};
  std::uint64_t cached_bytes_ = 0;  // written, still in L2
  Slots<DrawInFlight> draws_;
};

}  // namespace fenceline
