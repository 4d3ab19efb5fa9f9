// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/dxbc/shader_declarations.hpp"
#include "api/d3d12/shaders/pipeline_desc.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// A value that a shader takes in or puts out: one register, or a part of one.
struct ShaderElement {
  std::string semantic;          ///< as in HLSL: "POSITION", "TEXCOORD1" (index 1 of TEXCOORD), "SV_Position"
  std::uint32_t components = 4;  ///< 1 to 4
  D3D_REGISTER_COMPONENT_TYPE type = D3D_REGISTER_COMPONENT_FLOAT32;  ///< or UINT32, SINT32
  /// 0 to 31; nothing: the register behind the element before it (targets: the one of their index; SV_Depth,
  /// SV_Coverage and SV_StencilRef have none). Stages fit together where both list the same elements in one order.
  std::optional<std::uint32_t> reg = {};
  std::uint32_t first_component = 0;  ///< 0 to 3, where several elements share a register
  std::uint32_t stream = 0;           ///< 0 to 3, of a geometry shader's outputs
};

/// What a made shader costs, takes and puts out. Fields that are not its stage's are not looked at, but for the lists,
/// which are empty then.
struct ShaderDesc {
  // For each thread (vertex, pixel, ...), 0 to 1e9. Each of these is issued once.
  std::uint32_t alu_instructions = 0;  ///< FP32 and INT32, control flow included
  std::uint32_t sfu_instructions = 0;  ///< transcendental ones; with the ALU's at most 1e9
  std::uint32_t texture_samples = 0;   ///< and loads and stores, as in the STAT part
  std::uint32_t shared_accesses = 0;   ///< to group-shared memory, 4 bytes each
  std::uint32_t registers = 32;        ///< 32-bit, of a thread: 1 to 255
  /// Of the program, each once, however often loops execute it: what compiling takes goes by it. 0: those that a thread
  /// executes, at most 4,096.
  std::uint32_t code_instructions = 0;

  /// Threads of a group: compute 1 to 1024, 1024, 64, at most 1024 in all; mesh and amplification at most 128 in all.
  std::array<std::uint32_t, 3> group = {64, 1, 1};
  std::vector<ShaderElement> inputs = {};    ///< all stages but compute, amplification and mesh
  std::vector<ShaderElement> outputs = {};   ///< all stages but compute and amplification
  std::vector<ShaderBinding> bindings = {};  ///< registers that the root signature has to bind

  std::vector<ShaderElement> patch_constants = {};         ///< hull, domain; mesh: of each primitive
  D3D_PRIMITIVE input_primitive = D3D_PRIMITIVE_TRIANGLE;  ///< geometry
  D3D_PRIMITIVE_TOPOLOGY output_topology = D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP;  ///< geometry; or POINTLIST, LINESTRIP
  std::uint32_t most_vertices = 3;                             ///< put out: geometry 1 to 1024, mesh 1 to 256
  std::uint32_t most_primitives = 1;                           ///< put out by a mesh group: 1 to 256
  std::uint32_t input_control_points = 3;                      ///< hull, domain: 1 to 32
  std::uint32_t output_control_points = 3;                     ///< hull: 1 to 32
  D3D_TESSELLATOR_DOMAIN domain = D3D_TESSELLATOR_DOMAIN_TRI;  ///< hull, domain
  D3D_TESSELLATOR_PARTITIONING partitioning = D3D_TESSELLATOR_PARTITIONING_INTEGER;     ///< hull
  D3D_TESSELLATOR_OUTPUT_PRIMITIVE patch_output = D3D_TESSELLATOR_OUTPUT_TRIANGLE_CCW;  ///< hull
};

}  // namespace fenceline::d3d12
