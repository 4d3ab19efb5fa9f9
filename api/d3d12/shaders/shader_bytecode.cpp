// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/shaders/shader_bytecode.hpp"

#include "api/d3d12/root/root_signature_blob.hpp"

#include <fmt/format.h>

#include <iterator>

namespace fenceline::d3d12 {
namespace {

using MaybeError = std::optional<DxbcError>;

DxbcError error_in(const DxbcPart& part, std::uint64_t at, std::string expected, std::uint64_t found) {
  return DxbcError{part.offset + at, std::move(expected), fmt::format("{}", found)};
}

MaybeError read_version(const DxbcPart& part, ShaderBytecode& shader) {
  constexpr std::uint64_t header_bytes = 8;  // version, size in 32-bit numbers
  if (part.bytes.size() < header_bytes) {
    return error_in(part, 0, fmt::format("a {} part of at least 8 bytes", part.tag), part.bytes.size());
  }
  const std::uint32_t version = dxbc_number(part.bytes, 0);
  const std::uint32_t kind = version >> 16;
  const std::uint32_t last = static_cast<std::uint32_t>(shader.is_dxil ? ShaderKind::node : ShaderKind::compute);
  if (kind > last) return error_in(part, 0, fmt::format("a shader of kind 0 to {}", last), kind);
  shader.kind = static_cast<ShaderKind>(kind);
  shader.major_version = version >> 4 & 0xF;
  shader.minor_version = version & 0xF;
  const std::uint64_t numbers = dxbc_number(part.bytes, 4);
  if (numbers < header_bytes / 4 || numbers > part.bytes.size() / 4) {
    return error_in(part, 4, fmt::format("a program of 2 to {} numbers", part.bytes.size() / 4), numbers);
  }
  return {};
}

/// RDAT: version, count, the offsets of that many tables; a table: kind, size, and of some kinds the count of records.
MaybeError read_runtime_data(const DxbcPart& part, ShaderBytecode& shader) {
  constexpr std::uint32_t resource_table = 3;
  constexpr std::uint32_t function_table = 4;
  const std::uint64_t size = part.bytes.size();
  if (size < 8) return error_in(part, 0, "an RDAT part of at least 8 bytes", size);
  const std::uint64_t count = dxbc_number(part.bytes, 4);
  if (count > (size - 8) / 4) return error_in(part, 4, fmt::format("at most {} tables", (size - 8) / 4), count);
  RuntimeData data;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = dxbc_number(part.bytes, 8 + 4 * i);
    if (at > size || size - at < 8) return error_in(part, 8 + 4 * i, "a table within the part", at);
    const std::uint32_t kind = dxbc_number(part.bytes, at);
    const std::uint64_t bytes = dxbc_number(part.bytes, at + 4);
    if (bytes > size - at - 8) return error_in(part, at + 4, fmt::format("at most {} bytes", size - at - 8), bytes);
    if (kind != resource_table && kind != function_table) continue;
    if (bytes < 8) return error_in(part, at + 4, "a table of at least 8 bytes", bytes);
    const std::uint64_t records = dxbc_number(part.bytes, at + 8);
    const std::uint64_t stride = dxbc_number(part.bytes, at + 12);
    if (stride == 0 ? records != 0 : records > (bytes - 8) / stride) {
      return error_in(part, at + 8, fmt::format("records of {} bytes within {}", stride, bytes - 8), records);
    }
    (kind == resource_table ? data.resources : data.functions) += static_cast<std::uint32_t>(records);
  }
  shader.runtime_data = data;
  return {};
}

MaybeError read_signature(const DxbcPart& part, std::vector<SignatureElement>& elements) {
  auto read = shader_signature(part);
  if (const auto* error = std::get_if<DxbcError>(&read)) return *error;
  elements = std::move(std::get<std::vector<SignatureElement>>(read));
  return {};
}

MaybeError read_part(const DxbcPart& part, ShaderBytecode& shader) {
  const std::string_view tag = part.tag;
  if (tag == "ISGN" || tag == "ISG1") {
    shader.has_inputs = true;
    return read_signature(part, shader.inputs);
  }
  if (tag == "OSGN" || tag == "OSG1" || tag == "OSG5") {
    shader.has_outputs = true;
    return read_signature(part, shader.outputs);
  }
  if (tag == "PCSG" || tag == "PSG1") {
    shader.has_patch_constants = true;
    return read_signature(part, shader.patch_constants);
  }
  if (tag == "PSV0") return read_validation_part(part, static_cast<std::uint32_t>(shader.kind), shader.declarations);
  if (tag == "RDAT") return read_runtime_data(part, shader);
  return {};
}

DxbcHash hash_in(std::string_view bytes) {
  DxbcHash hash{};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] = dxbc_number(bytes, 4 + 4 * i);
  return hash;
}

const DxbcPart* program_of(const DxbcContainer& container) {
  for (const char* tag : {"DXIL", "SHEX", "SHDR"}) {
    if (const DxbcPart* part = container.part(tag)) return part;
  }
  return nullptr;
}

}  // namespace

const char* name_of(ShaderKind kind) {
  constexpr const char* names[] = {"pixel",    "vertex",         "geometry",      "hull",    "domain",      "compute",
                                   "library",  "ray generation", "intersection",  "any hit", "closest hit", "miss",
                                   "callable", "mesh",           "amplification", "node"};
  static_assert(std::size(names) == static_cast<std::size_t>(ShaderKind::node) + 1);
  return names[static_cast<std::size_t>(kind)];
}

std::variant<ShaderBytecode, DxbcError> parse_shader_bytecode(std::string_view bytes) {
  const auto parsed = parse_dxbc(bytes);
  if (const auto* error = std::get_if<DxbcError>(&parsed)) return *error;
  const auto& container = std::get<DxbcContainer>(parsed);
  const DxbcPart* program = program_of(container);
  if (program == nullptr) return DxbcError{0, "a DXIL, SHEX or SHDR part", "none"};
  ShaderBytecode shader;
  shader.is_dxil = program->tag == "DXIL";
  shader.is_made = container.part("FNCL") != nullptr;
  if (const MaybeError error = read_version(*program, shader)) return *error;
  for (const DxbcPart& part : container.parts()) {
    if (const MaybeError error = read_part(part, shader)) return *error;
  }
  if (!shader.is_dxil) {
    const bool strict = shader.kind == ShaderKind::compute;  // whose cost depends on them
    if (const MaybeError error = read_code_declarations(*program, strict, shader.declarations)) return *error;
  }
  const auto stat = shader_stat(container);
  if (const auto* error = std::get_if<DxbcError>(&stat)) return *error;
  shader.stat = std::get<std::optional<ShaderStat>>(stat);
  if (container.part("RTS0") != nullptr) {
    auto root = parse_root_signature(container);
    if (const auto* error = std::get_if<DxbcError>(&root)) return *error;
    shader.root_signature = std::move(std::get<RootLayout>(root));
  }
  shader.hash = dxbc_hash(bytes);
  shader.is_signed = shader.hash == hash_in(bytes);
  return shader;
}

}  // namespace fenceline::d3d12
