// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fenceline::d3d12 {

/// HLSL text in which constant buffers that declare static variables only are gone and their variables stand by
/// themselves: that is what they are, for static ones are the shader's own and in no buffer, which the front end does
/// not know. Lines and columns stay. Buffers that declare others, too, and text that does not read as HLSL stay as they
/// are.
std::string without_static_buffers(std::string text);

}  // namespace fenceline::d3d12
