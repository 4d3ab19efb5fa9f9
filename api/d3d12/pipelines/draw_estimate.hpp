// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "engines/command/command.hpp"

#include <cstddef>
#include <cstdint>

namespace fenceline::d3d12 {

// What a draw costs is estimated from what D3D12 knows of it: shaders are not executed, so where its triangles fall is
// not known. Assumptions, which a workload can state better: a draw of at most two triangles without instances covers
// the whole scissored viewport (full-screen passes, rectangles of a user interface); of any other each triangle covers
// 32 pixels, all together at most the viewport.

/// Triangles of so many vertices or indices; lines and points count as one primitive each.
std::uint64_t primitives_of(D3D12_PRIMITIVE_TOPOLOGY topology, std::uint64_t vertices);

/// How much of a viewport of so many pixels the draw covers: sets its pixels and their extent from the rest.
void cover(Draw& draw, std::uint64_t viewport_pixels);

/// A draw of `vertices` vertices per instance over a viewport of so many pixels.
Draw estimate_draw(std::uint32_t pipeline, D3D12_PRIMITIVE_TOPOLOGY topology, std::uint64_t vertices,
                   std::uint64_t instances, std::uint64_t viewport_pixels);

/// Of an index buffer's `indices`: a usual mesh shades half a vertex per triangle.
std::uint64_t unique_vertices_of(D3D12_PRIMITIVE_TOPOLOGY topology, std::uint64_t indices);

/// A group of a mesh shader.
struct MeshGroup {
  std::uint32_t threads = 0;
  std::uint32_t primitives = 0;  ///< that it puts out
};

/// What a draw or dispatch needs to know besides its own arguments.
struct DrawState {
  std::uint32_t pipeline = 0;  ///< index in the stream, of graphics or compute pipelines
  D3D12_PRIMITIVE_TOPOLOGY topology = D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST;
  std::uint64_t viewport_pixels = 0;
  MeshGroup mesh{};  ///< of mesh draws
};

Command draw_command(const DrawState& state, const D3D12_DRAW_ARGUMENTS& arguments);
Command draw_command(const DrawState& state, const D3D12_DRAW_INDEXED_ARGUMENTS& arguments);
Command dispatch_command(const DrawState& state, const D3D12_DISPATCH_ARGUMENTS& arguments);
/// A grid of mesh groups, each of which puts out all that it may.
Command mesh_command(const DrawState& state, const D3D12_DISPATCH_MESH_ARGUMENTS& arguments);

/// The mean of `count` arguments, `stride` bytes apart, of an operation DRAW, DRAW_INDEXED, DISPATCH or
/// DISPATCH_MESH.
Command mean_command(const DrawState& state, D3D12_INDIRECT_ARGUMENT_TYPE operation, const std::byte* arguments,
                     std::uint64_t count, std::uint32_t stride);

}  // namespace fenceline::d3d12
