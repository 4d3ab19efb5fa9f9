// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/shader.hpp"

#include "api/d3d12/dxbc/blob_writer.hpp"
#include "api/d3d12/dxbc/dxbc_writer.hpp"
#include "api/d3d12/dxbc/shader_signature.hpp"
#include "api/d3d12/shaders/pipeline_linkage.hpp"
#include "api/d3d12/shaders/shader_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace fenceline::d3d12 {
namespace {

using Elements = std::vector<ShaderElement>;
constexpr std::uint32_t no_register = ~std::uint32_t{0};
constexpr std::uint32_t most_instructions = 1'000'000'000;  // what the STAT part's reader takes
constexpr std::uint32_t signature_registers = 32;           // D3D12_VS_OUTPUT_REGISTER_COUNT, the most of all stages

[[noreturn]] void refuse(const std::string& field, const std::string& expected, const std::string& found) {
  throw std::invalid_argument(fmt::format("shader: {}: expected {}, found {}", field, expected, found));
}

void expect_within(const std::string& field, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value >= least && value <= most) return;
  refuse(field, fmt::format("{} to {}", least, most), fmt::format("{}", value));
}

bool is_one_of(PipelineStage stage, std::initializer_list<PipelineStage> stages) {
  return std::find(stages.begin(), stages.end(), stage) != stages.end();
}

bool has_group(PipelineStage stage) {
  return is_one_of(stage, {PipelineStage::compute, PipelineStage::mesh, PipelineStage::amplification});
}

void check_cost(const ShaderDesc& desc) {
  expect_within("alu_instructions and sfu_instructions",
                std::uint64_t{desc.alu_instructions} + std::uint64_t{desc.sfu_instructions}, 0, most_instructions);
  expect_within("texture_samples", desc.texture_samples, 0, most_instructions);
  expect_within("shared_accesses", desc.shared_accesses, 0, most_instructions);
  expect_within("registers", desc.registers, 1, 255);
  expect_within("code_instructions", desc.code_instructions, 0, most_instructions);
}

void check_group(PipelineStage stage, const std::array<std::uint32_t, 3>& group) {
  const bool compute = stage == PipelineStage::compute;
  constexpr std::uint32_t compute_threads = D3D12_CS_THREAD_GROUP_MAX_THREADS_PER_GROUP;
  constexpr std::uint32_t mesh_threads = 128;  // Direct3D's specification of mesh shaders
  const std::uint32_t most[] = {compute ? D3D12_CS_THREAD_GROUP_MAX_X : mesh_threads,
                                compute ? D3D12_CS_THREAD_GROUP_MAX_Y : mesh_threads,
                                compute ? D3D12_CS_THREAD_GROUP_MAX_Z : mesh_threads};
  std::uint64_t threads = 1;
  for (std::size_t i = 0; i < group.size(); ++i) {
    expect_within(fmt::format("group[{}]", i), group[i], 1, most[i]);
    threads *= group[i];
  }
  expect_within("threads of the group", threads, 1, compute ? compute_threads : mesh_threads);
}

void check_stage(PipelineStage stage, const ShaderDesc& desc) {
  if (has_group(stage)) check_group(stage, desc.group);
  if (stage == PipelineStage::geometry) {
    const D3D_PRIMITIVE taken = desc.input_primitive;
    const bool plain = taken >= D3D_PRIMITIVE_POINT && taken <= D3D_PRIMITIVE_TRIANGLE;
    const bool others = taken >= D3D_PRIMITIVE_LINE_ADJ && taken <= D3D_PRIMITIVE_32_CONTROL_POINT_PATCH;
    if (!plain && !others) refuse("input_primitive", "a D3D_PRIMITIVE", fmt::format("{}", static_cast<int>(taken)));
    const D3D_PRIMITIVE_TOPOLOGY made = desc.output_topology;
    if (made != D3D_PRIMITIVE_TOPOLOGY_POINTLIST && made != D3D_PRIMITIVE_TOPOLOGY_LINESTRIP &&
        made != D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP) {
      refuse("output_topology", "POINTLIST, LINESTRIP or TRIANGLESTRIP", fmt::format("{}", static_cast<int>(made)));
    }
    expect_within("most_vertices", desc.most_vertices, 1, 1024);
  }
  if (stage == PipelineStage::mesh) {
    expect_within("most_vertices", desc.most_vertices, 1, 256);
    expect_within("most_primitives", desc.most_primitives, 1, 256);
  }
  if (is_one_of(stage, {PipelineStage::hull, PipelineStage::domain})) {
    expect_within("input_control_points", desc.input_control_points, 1, 32);
    expect_within("domain", desc.domain, D3D_TESSELLATOR_DOMAIN_ISOLINE, D3D_TESSELLATOR_DOMAIN_QUAD);
  }
  if (stage == PipelineStage::hull) {
    expect_within("output_control_points", desc.output_control_points, 1, 32);
    expect_within("partitioning", desc.partitioning, D3D_TESSELLATOR_PARTITIONING_INTEGER,
                  D3D_TESSELLATOR_PARTITIONING_FRACTIONAL_EVEN);
    expect_within("patch_output", desc.patch_output, D3D_TESSELLATOR_OUTPUT_POINT, D3D_TESSELLATOR_OUTPUT_TRIANGLE_CCW);
  }
}

void check_bindings(const std::vector<ShaderBinding>& bindings) {
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    const ShaderBinding& one = bindings[i];
    const std::string field = fmt::format("bindings[{}]", i);
    expect_within(field + ".kind", one.kind, D3D12_DESCRIPTOR_RANGE_TYPE_SRV, D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER);
    expect_within(field + ".last", one.last, one.first, ShaderBinding::unbounded);
    for (std::size_t before = 0; before < i; ++before) {
      const ShaderBinding& other = bindings[before];
      const bool apart =
          one.kind != other.kind || one.space != other.space || one.last < other.first || other.last < one.first;
      if (apart) continue;
      refuse(field, "registers of its own", fmt::format("registers of bindings[{}]", before));
    }
  }
}

/// Semantics of the system, in all upper case, and what the signature calls them.
struct SystemName {
  std::string_view semantic;
  D3D_NAME name;
};
constexpr SystemName system_names[] = {{"SV_POSITION", D3D_NAME_POSITION},
                                       {"SV_CLIPDISTANCE", D3D_NAME_CLIP_DISTANCE},
                                       {"SV_CULLDISTANCE", D3D_NAME_CULL_DISTANCE},
                                       {"SV_RENDERTARGETARRAYINDEX", D3D_NAME_RENDER_TARGET_ARRAY_INDEX},
                                       {"SV_VIEWPORTARRAYINDEX", D3D_NAME_VIEWPORT_ARRAY_INDEX},
                                       {"SV_VERTEXID", D3D_NAME_VERTEX_ID},
                                       {"SV_PRIMITIVEID", D3D_NAME_PRIMITIVE_ID},
                                       {"SV_INSTANCEID", D3D_NAME_INSTANCE_ID},
                                       {"SV_ISFRONTFACE", D3D_NAME_IS_FRONT_FACE},
                                       {"SV_SAMPLEINDEX", D3D_NAME_SAMPLE_INDEX},
                                       {"SV_BARYCENTRICS", D3D_NAME_BARYCENTRICS},
                                       {"SV_SHADINGRATE", D3D_NAME_SHADINGRATE},
                                       {"SV_CULLPRIMITIVE", D3D_NAME_CULLPRIMITIVE},
                                       {"SV_TARGET", D3D_NAME_TARGET},
                                       {"SV_DEPTH", D3D_NAME_DEPTH},
                                       {"SV_COVERAGE", D3D_NAME_COVERAGE},
                                       {"SV_DEPTHGREATEREQUAL", D3D_NAME_DEPTH_GREATER_EQUAL},
                                       {"SV_DEPTHLESSEQUAL", D3D_NAME_DEPTH_LESS_EQUAL},
                                       {"SV_STENCILREF", D3D_NAME_STENCIL_REF},
                                       {"SV_INNERCOVERAGE", D3D_NAME_INNER_COVERAGE}};

D3D_NAME tessellation_factor(D3D_TESSELLATOR_DOMAIN domain, bool inside, std::uint32_t index) {
  switch (domain) {
    case D3D_TESSELLATOR_DOMAIN_QUAD:
      return inside ? D3D_NAME_FINAL_QUAD_INSIDE_TESSFACTOR : D3D_NAME_FINAL_QUAD_EDGE_TESSFACTOR;
    case D3D_TESSELLATOR_DOMAIN_TRI:
      return inside ? D3D_NAME_FINAL_TRI_INSIDE_TESSFACTOR : D3D_NAME_FINAL_TRI_EDGE_TESSFACTOR;
    default: return index == 0 ? D3D_NAME_FINAL_LINE_DENSITY_TESSFACTOR : D3D_NAME_FINAL_LINE_DETAIL_TESSFACTOR;
  }
}

D3D_NAME system_value(const SignatureElement& element, const ShaderDesc& desc) {
  if (same_semantic(element.name, "SV_TessFactor")) return tessellation_factor(desc.domain, false, element.index);
  if (same_semantic(element.name, "SV_InsideTessFactor")) return tessellation_factor(desc.domain, true, element.index);
  for (const SystemName& known : system_names) {
    if (same_semantic(element.name, std::string(known.semantic))) return known.name;
  }
  return D3D_NAME_UNDEFINED;
}

/// Values of the pixel stage that lie in no register.
bool is_apart(D3D_NAME name) { return name >= D3D_NAME_DEPTH && name <= D3D_NAME_INNER_COVERAGE; }

/// Name and index of a semantic as HLSL writes it.
std::pair<std::string, std::uint32_t> split(const std::string& semantic, const std::string& field) {
  constexpr std::size_t longest_name = 64;
  constexpr std::size_t longest_index = 9;
  const auto is_part = [](unsigned char c) { return c < 0x80 && (std::isalnum(c) != 0 || c == '_'); };
  const std::size_t end = semantic.find_last_not_of("0123456789") + 1;  // 0 for nothing but digits
  if (end == 0 || end > longest_name || semantic.size() - end > longest_index ||
      !std::all_of(semantic.begin(), semantic.end(), is_part) || std::isdigit(semantic.front()) != 0) {
    refuse(field + ".semantic", "letters, digits and _, at most 64, and an index of at most 9 digits",
           fmt::format("\"{}\"", semantic));
  }
  return {semantic.substr(0, end), end == semantic.size() ? 0 : std::stoul(semantic.substr(end))};
}

/// Turns a list into signature elements, one by one, and holds each against those before it.
class Signature {
 public:
  Signature(PipelineStage stage, const ShaderDesc& desc, const char* list, bool outputs)
      : stage_(stage), desc_(desc), list_(list), outputs_(outputs) {}

  void add(const ShaderElement& from) {
    const std::string field = fmt::format("{}[{}]", list_, elements_.size());
    SignatureElement element;
    std::tie(element.name, element.index) = split(from.semantic, field);
    expect_within(field + ".components", from.components, 1, 4);
    expect_within(field + ".first_component", from.first_component, 0, 4 - from.components);
    expect_within(field + ".type", from.type, D3D_REGISTER_COMPONENT_UINT32, D3D_REGISTER_COMPONENT_FLOAT32);
    expect_within(field + ".stream", from.stream, 0, stage_ == PipelineStage::geometry && outputs_ ? 3 : 0);
    const D3D_NAME name = system_value(element, desc_);
    element.stream = from.stream;
    element.system_value = is_vertex_attribute() ? vertex_value(name) : name;
    element.component_type = from.type;
    element.mask = static_cast<std::uint8_t>(((1U << from.components) - 1) << from.first_component);
    element.used_mask = outputs_ ? 0 : element.mask;  // all are read, none is left unwritten
    element.reg = register_of(from, element, name, field);
    check_against_others(element, field);
    elements_.push_back(std::move(element));
  }
  const std::vector<SignatureElement>& elements() const { return elements_; }

 private:
  bool is_vertex_attribute() const { return stage_ == PipelineStage::vertex && !outputs_; }
  /// Of what comes from vertex buffers the signature calls nothing a system value.
  static D3D_NAME vertex_value(D3D_NAME name) {
    return name == D3D_NAME_VERTEX_ID || name == D3D_NAME_INSTANCE_ID ? name : D3D_NAME_UNDEFINED;
  }

  std::uint32_t register_of(const ShaderElement& from, const SignatureElement& element, D3D_NAME name,
                            const std::string& field) {
    if (stage_ == PipelineStage::pixel && is_apart(name)) return no_register;
    const bool target = stage_ == PipelineStage::pixel && outputs_;
    if (target && name != D3D_NAME_TARGET) refuse(field + ".semantic", "a pixel shader's output", from.semantic);
    const std::uint32_t reg = from.reg.value_or(target ? element.index : next_);
    if (target) expect_within(field + ".reg", reg, element.index, element.index);
    expect_within(field + ".reg", reg, 0, (target ? D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT : signature_registers) - 1);
    next_ = reg + 1;
    return reg;
  }

  void check_against_others(const SignatureElement& element, const std::string& field) const {
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const SignatureElement& other = elements_[i];
      if (other.stream != element.stream) continue;
      if (other.index == element.index && same_semantic(other.name, element.name)) {
        refuse(field, "a semantic of its own",
               fmt::format("{}{} again, as in {}[{}]", element.name, element.index, list_, i));
      }
      if (element.reg != no_register && other.reg == element.reg && (other.mask & element.mask) != 0) {
        refuse(field, "components of its own", fmt::format("register {} of {}[{}]", element.reg, list_, i));
      }
    }
  }

  PipelineStage stage_;
  const ShaderDesc& desc_;
  const char* list_;
  bool outputs_;
  std::vector<SignatureElement> elements_;
  std::uint32_t next_ = 0;
};

std::string signature_of(PipelineStage stage, const ShaderDesc& desc, const char* list, const Elements& elements,
                         bool outputs) {
  Signature signature(stage, desc, list, outputs);
  for (const ShaderElement& element : elements) signature.add(element);
  return signature_part(signature.elements());
}

void expect_none(PipelineStage stage, const char* list, const Elements& elements) {
  if (elements.empty()) return;
  refuse(list, fmt::format("none of a shader of the {} stage", name_of(stage)), fmt::format("{}", elements.size()));
}

/// The counts of D3D11_SHADER_DESC that engines/command/shader_stat.hpp reads, in the compiler's order.
std::string stat_part(const ShaderDesc& desc) {
  std::array<std::uint32_t, 37> counts{};
  constexpr std::uint32_t components = 4;
  counts[0] = desc.alu_instructions + desc.sfu_instructions + desc.texture_samples;
  counts[1] = (desc.registers + components - 1) / components;
  counts[4] = desc.alu_instructions + desc.sfu_instructions;
  counts[14] = desc.texture_samples;
  BlobWriter out;
  for (const std::uint32_t count : counts) out << count;
  return out.bytes();
}

std::string own_part(const ShaderDesc& desc) {
  const std::uint32_t version = desc.code_instructions > 0 ? 2 : 1;
  BlobWriter out;
  out << version << desc.alu_instructions << desc.sfu_instructions << desc.texture_samples << desc.shared_accesses
      << desc.registers;
  if (version > 1) out << desc.code_instructions;
  return out.bytes();
}

}  // namespace

std::string shader(PipelineStage stage, const ShaderDesc& desc) {
  if (static_cast<std::size_t>(stage) >= pipeline_stages) {
    refuse("stage", "a pipeline stage", fmt::format("{}", static_cast<int>(stage)));
  }
  check_cost(desc);
  check_stage(stage, desc);
  check_bindings(desc.bindings);
  const bool has_patches = is_one_of(stage, {PipelineStage::hull, PipelineStage::domain, PipelineStage::mesh});
  if (has_group(stage)) expect_none(stage, "inputs", desc.inputs);
  if (has_group(stage) && stage != PipelineStage::mesh) expect_none(stage, "outputs", desc.outputs);
  if (!has_patches) expect_none(stage, "patch_constants", desc.patch_constants);

  std::vector<std::pair<std::string_view, std::string>> parts = {
      {"ISG1", signature_of(stage, desc, "inputs", desc.inputs, false)},
      {"OSG1", signature_of(stage, desc, "outputs", desc.outputs, true)}};
  if (has_patches) {
    const bool outputs = stage != PipelineStage::domain;
    parts.emplace_back("PSG1", signature_of(stage, desc, "patch_constants", desc.patch_constants, outputs));
  }
  if (is_one_of(stage, {PipelineStage::amplification, PipelineStage::mesh})) {
    parts.emplace_back("PSV0", validation_part(stage, desc));
    parts.emplace_back("DXIL", empty_dxil_part(stage));
  } else {
    parts.emplace_back("SHEX", code_part(stage, desc));
    parts.emplace_back("STAT", stat_part(desc));
  }
  parts.emplace_back("FNCL", own_part(desc));
  return write_dxbc(parts);
}

}  // namespace fenceline::d3d12
