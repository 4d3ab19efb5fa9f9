// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/hlsl/hlsl_profile.hpp"
#include "api/hlsl/hlsl_source.hpp"

namespace fenceline::d3d12 {

/// compile_hlsl in this very process: glslang's HLSL front end, SPIRV-Tools' optimizer, and the readers of this folder.
/// May crash on code that they were not made for. Not for several threads at a time.
HlslResult compile_here(const HlslSource& source, const HlslProfile& profile);

}  // namespace fenceline::d3d12
