// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace fenceline {

/// What one thread group needs of an SM to become resident.
struct GroupFootprint {
  std::uint32_t threads = 256;              ///< 1..1024
  std::uint32_t registers_per_thread = 32;  ///< 32-bit registers, 0..255
  std::uint32_t shared_bytes = 0;           ///< group-shared (dynamic shared) memory
};

/// Instruction mix of a shader: what one thread executes. Each kind goes to a unit of the SM that the resident warps
/// share; dependent instructions wait for each other's latency.
struct ShaderCost {
  double alu_instructions = 0;                  ///< FP32 and INT32, control flow included
  double sfu_instructions = 0;                  ///< transcendentals
  double texture_samples = 0;                   ///< bilinear samples
  double shared_accesses = 0;                   ///< 4-byte accesses to group-shared memory without bank conflicts
  double texture_bytes_per_sample = 0;          ///< that no texture cache of the SM holds: they come from L2
  std::uint64_t texture_working_set_bytes = 0;  ///< sampled again and again; 0: each byte once
  double code_instructions = 0;  ///< of the program, each once, however often it runs; 0: those executed, up to 4,096
};

/// What the work of one thread group costs. Its parts run side by side and the slowest decides.
struct GroupWork {
  std::uint64_t cycles = 0;                       ///< SM clock cycles, however many groups share the SM
  ShaderCost shader;                              ///< of each thread
  std::uint64_t vram_bytes = 0;                   ///< read from or written to video memory
  std::uint64_t working_set_bytes = 0;            ///< of the grid: what it accesses again and again; 0: each byte once
  std::uint32_t bytes_in_flight_per_thread = 16;  ///< outstanding memory accesses of one thread, bytes
};

/// A compute pipeline state as the simulator sees it: not its code but its cost.
struct ComputePipeline {
  std::string name;      ///< dispatches are called so in the log
  GroupFootprint group;  ///< what each group takes of an SM
  GroupWork work;        ///< what each group costs
};

/// A graphics pipeline state as the simulator sees it. Vertices and pixels are shaded in groups on the shader array.
struct GraphicsPipeline {
  std::string name;                         ///< draws are called so in the log
  ShaderCost vertex_shader;                 ///< of each vertex
  ShaderCost pixel_shader;                  ///< of each pixel
  std::uint32_t registers_per_thread = 32;  ///< of both stages
  std::uint32_t bytes_per_pixel = 4;        ///< written to the render targets
  std::uint32_t samples_per_pixel = 1;      ///< that the depth test passes
  std::uint32_t bytes_per_vertex = 0;       ///< fetched from vertex buffers
  std::uint32_t depth_bytes_per_pixel = 0;  ///< read and written by the depth test; 0: none
  bool blend = false;                       ///< render targets are read, too
  bool mesh = false;  ///< the vertex shader is a mesh shader: draws are grids of its groups (Draw)
  std::uint32_t amplification_threads = 0;  ///< run before each mesh group, at the vertex shader's cost
};

/// A pipeline state that takes the place of a draw's or dispatch's own in one execution: the same work at another cost.
/// The one of its kind is set, or none: then the stream's is executed. Groups need the same of an SM.
struct PipelineVariant {
  const ComputePipeline* compute = nullptr;    ///< of a dispatch
  const GraphicsPipeline* graphics = nullptr;  ///< of a draw
};

}  // namespace fenceline
