// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/dxbc/dxbc_hash.hpp"
#include "api/d3d12/dxbc/shader_declarations.hpp"
#include "api/d3d12/dxbc/shader_signature.hpp"
#include "api/d3d12/root/root_layout.hpp"
#include "engines/command/shader_stat.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace fenceline::d3d12 {

/// What kind of program it is. The values are those of the version token in SHDR, SHEX and DXIL parts.
enum class ShaderKind : std::uint8_t {
  pixel,
  vertex,
  geometry,
  hull,
  domain,
  compute,
  library,
  ray_generation,
  intersection,
  any_hit,
  closest_hit,
  miss,
  callable,
  mesh,
  amplification,
  node,
};
/// As messages name it.
const char* name_of(ShaderKind kind);

/// What the runtime data of a DXIL container lists.
struct RuntimeData {
  std::uint32_t resources = 0;
  std::uint32_t functions = 0;
};

/// What a shader's container tells without its code being executed.
struct ShaderBytecode {
  ShaderKind kind = ShaderKind::pixel;
  std::uint32_t major_version = 0;  ///< of the shader model
  std::uint32_t minor_version = 0;
  bool is_dxil = false;
  bool is_made = false;     ///< by Fenceline (shader.hpp), not by a compiler: it goes with DXIL and DXBC
  bool has_inputs = false;  ///< it has a signature of them, if an empty one; code that was stripped has not
  bool has_outputs = false;
  bool has_patch_constants = false;
  std::vector<SignatureElement> inputs;
  std::vector<SignatureElement> outputs;
  std::vector<SignatureElement> patch_constants;  ///< of hull and domain shaders; a mesh shader's primitives
  std::optional<ShaderStat> stat;                 ///< none in DXIL and where it was stripped
  ShaderDeclarations declarations;
  std::optional<RuntimeData> runtime_data;
  std::optional<RootLayout> root_signature;  ///< the one it was compiled with; unchecked
  DxbcHash hash{};         ///< of the container's content: names the code, whether or not it was signed
  bool is_signed = false;  ///< the container has that hash
};

/// Reads the container of one compiled shader: DXBC of shader models 4 and 5, DXIL. Parts that it does not know are
/// left alone; a part that it knows and cannot read is an error.
std::variant<ShaderBytecode, DxbcError> parse_shader_bytecode(std::string_view bytes);

}  // namespace fenceline::d3d12
