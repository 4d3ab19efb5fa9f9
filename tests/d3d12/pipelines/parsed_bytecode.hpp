// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/shaders/shader_bytecode.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <variant>

namespace fenceline::testing {

/// What a shader's bytes say; fails the test where they are refused.
inline d3d12::ShaderBytecode parsed_bytecode(const std::string& bytes) {
  const auto parsed = d3d12::parse_shader_bytecode(bytes);
  if (const auto* error = std::get_if<DxbcError>(&parsed)) {
    FAIL("at " << error->offset << ": expected " << error->expected << ", found " << error->found);
  }
  return std::get<d3d12::ShaderBytecode>(parsed);
}

}  // namespace fenceline::testing
