// SPDX-License-Identifier: Apache-2.0
#include "api/cli/shader_summary.hpp"

#include "api/d3d12/shaders/shader_bytecode.hpp"

#include <fmt/format.h>

#include <vector>

namespace fenceline::cli {
namespace {

using d3d12::ShaderBinding;
using d3d12::ShaderBytecode;
using d3d12::SignatureElement;

std::string components_of(std::uint8_t mask) {
  std::string text;
  for (unsigned i = 0; i < 4; ++i) {
    if ((mask >> i & 1) != 0) text += "xyzw"[i];
  }
  return text;
}

const char* type_name(std::uint32_t type) {
  if (type == D3D_REGISTER_COMPONENT_UINT32) return "uint";
  return type == D3D_REGISTER_COMPONENT_SINT32 ? "int" : "float";
}

void add(std::string& text, const char* list, const std::vector<SignatureElement>& elements) {
  for (const SignatureElement& one : elements) {
    const std::string place = one.reg == ~0U ? "no register" : fmt::format("register {}", one.reg);
    text += fmt::format("{:<10} {}{}: {} {}, {}\n", list, one.name, one.index, type_name(one.component_type),
                        components_of(one.mask), place);
  }
}

void add(std::string& text, const ShaderBinding& one) {
  const char letters[] = {'t', 'u', 'b', 's'};  // by D3D12_DESCRIPTOR_RANGE_TYPE
  const char letter = letters[one.kind];
  const std::string last = one.last == ShaderBinding::unbounded ? " and on"
                           : one.last == one.first              ? ""
                                                                : fmt::format(" to {}{}", letter, one.last);
  text += fmt::format("{:<10} {}{}{}, space{}\n", "binding", letter, one.first, last, one.space);
}

}  // namespace

std::string shader_summary(const std::string& code, const std::string& profile, const std::string& entry) {
  const auto parsed = d3d12::parse_shader_bytecode(code);
  const auto* const shader = std::get_if<ShaderBytecode>(&parsed);
  if (shader == nullptr) return {};
  std::string text = fmt::format("{:<10} {}\n", profile, entry);
  add(text, "input", shader->inputs);
  add(text, "output", shader->outputs);
  add(text, "patch", shader->patch_constants);
  if (shader->declarations.bindings) {
    for (const ShaderBinding& one : *shader->declarations.bindings) add(text, one);
  }
  if (shader->declarations.threads) {
    const auto& threads = *shader->declarations.threads;
    text += fmt::format("{:<10} {} x {} x {} threads\n", "group", threads[0], threads[1], threads[2]);
  }
  if (shader->stat) {
    const ShaderCost& cost = shader->stat->cost;
    text += fmt::format(
        "{:<10} {} ALU and {} transcendental instructions, {} texture and buffer accesses, {} of shared "
        "memory; {} registers\n",
        "a thread", cost.alu_instructions, cost.sfu_instructions, cost.texture_samples, cost.shared_accesses,
        shader->stat->registers);
  }
  return text;
}

}  // namespace fenceline::cli
