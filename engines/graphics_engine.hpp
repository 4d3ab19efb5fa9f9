// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/draw_in_flight.hpp"
#include "engines/draw_pipeline.hpp"
#include "engines/graphics_engine_config.hpp"
#include "engines/raster_rates.hpp"
#include "engines/shader_engine.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

/// The 3D engine: draws, and whatever the compute and copy engines can do.
///
/// Draws and dispatches of one queue do not overlap: switching drains. Source:
/// bench/hardware/h200/graphics_workloads.json, lists with both take the sum of their times.
class GraphicsEngine final : public ShaderEngine, private DrawOwner {
 public:
  GraphicsEngine(sc_core::sc_module_name name, const GraphicsEngineConfig& config, ShaderArray& array, Memory& memory,
                 EventLog& log);

 private:
  static constexpr std::uint32_t none = DrawInFlight::none;

  void start(std::uint32_t id, const DmaPacket& packet, const IssuedCommand& issued, const CommandRemainder* left,
             Callback done) override;
  void halt(std::uint32_t id, PreemptionLevel level) override;
  void reranked(const DmaPacket& packet) override;
  bool has_worked(std::uint32_t id, PreemptionLevel level) const override;
  void grid_ends(std::uint64_t tag, std::uint64_t end_ps) override { draws_.grid_ends(tag, end_ps); }
  void grid_halted(std::uint64_t tag, GridRemainder left) override;
  void draw_halted(std::uint32_t id, CommandRemainder left) override;
  WorkClass class_of(const Command& command) const override;
  std::vector<WorkClass> classes() const override { return {WorkClass::graphics, WorkClass::compute}; }
  Grid grid_of(const DmaPacket& packet) const override;
  std::uint64_t front_end_cycles(const Command* previous, const Command& next) const override;
  bool must_drain(const Command& running, const Command& next) const override;

  RasterRates rates_;
  std::uint32_t pipeline_change_cycles_;
  std::uint32_t dispatch_switch_cycles_;
  DrawPipeline draws_;
  std::vector<std::uint32_t> draw_of_;  // by command: its place in draws_; none: it is no draw
};

}  // namespace fenceline
