// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/draw_estimate.hpp"

#include <algorithm>
#include <cstring>

namespace fenceline::d3d12 {
namespace {

constexpr std::uint64_t pixels_per_triangle = 32;
constexpr std::uint64_t full_screen_triangles = 2;

template <class Arguments>
Arguments read(const std::byte* from) {
  Arguments arguments{};
  std::memcpy(&arguments, from, sizeof arguments);
  return arguments;
}

std::uint64_t mean_of(std::uint64_t sum, std::uint64_t count) { return count == 0 ? 0 : (sum + count - 1) / count; }

}  // namespace

std::uint64_t primitives_of(D3D12_PRIMITIVE_TOPOLOGY topology, std::uint64_t vertices) {
  const auto after = [&](std::uint64_t first) { return vertices > first ? vertices - first : 0; };
  switch (topology) {
    case D3D_PRIMITIVE_TOPOLOGY_POINTLIST: return vertices;
    case D3D_PRIMITIVE_TOPOLOGY_LINELIST: return vertices / 2;
    case D3D_PRIMITIVE_TOPOLOGY_LINESTRIP: return after(1);
    case D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP: return after(2);
    case D3D_PRIMITIVE_TOPOLOGY_LINELIST_ADJ: return vertices / 4;
    case D3D_PRIMITIVE_TOPOLOGY_LINESTRIP_ADJ: return after(3);
    case D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST_ADJ: return vertices / 6;
    case D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP_ADJ: return after(4) / 2;
    default: break;
  }
  const bool patches = topology >= D3D_PRIMITIVE_TOPOLOGY_1_CONTROL_POINT_PATCHLIST;
  return vertices / (patches ? topology - D3D_PRIMITIVE_TOPOLOGY_1_CONTROL_POINT_PATCHLIST + 1U : 3U);
}

std::uint64_t unique_vertices_of(D3D12_PRIMITIVE_TOPOLOGY topology, std::uint64_t indices) {
  const std::uint64_t least = std::min<std::uint64_t>(indices, 3);
  return std::clamp(primitives_of(topology, indices) / 2 + 2, least, std::max(least, indices));
}

void cover(Draw& draw, std::uint64_t viewport_pixels) {
  const bool full_screen = draw.triangles > 0 && draw.triangles <= full_screen_triangles && draw.instances == 1;
  draw.pixels = full_screen ? viewport_pixels : std::min(viewport_pixels, draw.triangles * pixels_per_triangle);
  draw.extent_pixels = full_screen ? viewport_pixels : 0;
}

Draw estimate_draw(std::uint32_t pipeline, D3D12_PRIMITIVE_TOPOLOGY topology, std::uint64_t vertices,
                   std::uint64_t instances, std::uint64_t viewport_pixels) {
  Draw draw{pipeline, vertices, instances, primitives_of(topology, vertices) * instances, 0};
  cover(draw, viewport_pixels);
  return draw;
}

Command draw_command(const DrawState& state, const D3D12_DRAW_ARGUMENTS& arguments) {
  return estimate_draw(state.pipeline, state.topology, arguments.VertexCountPerInstance, arguments.InstanceCount,
                       state.viewport_pixels);
}

Command draw_command(const DrawState& state, const D3D12_DRAW_INDEXED_ARGUMENTS& arguments) {
  const std::uint64_t indices = arguments.IndexCountPerInstance;
  return DrawIndexed{
      estimate_draw(state.pipeline, state.topology, indices, arguments.InstanceCount, state.viewport_pixels),
      unique_vertices_of(state.topology, indices)};
}

Command dispatch_command(const DrawState& state, const D3D12_DISPATCH_ARGUMENTS& arguments) {
  return Dispatch{state.pipeline, std::uint64_t{arguments.ThreadGroupCountX} * arguments.ThreadGroupCountY *
                                      arguments.ThreadGroupCountZ};
}

Command mesh_command(const DrawState& state, const D3D12_DISPATCH_MESH_ARGUMENTS& arguments) {
  const std::uint64_t groups =
      std::uint64_t{arguments.ThreadGroupCountX} * arguments.ThreadGroupCountY * arguments.ThreadGroupCountZ;
  Draw draw{state.pipeline, state.mesh.threads, groups, groups * state.mesh.primitives, 0};
  cover(draw, state.viewport_pixels);
  return draw;
}

Command mean_command(const DrawState& state, D3D12_INDIRECT_ARGUMENT_TYPE operation, const std::byte* arguments,
                     std::uint64_t count, std::uint32_t stride) {
  Draw draw{state.pipeline, 0, 0, 0, 0};
  std::uint64_t unique = 0;
  std::uint64_t groups = 0;
  const auto add = [&](const Draw& one) {
    draw.vertices += one.vertices;
    draw.instances += one.instances;
    draw.triangles += one.triangles;
    draw.pixels += one.pixels;
    draw.extent_pixels += one.extent_pixels;
  };
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::byte* at = arguments + i * stride;
    if (operation == D3D12_INDIRECT_ARGUMENT_TYPE_DRAW) {
      add(std::get<Draw>(draw_command(state, read<D3D12_DRAW_ARGUMENTS>(at))));
    } else if (operation == D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH_MESH) {
      add(std::get<Draw>(mesh_command(state, read<D3D12_DISPATCH_MESH_ARGUMENTS>(at))));
    } else if (operation == D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED) {
      const auto one = std::get<DrawIndexed>(draw_command(state, read<D3D12_DRAW_INDEXED_ARGUMENTS>(at)));
      add(one.draw);
      unique += one.unique_vertices;
    } else {
      groups += std::get<Dispatch>(dispatch_command(state, read<D3D12_DISPATCH_ARGUMENTS>(at))).groups;
    }
  }
  if (operation == D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH) return Dispatch{state.pipeline, mean_of(groups, count)};
  for (std::uint64_t* sum : {&draw.vertices, &draw.instances, &draw.triangles, &draw.pixels, &draw.extent_pixels}) {
    *sum = mean_of(*sum, count);
  }
  if (operation != D3D12_INDIRECT_ARGUMENT_TYPE_DRAW_INDEXED) return draw;
  return DrawIndexed{draw, mean_of(unique, count)};
}

}  // namespace fenceline::d3d12
