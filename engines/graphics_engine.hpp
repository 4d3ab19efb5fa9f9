// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/engine.hpp"
#include "engines/graphics_cost.hpp"
#include "engines/memory.hpp"
#include "engines/shader_array.hpp"
#include "sim/slots.hpp"

#include <vector>

namespace fenceline {

struct GraphicsEngineConfig : EngineConfig {
  static constexpr const char* type_name = "3d";
  RasterRates rates;
};
void describe(Fields& f, GraphicsEngineConfig& c);

/// The 3D engine: draws, and whatever the compute and copy engines can do. A draw's vertex groups, pixel groups,
/// rasterisation and memory traffic run side by side; it is complete when the slowest is. The rasteriser serves one
/// draw after another.
class GraphicsEngine final : public Engine {
 public:
  GraphicsEngine(sc_core::sc_module_name name, const GraphicsEngineConfig& config, ShaderArray& array, Memory& memory,
                 EventLog& log);

 private:
  struct DrawInFlight {
    std::uint32_t parts = 0;
    Callback done;
  };
  void start(const DmaPacket& packet, const Command& command, Callback done) override;
  void start_draw(const DmaPacket& packet, const DrawCost& cost, const GraphicsPipeline& pipeline, Callback done);
  void draw_part_done(std::uint64_t slot);

  RasterRates rates_;
  ShaderArray& array_;
  Memory& memory_;
  std::uint64_t raster_free_ps_ = 0;
  Slots<DrawInFlight> draws_;
};

}  // namespace fenceline
