// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/dxbc/shader_declarations.hpp"
#include "api/hlsl/spirv_module.hpp"

#include <set>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// What the source says of resources, and SPIR-V does not: by their names, or where a block has none, its type's.
struct DeclaredResources {
  std::set<std::string> without_register;
  std::set<std::string> unbounded;  ///< arrays without a size
};

/// The registers that the module's functions access, as HLSL numbers them (no shift between b, t, u and s), in the
/// order of declaration. What is declared and not accessed is not among them. What has no register in the source gets
/// the first free ones of its kind in space 0.
std::vector<ShaderBinding> spirv_bindings(const SpirvModule& module, const DeclaredResources& declared);

}  // namespace fenceline::d3d12
