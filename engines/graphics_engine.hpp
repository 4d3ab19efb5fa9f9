// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/draw_in_flight.hpp"
#include "engines/graphics_cost.hpp"
#include "engines/graphics_engine_config.hpp"
#include "engines/shader_engine.hpp"
#include "sim/slots.hpp"
#include "sim/ticket.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// The 3D engine: draws, and whatever the compute and copy engines can do.
///
/// A draw's first vertices fill the pipeline; from then on vertex work, triangle set-up, rasterisation, pixel work,
/// output and memory traffic run side by side, and the draw is complete when the slowest is. Each fixed-function stage
/// serves one draw after another, so independent draws overlap. Draws and dispatches of one queue do not: switching
/// drains. Source: bench/hardware/h200/graphics_workloads.json, lists with both take the sum of their times.
///
/// A draw that is halted stops once its groups have come to the boundary; the fixed-function stages and the write-back
/// work on until then, and go on later with the cycles and bytes that are left. At the boundary of a triangle the
/// triangles whose pixels have been shaded have passed every stage, too, and their part of the write-back is done: a
/// stage takes its cycles, and the write-back its bytes, in equal parts from all of the draw's pixels.
///
/// At level `command` a draw finishes if it has vertices or pixels on the SMs, has had pixels there, is in one of the
/// stages, or its bytes are being written back. Others go back, and those that stay move up in the stages.
class GraphicsEngine final : public ShaderEngine {
 public:
  GraphicsEngine(sc_core::sc_module_name name, const GraphicsEngineConfig& config, ShaderArray& array, Memory& memory,
                 EventLog& log);

 private:
  static constexpr std::uint32_t none = DrawInFlight::none;
  using Stage = DrawInFlight::Stage;
  static constexpr std::size_t stages = DrawInFlight::stages;

  void start(std::uint32_t id, const DmaPacket& packet, const IssuedCommand& issued, const CommandRemainder* left,
             Callback done) override;
  void halt(std::uint32_t id, PreemptionLevel level) override;
  void reranked(const DmaPacket& packet) override;
  bool has_worked(std::uint32_t id, PreemptionLevel level) const override;
  void grid_ends(std::uint64_t tag, std::uint64_t end_ps) override;
  void grid_halted(std::uint64_t tag, GridRemainder left) override;
  WorkClass class_of(const Command& command) const override;
  std::vector<WorkClass> classes() const override { return {WorkClass::graphics, WorkClass::compute}; }
  Grid grid_of(const DmaPacket& packet) const override;
  std::uint64_t front_end_cycles(const Command* previous, const Command& next) const override;
  bool must_drain(const Command& running, const Command& next) const override;
  void start_draw(std::uint32_t id, const DmaPacket& packet, const DrawCost& cost, std::uint64_t triangles,
                  const GraphicsPipeline& pipeline, const CommandRemainder* left, Callback done);
  Grid pixel_grid(const Grid& common, const DrawCost& cost, const GraphicsPipeline& pipeline,
                  std::uint64_t triangles) const;
  std::uint64_t ticket(std::uint32_t slot) const;
  DrawInFlight* live(std::uint64_t ticket);
  void filled(std::uint64_t ticket);
  void occupy_stages(DrawInFlight& draw);
  void write_back(std::uint32_t slot);
  void shade_pixels(std::uint64_t ticket);
  void expect_end(std::uint32_t slot);
  void end_expected(std::uint64_t ticket);
  void written_back(std::uint64_t slot);
  void part_done(std::uint32_t slot);
  bool holds_something(const DrawInFlight& draw) const;
  bool stages_at_boundary(std::uint32_t slot);
  bool written_to_boundary(std::uint32_t slot);
  void freeze(std::uint32_t slot);
  void leave_stages();
  void close_gaps(std::uint64_t);

  RasterRates rates_;
  std::uint32_t write_back_bytes_;
  std::uint32_t pipeline_change_cycles_;
  std::uint32_t dispatch_switch_cycles_;
  std::array<std::uint64_t, stages> free_ps_{};
  std::uint64_t cached_bytes_ = 0;  // written, still in L2
  Slots<DrawInFlight> draws_;
  std::vector<std::uint32_t> running_;  // draws
  std::vector<std::uint32_t> draw_of_;  // by command; none: it is no draw
  TicketNumbers numbers_;
  bool closing_gaps_ = false;  // at this moment
};

}  // namespace fenceline
