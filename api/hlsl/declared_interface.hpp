// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/shader.hpp"
#include "api/hlsl/spirv_bindings.hpp"

#include <string>

namespace glslang {
class TIntermediate;
}

namespace fenceline::d3d12 {

/// Takes over from glslang's tree what the entry declares: what it takes in and puts out, in its order and whether or
/// not it is used (SPIR-V has lost what is not), the group, primitives and control points. `entry` is the function's
/// name, `file` the name of the source. Returns what is wrong with it, as a line of a compiler's messages, or nothing.
std::string add_declared_interface(const glslang::TIntermediate& tree, PipelineStage stage, const std::string& entry,
                                   const std::string& file, ShaderDesc& to);

/// What the tree knows of resources, and SPIR-V does not.
DeclaredResources declared_resources(const glslang::TIntermediate& tree);

}  // namespace fenceline::d3d12
