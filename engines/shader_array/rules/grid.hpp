// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/pipeline.hpp"
#include "engines/command/progress.hpp"
#include "engines/shader_array/rules/pixel_flow.hpp"
#include "sim/callback.hpp"
#include "sim/log.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fenceline {

/// Who launched grids and hears of them again.
class GridOwner {
 public:
  virtual ~GridOwner() = default;
  /// A dispatch's grid that has just been launched has more groups than there are places for now.
  virtual void grid_waits(std::uint64_t tag) { (void)tag; }
  /// All groups of a dispatch's grid have places, or have had them. Not after its end.
  virtual void grid_placed(std::uint64_t tag) { (void)tag; }
  /// A draw's grid that is `foretold` ends at `end_ps`, now or later, unless it is halted before; then it is forgotten.
  /// Told once all its groups have places, and again if it ends sooner than was told: another grid has been halted.
  virtual void grid_ends(std::uint64_t tag, std::uint64_t end_ps) {
    (void)tag;
    (void)end_ps;
  }
  /// A grid has stopped before its end; it is forgotten.
  virtual void grid_halted(std::uint64_t tag, GridRemainder left) = 0;
};

/// Work for the shader array: identical thread groups.
struct Grid {
  std::uint64_t groups = 0;
  GroupFootprint footprint;
  GroupWork work;
  int priority = 0;  ///< a higher one's groups are placed first whenever a place falls free
  int in_process_priority =
      0;  ///< the same among equal ones of one process, which share the place of the first of them
  std::uint32_t process = 0;
  std::uint64_t order = 0;         ///< the packet's id: decides among grids that arrive at the same moment
  bool graphics = false;           ///< comes from the 3D engine's distributor and stays on the graphics SMs
  bool of_graphics_queue = false;  ///< a draw's, or a dispatch's of the 3D engine
  PixelFlow flow;                  ///< of a draw's pixels: how they come
  std::uint64_t units = 0;         ///< its groups make up so many triangles, in order; 0: each is for itself
  bool foretold = false;           ///< of a draw: its owner is told beforehand when it ends, not once it has
  LogName label{};
  Callback done;               ///< called once, when the last group has retired, unless the grid is halted before
  GridOwner* owner = nullptr;  ///< may be null, if it never halts the grid
  std::uint64_t tag = 0;       ///< for the owner
};

/// What the texture samples of one of its groups read.
inline std::uint64_t texture_bytes(const Grid& grid) {
  const ShaderCost& shader = grid.work.shader;
  if (shader.texture_bytes_per_sample <= 0) return 0;  // mostly
  const double bytes = grid.footprint.threads * shader.texture_samples * shader.texture_bytes_per_sample;
  return static_cast<std::uint64_t>(std::llround(std::min(bytes, 1e18)));
}
/// What the memory accesses of one of its groups move.
inline std::uint64_t group_bytes(const Grid& grid) { return grid.work.vram_bytes + texture_bytes(grid); }

}  // namespace fenceline
