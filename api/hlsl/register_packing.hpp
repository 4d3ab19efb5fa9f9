// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/shader.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// A parameter, or a member of one, as the source declares it.
struct DeclaredElement {
  std::string name;  ///< of the semantic, without its index
  std::uint32_t index = 0;
  std::uint32_t rows = 1;  ///< of an array or a matrix: so many elements with indices that follow each other
  std::uint32_t components = 4;
  D3D_REGISTER_COMPONENT_TYPE type = D3D_REGISTER_COMPONENT_FLOAT32;
  std::uint32_t interpolation = 0;  ///< elements of different modes share no register
};

enum class Packing : std::uint8_t {
  vertices,  ///< from vertex buffers: each row a register of its own
  stages,    ///< between stages, and of patches
  targets,   ///< out of the pixel stage: the register is the index
};

/// Gives registers to what a stage takes or puts out, in the order of declaration, whether it is used or not. Between
/// stages that is the DirectX Shader Compiler's prefix-stable packing: each element goes into the first registers in
/// which it finds room behind others of its interpolation, so that stages whose declarations begin alike agree. Within
/// a register, values of the program's own stand left of system values, and those left of values that the hardware
/// makes; clip and cull distances keep to themselves; arrays and single system values share no register. Source: its
/// DxilSignatureAllocator. What finds no room in 32 registers gets number 32.
std::vector<ShaderElement> pack_registers(const std::vector<DeclaredElement>& elements, Packing packing);

}  // namespace fenceline::d3d12
