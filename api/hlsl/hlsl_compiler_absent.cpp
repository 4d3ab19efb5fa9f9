// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/hlsl_compiler.hpp"

namespace fenceline::d3d12 {

bool has_hlsl_compiler() { return false; }

HlslResult compile_hlsl(const HlslSource& source) {
  return {{},
          source.name +
              ": error: this build of Fenceline has no HLSL compiler; it has one when glslang-dev and "
              "spirv-tools are installed where it is built\n"};
}

}  // namespace fenceline::d3d12
