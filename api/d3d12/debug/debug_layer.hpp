// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline::d3d12 {

/// What FENCELINE_DEBUG_LAYER says of D3D12's debug layer.
enum class DebugLayerSetting : std::uint8_t {
  program,         ///< nothing: on where the program enables it
  off,             ///< "0": also where the program enables it
  on,              ///< "1": without a call
  break_on_error,  ///< "break": on, and errors stop in the debugger (SIGTRAP) unless the program takes that back
};

/// As it was when the process asked first; a line on stderr where it says something else.
DebugLayerSetting debug_layer_setting();

}  // namespace fenceline::d3d12
