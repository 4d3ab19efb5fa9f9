// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/graphics_cost.hpp"
#include "engines/graphics_engine_config.hpp"
#include "engines/shader_engine.hpp"
#include "sim/kernel/now.hpp"
#include "sim/slots.hpp"

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
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};
  // Tags of grids: a dispatch's is its command, those of draws are marked.
  static constexpr std::uint64_t of_draw = std::uint64_t{1} << 63;
  static std::uint64_t tag_of(std::uint32_t draw, bool pixels) {
    return of_draw | std::uint64_t{draw} << 1 | (pixels ? 1 : 0);
  }
  enum Stage : std::size_t { setup, raster, rop, stages };
  /// Vertices or pixels of a draw on the shader array.
  struct Part {
    std::uint32_t grid = none;
    std::uint64_t end_ps = unknown;  // known once all groups have places
    bool under_way() const { return grid != none && end_ps > now_ps(); }
    bool end_known() const { return grid == none || end_ps != unknown; }
  };
  struct DrawInFlight {
    /// A new draw in a place that others may have had.
    void begin(std::uint32_t new_id, std::uint64_t new_serial, const DrawCost& new_cost, Callback new_done) {
      id = new_id;
      serial = new_serial;
      cost = new_cost;
      done = new_done;
      vertices = pixels = {};
      write_back = none;
      left = {};
      filled_ps = 0;
      stage_start_ps = stage_end_ps = {};
      pixels_wait = halting = false;
      level = PreemptionLevel::none;
      start_ps = now_ps();
      write_back_bytes = 0;
      last_write_back = false;
    }
    bool shading() const { return vertices.under_way() || pixels.under_way(); }
    std::uint32_t id = 0;
    std::uint64_t serial = 0;  // of what the agenda holds for it
    DrawCost cost;
    Grid pixel_grid;
    Callback done;
    Part vertices;
    Part pixels;
    std::uint32_t write_back = none;  // the access under way
    CommandRemainder left;            // of what is not under way
    std::uint64_t filled_ps = 0;
    std::uint64_t start_ps = 0;
    std::array<std::uint64_t, stages> stage_start_ps{};
    std::array<std::uint64_t, stages> stage_end_ps{};
    bool pixels_wait = false;  // until they come
    bool halting = false;
    PreemptionLevel level = PreemptionLevel::none;  // at which, if it is
    std::uint64_t write_back_bytes = 0;             // the whole of it
    bool last_write_back = false;                   // the access under way is what belongs to the last triangles
  };

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
  std::uint64_t token(std::uint32_t slot) const;
  DrawInFlight* live(std::uint64_t token);
  void filled(std::uint64_t token);
  void occupy_stages(DrawInFlight& draw);
  void write_back(std::uint32_t slot);
  static std::uint64_t pixels_come_ps(const DrawInFlight& draw);
  void shade_pixels(std::uint64_t token);
  static bool only_stages_left(const DrawInFlight& draw);
  static bool is_complete(const DrawInFlight& draw);
  static std::uint64_t stages_end_ps(const DrawInFlight& draw);
  void expect_end(std::uint32_t slot);
  void end_expected(std::uint64_t token);
  void written_back(std::uint64_t slot);
  void part_done(std::uint32_t slot);
  bool holds_something(const DrawInFlight& draw) const;
  static std::uint64_t beyond_boundary(const DrawInFlight& draw, std::uint64_t whole);
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
  std::uint64_t next_serial_ = 1;
  bool closing_gaps_ = false;  // at this moment
};

}  // namespace fenceline
