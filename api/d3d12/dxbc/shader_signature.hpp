// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines/command/dxbc_container.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace fenceline::d3d12 {

/// One register, or a part of one, that a shader takes in or puts out.
struct SignatureElement {
  std::string name;  ///< of the semantic, without its index
  std::uint32_t index = 0;
  std::uint32_t stream = 0;
  std::uint32_t system_value = 0;    ///< D3D_NAME; 0 is none
  std::uint32_t component_type = 0;  ///< D3D_REGISTER_COMPONENT_TYPE; 0 is unknown
  std::uint32_t reg = 0;             ///< all ones when it has none, as SV_Depth
  std::uint8_t mask = 0;             ///< of its components
  std::uint8_t used_mask = 0;        ///< of those read, or of outputs those never written
  std::uint32_t min_precision = 0;   ///< D3D_MIN_PRECISION; 0 is the default, and where the form does not say it
};

/// Reads a signature part: ISGN, OSGN, PCSG (shader models 4 and 5), OSG5, ISG1, OSG1, PSG1.
std::variant<std::vector<SignatureElement>, DxbcError> shader_signature(const DxbcPart& part);

/// The bytes of a signature part in its newest form: ISG1, OSG1 or PSG1.
std::string signature_part(const std::vector<SignatureElement>& elements);

}  // namespace fenceline::d3d12
