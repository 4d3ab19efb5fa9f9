// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/command.hpp"

#include <cstdint>

namespace fenceline {

/// What queries count of draws and dispatches. Shaders are not executed: it is what the draws say of themselves (D3D12
/// programs': their estimates), every primitive is taken for a visible one, and every sample of a pixel for covered.
struct DrawCounts {
  std::uint64_t vertices = 0;
  std::uint64_t assembled = 0;   ///< primitives of vertices
  std::uint64_t primitives = 0;  ///< that come to the rasterizer
  std::uint64_t vertex_invocations = 0;
  std::uint64_t samples = 0;  ///< that pass the depth test
  std::uint64_t pixel_invocations = 0;
  std::uint64_t compute_invocations = 0;  ///< threads
  std::uint64_t mesh_invocations = 0;     ///< threads
  std::uint64_t mesh_primitives = 0;
  std::uint64_t amplification_invocations = 0;  ///< threads
  DrawCounts& operator+=(const DrawCounts& other);
};

/// Adds a command of the stream; what is no draw or dispatch adds nothing, nor does ExecuteIndirect.
void count_command(DrawCounts& counts, const Command& command, const CommandStream& stream);

}  // namespace fenceline
