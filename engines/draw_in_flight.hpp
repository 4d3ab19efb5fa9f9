// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/preemption_level.hpp"
#include "engines/command/progress.hpp"
#include "engines/graphics_cost.hpp"
#include "engines/shader_array/rules/grid.hpp"
#include "sim/callback.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace fenceline {

/// Vertices or pixels of a draw on the shader array.
struct DrawPart {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint64_t unknown = ~std::uint64_t{0};

  std::uint32_t grid = none;
  std::uint64_t end_ps = unknown;  ///< known once all groups have places

  bool under_way() const { return grid != none && end_ps > now_ps(); }
  bool end_known() const { return grid == none || end_ps != unknown; }
};

/// A draw on the 3D engine, from its start until it is complete or has gone back.
struct DrawInFlight {
  static constexpr std::uint32_t none = DrawPart::none;
  /// The fixed-function stages.
  enum Stage : std::size_t { setup, raster, rop, stages };

  /// A new draw in a place that others may have had.
  void begin(std::uint32_t new_id, std::uint32_t new_number, const DrawCost& new_cost, Callback new_done) {
    id = new_id;
    number = new_number;
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
  /// The rasteriser has its turn and the output takes what comes: pixels between them are few.
  std::uint64_t pixels_come_ps() const { return std::max(stage_start_ps[raster], stage_start_ps[rop]); }
  std::uint64_t stages_end_ps() const { return *std::max_element(stage_end_ps.begin(), stage_end_ps.end()); }
  bool only_stages_left() const {
    return left.filled && !shading() && write_back == none && !pixels_wait && left.vertices.empty() &&
           left.grid.empty();
  }
  bool is_complete() const { return only_stages_left() && stages_end_ps() <= now_ps(); }
  /// Of cycles or bytes that all pixels of the halted draw take part in, those of the triangles that have not begun.
  std::uint64_t beyond_boundary(std::uint64_t whole) const;

  std::uint32_t id = 0;
  std::uint32_t number = 0;  ///< of the tickets that the agenda holds for it
  DrawCost cost;
  Grid pixel_grid;
  Callback done;
  DrawPart vertices;
  DrawPart pixels;
  std::uint32_t write_back = none;  ///< the access under way
  CommandRemainder left;            ///< of what is not under way
  std::uint64_t filled_ps = 0;      ///< when its first vertices are shaded; 0: at once, or they were before a stop
  std::uint64_t start_ps = 0;
  std::array<std::uint64_t, stages> stage_start_ps{};
  std::array<std::uint64_t, stages> stage_end_ps{};
  bool pixels_wait = false;  ///< until they come
  bool halting = false;
  PreemptionLevel level = PreemptionLevel::none;  ///< at which, if it is
  std::uint64_t write_back_bytes = 0;             ///< the whole of it
  bool last_write_back = false;                   ///< the access under way is what belongs to the last triangles
};

/// The tag of a grid of the 3D engine: a dispatch's is its command, a draw's its slot and which of its parts it is.
struct DrawTag {
  std::uint32_t slot;
  bool pixels;

  std::uint64_t tag() const { return of_draw | std::uint64_t{slot} << 1 | (pixels ? 1 : 0); }
  static bool is_draw(std::uint64_t tag) { return (tag & of_draw) != 0; }
  static DrawTag of(std::uint64_t tag) { return {static_cast<std::uint32_t>((tag & ~of_draw) >> 1), (tag & 1) != 0}; }

 private:
  static constexpr std::uint64_t of_draw = std::uint64_t{1} << 63;
};

}  // namespace fenceline
