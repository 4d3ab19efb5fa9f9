// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "engines/command/dxbc_container.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline::d3d12 {

/// Registers of one kind that a shader reads through the root signature.
struct ShaderBinding {
  static constexpr std::uint32_t unbounded = ~std::uint32_t{0};        ///< of `last`
  D3D12_DESCRIPTOR_RANGE_TYPE kind = D3D12_DESCRIPTOR_RANGE_TYPE_SRV;  ///< SRV, UAV, CBV or sampler
  std::uint32_t space = 0;                                             ///< register space
  std::uint32_t first = 0;                                             ///< register
  std::uint32_t last = 0;  ///< included; `unbounded`: all from the first one on
};

/// What a shader declares about itself besides its signatures: SHEX's declarations, PSV0 of DXIL. What a shader does
/// not say, and what does not concern its stage, is 0 or empty.
struct ShaderDeclarations {
  std::optional<std::vector<ShaderBinding>> bindings;   ///< nothing: they are not known
  std::optional<std::array<std::uint32_t, 3>> threads;  ///< of a group
  std::uint32_t input_primitive = 0;                    ///< D3D_PRIMITIVE that a geometry shader takes
  std::uint32_t input_control_points = 0;               ///< of hull and domain shaders
  std::uint32_t output_control_points = 0;              ///< of hull shaders
  std::uint32_t tessellator_domain = 0;                 ///< D3D_TESSELLATOR_DOMAIN
  std::uint32_t tessellator_output = 0;                 ///< D3D_TESSELLATOR_OUTPUT_PRIMITIVE
  std::uint32_t most_primitives = 0;                    ///< that a group of a mesh shader puts out
};

/// Reads the declarations in the code of shader models 4 and 5: the program part, whose length has been checked.
/// Walks from instruction to instruction by their lengths. With `strict`, as for compute shaders, it is an error when
/// the walk ends before a thread group was found, or the group is of another form than the format's; else what was
/// found before counts, and no bindings are known.
std::optional<DxbcError> read_code_declarations(const DxbcPart& program, bool strict, ShaderDeclarations& to);

/// Reads PSV0, DXIL's pipeline state validation, of a shader of that kind (the number in its version token).
std::optional<DxbcError> read_validation_part(const DxbcPart& part, std::uint32_t kind, ShaderDeclarations& to);

}  // namespace fenceline::d3d12
