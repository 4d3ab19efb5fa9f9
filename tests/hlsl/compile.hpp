// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/shaders/shader_bytecode.hpp"
#include "api/hlsl/hlsl_compiler.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

inline d3d12::HlslSource source(const std::string& profile, const std::string& text,
                                const std::string& entry = "main") {
  d3d12::HlslSource made;
  made.text = text;
  made.profile = profile;
  made.entry = entry;
  return made;
}

/// The code of a source that compiles without a message.
inline std::string compiled(const std::string& profile, const std::string& text, const std::string& entry = "main") {
  const d3d12::HlslResult result = d3d12::compile_hlsl(source(profile, text, entry));
  INFO(text);
  CHECK(result.messages.empty());
  INFO(result.messages);
  REQUIRE_FALSE(result.code.empty());
  return result.code;
}

inline d3d12::ShaderBytecode parsed(const std::string& code) {
  const auto read = d3d12::parse_shader_bytecode(code);
  REQUIRE(std::holds_alternative<d3d12::ShaderBytecode>(read));
  return std::get<d3d12::ShaderBytecode>(read);
}

/// What compiled code says.
inline d3d12::ShaderBytecode shader_of(const std::string& profile, const std::string& text,
                                       const std::string& entry = "main") {
  return parsed(compiled(profile, text, entry));
}

/// A signature as lines: semantic and index, register and first to last component.
inline std::vector<std::string> lines_of(const std::vector<d3d12::SignatureElement>& elements) {
  std::vector<std::string> lines;
  for (const d3d12::SignatureElement& one : elements) {
    std::string line = one.name + std::to_string(one.index) + " ";
    line += one.reg == ~0U ? "-" : std::to_string(one.reg);
    line += ".";
    for (unsigned i = 0; i < 4; ++i) {
      if ((one.mask >> i & 1) != 0) line += "xyzw"[i];
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace fenceline::testing
