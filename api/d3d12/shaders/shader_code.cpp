// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/shaders/shader_code.hpp"

#include "api/d3d12/dxbc/blob_writer.hpp"
#include "api/d3d12/shaders/shader_bytecode.hpp"

#include <initializer_list>

namespace fenceline::d3d12 {
namespace {

ShaderKind kind_of(PipelineStage stage) {
  switch (stage) {
    case PipelineStage::vertex: return ShaderKind::vertex;
    case PipelineStage::hull: return ShaderKind::hull;
    case PipelineStage::domain: return ShaderKind::domain;
    case PipelineStage::geometry: return ShaderKind::geometry;
    case PipelineStage::amplification: return ShaderKind::amplification;
    case PipelineStage::mesh: return ShaderKind::mesh;
    case PipelineStage::pixel: return ShaderKind::pixel;
    case PipelineStage::compute: break;
  }
  return ShaderKind::compute;
}

std::uint32_t version_token(PipelineStage stage, std::uint32_t major, std::uint32_t minor) {
  return static_cast<std::uint32_t>(kind_of(stage)) << 16 | major << 4 | minor;
}

/// Instructions of the tokenized program format (d3d12TokenizedProgramFormat.hpp).
class Code {
 public:
  /// One number, with a value in its own bits.
  void add(std::uint32_t opcode, std::uint32_t value = 0) { add_long(opcode, value, {}); }
  void add_long(std::uint32_t opcode, std::uint32_t value, std::initializer_list<std::uint32_t> more) {
    bytes_ << (opcode | value << 11 | static_cast<std::uint32_t>(1 + more.size()) << 24);
    for (const std::uint32_t number : more) bytes_ << number;
    numbers_ += static_cast<std::uint32_t>(1 + more.size());
  }
  std::string part(std::uint32_t version) const {
    BlobWriter head;
    head << version << 2 + numbers_;
    return head.bytes() + bytes_.bytes();
  }

 private:
  BlobWriter bytes_;
  std::uint32_t numbers_ = 0;
};

constexpr std::uint32_t ret = 62;
constexpr std::uint32_t dcl_resource = 88;
constexpr std::uint32_t dcl_constant_buffer = 89;
constexpr std::uint32_t dcl_sampler = 90;
constexpr std::uint32_t dcl_gs_output_topology = 92;
constexpr std::uint32_t dcl_gs_input_primitive = 93;
constexpr std::uint32_t dcl_max_output_vertices = 94;
constexpr std::uint32_t dcl_global_flags = 106;
constexpr std::uint32_t hs_decls = 113;
constexpr std::uint32_t dcl_input_control_points = 147;
constexpr std::uint32_t dcl_output_control_points = 148;
constexpr std::uint32_t dcl_tessellator_domain = 149;
constexpr std::uint32_t dcl_tessellator_partitioning = 150;
constexpr std::uint32_t dcl_tessellator_output = 151;
constexpr std::uint32_t dcl_thread_group = 155;
constexpr std::uint32_t dcl_uav_typed = 156;

constexpr std::uint32_t refactoring_allowed = 1;
constexpr std::uint32_t texture_2d = 3;
constexpr std::uint32_t four_floats = 0x5555;
constexpr std::uint32_t most_constants = 4096;  // of a buffer, of 16 bytes

/// An operand of four components, xyzw, with three numbers as its index.
constexpr std::uint32_t operand(std::uint32_t type) { return 2 | 1U << 2 | 0xE4U << 4 | type << 12 | 3U << 20; }

void add_binding(Code& code, const ShaderBinding& binding, std::uint32_t id) {
  const std::uint32_t first = binding.first;
  const std::uint32_t last = binding.last;
  const std::uint32_t space = binding.space;
  switch (binding.kind) {
    case D3D12_DESCRIPTOR_RANGE_TYPE_CBV:
      return code.add_long(dcl_constant_buffer, 0, {operand(8), id, first, last, most_constants, space});
    case D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER:
      return code.add_long(dcl_sampler, 0, {operand(6), id, first, last, space});
    case D3D12_DESCRIPTOR_RANGE_TYPE_SRV:
      return code.add_long(dcl_resource, texture_2d, {operand(7), id, first, last, four_floats, space});
    case D3D12_DESCRIPTOR_RANGE_TYPE_UAV:
      return code.add_long(dcl_uav_typed, texture_2d, {operand(30), id, first, last, four_floats, space});
  }
}

}  // namespace

std::string code_part(PipelineStage stage, const ShaderDesc& desc) {
  Code code;
  if (stage == PipelineStage::hull) {
    code.add(hs_decls);
    code.add(dcl_input_control_points, desc.input_control_points);
    code.add(dcl_output_control_points, desc.output_control_points);
    code.add(dcl_tessellator_domain, desc.domain);
    code.add(dcl_tessellator_partitioning, desc.partitioning);
    code.add(dcl_tessellator_output, desc.patch_output);
  }
  if (stage == PipelineStage::domain) {
    code.add(dcl_input_control_points, desc.input_control_points);
    code.add(dcl_tessellator_domain, desc.domain);
  }
  code.add(dcl_global_flags, refactoring_allowed);
  std::array<std::uint32_t, 4> ids{};
  for (const ShaderBinding& binding : desc.bindings) add_binding(code, binding, ids.at(binding.kind)++);
  if (stage == PipelineStage::compute) {
    code.add_long(dcl_thread_group, 0, {desc.group[0], desc.group[1], desc.group[2]});
  }
  if (stage == PipelineStage::geometry) {
    code.add(dcl_gs_input_primitive, desc.input_primitive);
    code.add(dcl_gs_output_topology, desc.output_topology);
    code.add_long(dcl_max_output_vertices, 0, {desc.most_vertices});
  }
  code.add(ret);
  return code.part(version_token(stage, 5, 1));
}

std::string empty_dxil_part(PipelineStage stage) {
  constexpr std::uint32_t module_tag = 0x4C495844;  // DXIL
  constexpr std::uint32_t module_version = 0x105;
  constexpr std::uint32_t module_at = 16;
  BlobWriter out;
  out << version_token(stage, 6, 5) << 6U << module_tag << module_version << module_at << 0U;
  return out.bytes();
}

std::string validation_part(PipelineStage stage, const ShaderDesc& desc) {
  constexpr std::uint32_t info_bytes = 48;
  constexpr std::uint32_t binding_bytes = 16;
  BlobWriter out;
  out << info_bytes << 0U << 0U << 0U;
  out << (stage == PipelineStage::mesh ? desc.most_vertices | desc.most_primitives << 16 : 0U);
  out << 0U << ~0U;                                   // wave lanes, least and most
  out << static_cast<std::uint32_t>(kind_of(stage));  // and no use of view ids
  out << 0U << 0U;                                    // counts of signature elements: they are not listed here
  out << desc.group[0] << desc.group[1] << desc.group[2];
  out << static_cast<std::uint32_t>(desc.bindings.size());
  if (desc.bindings.empty()) return out.bytes();
  out << binding_bytes;
  for (const ShaderBinding& binding : desc.bindings) {
    constexpr std::uint32_t types[] = {3, 6, 2, 1};  // by D3D12_DESCRIPTOR_RANGE_TYPE: typed SRV and UAV, CBV, sampler
    out << types[binding.kind] << binding.space << binding.first << binding.last;
  }
  return out.bytes();
}

}  // namespace fenceline::d3d12
