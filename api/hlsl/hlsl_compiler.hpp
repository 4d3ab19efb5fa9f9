// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/hlsl/hlsl_source.hpp"

namespace fenceline::d3d12 {

/// Whether this build of Fenceline has a compiler; without one compile_hlsl says so in its messages.
bool has_hlsl_compiler();

/// Compiles HLSL for the simulator: signatures, bindings, the group and the count of instructions by kind, as far as
/// they are known without running it (a loop's body counts once). The front end is glslang's; it works in a child
/// process, so that code on which it breaks down ends with a message, too. `include` is called in this process. The
/// same source gives the same bytes. May be called by several threads; they take turns.
HlslResult compile_hlsl(const HlslSource& source);

}  // namespace fenceline::d3d12
