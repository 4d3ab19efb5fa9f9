// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxbc/shader_declarations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace fenceline::d3d12 {
namespace {

DxbcError error_in(const DxbcPart& part, std::uint64_t at, std::string expected, std::uint64_t found) {
  return DxbcError{part.offset + at, std::move(expected), fmt::format("{}", found)};
}

// Opcodes of the tokenized program format (d3d12TokenizedProgramFormat.hpp).
constexpr std::uint32_t custom_data = 53;
constexpr std::uint32_t dcl_resource = 88;
constexpr std::uint32_t dcl_constant_buffer = 89;
constexpr std::uint32_t dcl_sampler = 90;
constexpr std::uint32_t dcl_gs_input_primitive = 93;
constexpr std::uint32_t dcl_input_control_points = 147;
constexpr std::uint32_t dcl_output_control_points = 148;
constexpr std::uint32_t dcl_tessellator_domain = 149;
constexpr std::uint32_t dcl_tessellator_output = 151;
constexpr std::uint32_t dcl_thread_group = 155;
constexpr std::uint32_t dcl_uav_typed = 156;
constexpr std::uint32_t dcl_uav_structured = 158;
constexpr std::uint32_t dcl_resource_raw = 161;
constexpr std::uint32_t dcl_resource_structured = 162;

std::optional<D3D12_DESCRIPTOR_RANGE_TYPE> binding_kind(std::uint32_t opcode) {
  if (opcode == dcl_constant_buffer) return D3D12_DESCRIPTOR_RANGE_TYPE_CBV;
  if (opcode == dcl_sampler) return D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER;
  if (opcode == dcl_resource || opcode == dcl_resource_raw || opcode == dcl_resource_structured) {
    return D3D12_DESCRIPTOR_RANGE_TYPE_SRV;
  }
  if (opcode >= dcl_uav_typed && opcode <= dcl_uav_structured) return D3D12_DESCRIPTOR_RANGE_TYPE_UAV;
  return {};
}

/// The registers of a declaration of `length` numbers from `at` on. Up to shader model 5.0 its operand has one index,
/// the register, and of a constant buffer its size; 5.1 has three, a number of its own and the first and last register,
/// and ends with the space. Nothing for another form.
std::optional<ShaderBinding> binding_at(const DxbcPart& program, std::uint64_t at, std::uint64_t length,
                                        D3D12_DESCRIPTOR_RANGE_TYPE kind) {
  if (length < 3) return {};
  const auto number = [&](std::uint64_t i) { return dxbc_number(program.bytes, 4 * (at + i)); };
  const std::uint32_t operand = number(1);
  const std::uint32_t dimension = operand >> 20 & 3;
  const std::uint32_t representations = operand >> 22 & 0x1FF;  // 0: numbers that follow
  const bool extended = operand >> 31 != 0;
  if (representations != 0 || extended) return {};
  if (dimension == 3) {
    if (length < 6 || number(4) < number(3)) return {};
    return ShaderBinding{kind, number(length - 1), number(3), number(4)};
  }
  const bool is_buffer = kind == D3D12_DESCRIPTOR_RANGE_TYPE_CBV;
  if (dimension != (is_buffer ? 2 : 1)) return {};
  return ShaderBinding{kind, 0, number(2), number(2)};
}

void read_fields(std::uint32_t opcode, std::uint32_t token, ShaderDeclarations& to) {
  switch (opcode) {
    case dcl_gs_input_primitive: to.input_primitive = token >> 11 & 0x3F; break;
    case dcl_input_control_points: to.input_control_points = token >> 11 & 0x3F; break;
    case dcl_output_control_points: to.output_control_points = token >> 11 & 0x3F; break;
    case dcl_tessellator_domain: to.tessellator_domain = token >> 11 & 3; break;
    case dcl_tessellator_output: to.tessellator_output = token >> 11 & 7; break;
    default: break;
  }
}

}  // namespace

std::optional<DxbcError> read_code_declarations(const DxbcPart& program, bool strict, ShaderDeclarations& to) {
  const std::uint64_t end = dxbc_number(program.bytes, 4);
  std::vector<ShaderBinding> bindings;
  for (std::uint64_t at = 2; at < end;) {
    const std::uint32_t token = dxbc_number(program.bytes, 4 * at);
    const std::uint32_t opcode = token & 0x7FF;
    std::uint64_t length = token >> 24 & 0x7F;
    if (opcode == custom_data) length = at + 1 < end ? dxbc_number(program.bytes, 4 * at + 4) : 0;
    if (length == 0 || length > end - at) {
      if (!strict || to.threads) return {};
      return error_in(program, 4 * at, fmt::format("an instruction of 1 to {} numbers", end - at), length);
    }
    if (const auto kind = binding_kind(opcode)) {
      const auto binding = binding_at(program, at, length, *kind);
      if (!binding && !strict) return {};
      if (binding) bindings.push_back(*binding);
    }
    if (opcode == dcl_thread_group) {
      if (length != 4 && strict) return error_in(program, 4 * at, "a thread group of 4 numbers", length);
      if (length == 4) {
        to.threads = {dxbc_number(program.bytes, 4 * at + 4), dxbc_number(program.bytes, 4 * at + 8),
                      dxbc_number(program.bytes, 4 * at + 12)};
      }
    }
    read_fields(opcode, token, to);
    at += length;
  }
  to.bindings = std::move(bindings);
  return {};
}

namespace {

// PSV0: the size of its first structure, which has grown from version to version: 16 bytes that depend on the stage and
// the wave sizes (24), signature counts (36), the threads of a group (48). Then the count of bindings, their size and
// they themselves. Source: DxilPipelineStateValidation.h.
constexpr std::uint64_t info_at = 4;
constexpr std::uint64_t threads_at = info_at + 36;
constexpr std::uint64_t with_stage = 16;
constexpr std::uint64_t with_threads = 48;
constexpr std::uint64_t binding_bytes = 16;

// The version token's kinds.
constexpr std::uint32_t geometry = 2;
constexpr std::uint32_t hull = 3;
constexpr std::uint32_t domain = 4;
constexpr std::uint32_t compute = 5;
constexpr std::uint32_t mesh = 13;
constexpr std::uint32_t amplification = 14;
constexpr std::uint32_t node = 15;

std::optional<D3D12_DESCRIPTOR_RANGE_TYPE> binding_kind_of_dxil(std::uint32_t type) {
  switch (type) {
    case 1: return D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER;
    case 2: return D3D12_DESCRIPTOR_RANGE_TYPE_CBV;
    case 3:
    case 4:
    case 5: return D3D12_DESCRIPTOR_RANGE_TYPE_SRV;
    case 6:
    case 7:
    case 8:
    case 9: return D3D12_DESCRIPTOR_RANGE_TYPE_UAV;
    default: return {};
  }
}

/// Nothing where the table is not there, or not as it should be.
std::optional<std::vector<ShaderBinding>> bindings_at(std::string_view bytes, std::uint64_t at) {
  if (bytes.size() < at + 4) return {};
  const std::uint64_t count = dxbc_number(bytes, at);
  std::vector<ShaderBinding> bindings;
  if (count == 0) return bindings;
  if (bytes.size() < at + 8) return {};
  const std::uint64_t stride = dxbc_number(bytes, at + 4);
  const std::uint64_t first = at + 8;
  if (stride < binding_bytes || count > (bytes.size() - first) / stride) return {};
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t record = first + i * stride;
    const auto kind = binding_kind_of_dxil(dxbc_number(bytes, record));
    const ShaderBinding binding{kind.value_or(D3D12_DESCRIPTOR_RANGE_TYPE_SRV), dxbc_number(bytes, record + 4),
                                dxbc_number(bytes, record + 8), dxbc_number(bytes, record + 12)};
    if (!kind || binding.last < binding.first) return {};
    bindings.push_back(binding);
  }
  return bindings;
}

}  // namespace

std::optional<DxbcError> read_validation_part(const DxbcPart& part, std::uint32_t kind, ShaderDeclarations& to) {
  if (part.bytes.size() < info_at) return error_in(part, 0, "a PSV0 part of at least 4 bytes", part.bytes.size());
  const std::uint64_t info_bytes = dxbc_number(part.bytes, 0);
  if (info_bytes > part.bytes.size() - info_at) {
    return error_in(part, 0, fmt::format("at most {} bytes", part.bytes.size() - info_at), info_bytes);
  }
  const auto number = [&](std::uint64_t at) { return dxbc_number(part.bytes, info_at + at); };
  const bool has_group = kind == compute || kind == mesh || kind == amplification || kind == node;
  if (info_bytes >= with_threads && has_group) {
    to.threads = {dxbc_number(part.bytes, threads_at), dxbc_number(part.bytes, threads_at + 4),
                  dxbc_number(part.bytes, threads_at + 8)};
  }
  if (info_bytes >= with_stage) {
    if (kind == geometry) to.input_primitive = number(0);
    if (kind == hull || kind == domain) to.input_control_points = number(0);
    if (kind == hull) {
      to.output_control_points = number(4);
      to.tessellator_domain = number(8);
      to.tessellator_output = number(12);
    }
    if (kind == domain) to.tessellator_domain = number(8);
    if (kind == mesh) to.most_primitives = number(12) >> 16;
  }
  to.bindings = bindings_at(part.bytes, info_at + info_bytes);
  return {};
}

}  // namespace fenceline::d3d12
