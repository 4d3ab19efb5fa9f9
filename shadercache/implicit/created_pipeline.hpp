// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/implicit/creation_key.hpp"

#include <vector>

namespace fenceline {

/// A shader of a pipeline state that is DXBC.
struct ConvertedShader {
  CreationKey key{};        ///< names its code
  double instructions = 0;  ///< of its program
};

/// A pipeline state that is created.
struct CreatedPipeline {
  CreationKey key{};                  ///< names what it is made of
  double instructions = 0;            ///< of its programs, all stages together
  std::vector<ConvertedShader> dxbc;  ///< its shaders that are no DXIL
};

}  // namespace fenceline
