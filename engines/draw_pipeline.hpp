// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dma_packet.hpp"
#include "engines/draw_in_flight.hpp"
#include "engines/graphics_cost.hpp"
#include "engines/graphics_engine_config.hpp"
#include "engines/memory/memory.hpp"
#include "engines/shader_array/shader_array.hpp"
#include "sim/callback.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/clock_domain.hpp"
#include "sim/slots.hpp"
#include "sim/ticket.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline {

/// Whose draws they are: the 3D engine. It also hears of their grids, which DrawTag tells from others, and passes that
/// on.
class DrawOwner {
 public:
  virtual ~DrawOwner() = default;
  /// The draw of that command has stopped before its end; of what is left the state is not known yet.
  virtual void draw_halted(std::uint32_t id, CommandRemainder left) = 0;
};

/// The graphics pipeline of the 3D engine: the draws under way, and the fixed-function stages that they pass.
///
/// A draw's first vertices fill the pipeline; from then on vertex work, triangle set-up, rasterisation, pixel work,
/// output and memory traffic run side by side, and the draw is complete when the slowest is. Each fixed-function stage
/// serves one draw after another, so independent draws overlap.
///
/// A draw that is halted stops once its groups have come to the boundary; the fixed-function stages and the write-back
/// work on until then, and go on later with the cycles and bytes that are left. At the boundary of a triangle the
/// triangles whose pixels have been shaded have passed every stage, too, and their part of the write-back is done: a
/// stage takes its cycles, and the write-back its bytes, in equal parts from all of the draw's pixels.
///
/// At level `command` a draw finishes if it has vertices or pixels on the SMs, has had pixels there, is in one of the
/// stages, or its bytes are being written back. Others go back, and those that stay move up in the stages.
class DrawPipeline {
 public:
  /// All live longer. `grids` owns the grids as the shader array sees it: that of the engine's dispatches.
  DrawPipeline(const GraphicsEngineConfig& config, ShaderArray& array, Memory& memory, Agenda& agenda,
               const ClockDomain& clock, GridOwner& grids, DrawOwner& owner)
      : array_(array),
        memory_(memory),
        agenda_(agenda),
        clock_(clock),
        grids_(grids),
        owner_(owner),
        group_threads_(config.rates.group_threads),
        write_back_bytes_(config.write_back_bytes) {}

  /// Begins the draw of a command, or goes on with what is left of it; `grid` is what all grids of its packet have.
  /// Returns its place, which names it until it is complete, and `done` called, or has gone back.
  std::uint32_t start(std::uint32_t id, Grid grid, const DrawCost& cost, std::uint64_t triangles,
                      const GraphicsPipeline& pipeline, const CommandRemainder* left, Callback done);
  /// The draw stops at the boundary, or nothing happens: CommandExecutor::halt.
  void halt(std::uint32_t slot, PreemptionLevel level);
  bool has_worked(std::uint32_t slot, PreemptionLevel level) const;
  void reranked(const DmaPacket& packet);

  /// What the shader array tells of the grids.
  void grid_ends(std::uint64_t tag, std::uint64_t end_ps);
  void grid_halted(std::uint64_t tag, GridRemainder left);

 private:
  static constexpr std::uint32_t none = DrawInFlight::none;
  static constexpr std::size_t stages = DrawInFlight::stages;

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
  void leave(std::uint32_t slot);
  void leave_stages();
  void close_gaps(std::uint64_t);

  ShaderArray& array_;
  Memory& memory_;
  Agenda& agenda_;
  const ClockDomain& clock_;
  GridOwner& grids_;
  DrawOwner& owner_;
  std::uint32_t group_threads_;
  std::uint32_t write_back_bytes_;
  std::array<std::uint64_t, stages> free_ps_{};
  std::uint64_t cached_bytes_ = 0;  // written, still in L2
  Slots<DrawInFlight> draws_;
  std::vector<std::uint32_t> running_;  // draws
  TicketNumbers numbers_;
  bool closing_gaps_ = false;  // at this moment
};

}  // namespace fenceline
