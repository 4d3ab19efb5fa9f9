// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/shaders/pipeline_linkage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cctype>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {
namespace {

using Elements = std::vector<SignatureElement>;
constexpr std::uint32_t no_register = ~std::uint32_t{0};

bool is_semantic(const SignatureElement& element, const char* name) { return same_semantic(element.name, name); }

bool is_system_semantic(const SignatureElement& element) { return same_semantic(element.name.substr(0, 3), "SV_"); }

/// Values that the hardware makes for a stage, and that nobody has to put out.
bool is_made(const SignatureElement& input, PipelineStage from) {
  if (input.reg == no_register) return true;
  if (!is_system_semantic(input)) return false;
  for (const char* const passed_on : {"SV_Position", "SV_ClipDistance", "SV_CullDistance"}) {
    if (is_semantic(input, passed_on)) return false;
  }
  const bool own_primitives = from == PipelineStage::geometry || from == PipelineStage::mesh;
  return !(own_primitives && is_semantic(input, "SV_PrimitiveID"));
}

const SignatureElement* find(const Elements& elements, const SignatureElement& semantic) {
  const auto found = std::find_if(elements.begin(), elements.end(), [&](const SignatureElement& one) {
    return one.stream == 0 && one.index == semantic.index && same_semantic(one.name, semantic.name);
  });
  return found == elements.end() ? nullptr : &*found;
}

unsigned components(std::uint8_t mask) { return static_cast<unsigned>(std::bitset<8>(mask).count()); }

bool types_differ(const SignatureElement& one, const SignatureElement& other) {
  return one.component_type != 0 && other.component_type != 0 && one.component_type != other.component_type;
}

/// Where two stages meet.
struct Seam {
  PipelineStage from;
  PipelineStage to;
};

PipelineProblem broken(const Seam& seam, D3D12_MESSAGE_ID id, const SignatureElement& element, const char* what) {
  return {id, fmt::format("{} shader to {} shader: semantic {}{}: {}", name_of(seam.from), name_of(seam.to),
                          element.name, element.index, what)};
}

std::optional<PipelineProblem> check_input(const Seam& seam, const Elements& outputs, const SignatureElement& input) {
  const auto wrong = [&](D3D12_MESSAGE_ID id, const char* what) { return broken(seam, id, input, what); };
  const SignatureElement* const output = find(outputs, input);
  if (output == nullptr) {
    if (is_made(input, seam.from)) return {};
    return wrong(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_SEMANTICNAME_NOT_FOUND,
                 "expected it among what comes in, found none");
  }
  if (seam.from == PipelineStage::mesh) {
    if (components(output->mask) != components(input.mask)) {
      return wrong(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_MS_NOT_PS_MISMATCH,
                   "expected as many components as are put out");
    }
  } else {
    if (output->reg != input.reg) {
      return wrong(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_REGISTERINDEX,
                   "expected it in the same register");
    }
    if ((input.mask & ~output->mask) != 0) {
      return wrong(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_REGISTERMASK,
                   "expected components that are put out");
    }
  }
  if (types_differ(*output, input)) {
    return wrong(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_COMPONENTTYPE,
                 "expected components of the same type");
  }
  if (output->min_precision != input.min_precision) {
    return wrong(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_MINPRECISION,
                 "expected the same minimum precision");
  }
  return {};
}

/// Every element of one is in the other as it is.
std::optional<PipelineProblem> check_same(const Elements& some, const Elements& others) {
  const Seam seam{PipelineStage::hull, PipelineStage::domain};
  for (const SignatureElement& one : some) {
    if (one.reg == no_register) continue;
    const SignatureElement* const other = find(others, one);
    const bool same = other != nullptr && other->reg == one.reg && other->mask == one.mask &&
                      !types_differ(*other, one) && other->min_precision == one.min_precision;
    if (same) continue;
    return broken(seam, D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_HS_DS_SIGNATURE_MISMATCH, one,
                  "expected the same element on both sides");
  }
  return {};
}

std::optional<PipelineProblem> check_patches(const ShaderBytecode& hull, const ShaderBytecode& domain) {
  if (hull.has_outputs && domain.has_inputs) {
    if (auto problem = check_same(hull.outputs, domain.inputs)) return problem;
    if (auto problem = check_same(domain.inputs, hull.outputs)) return problem;
  }
  if (hull.has_patch_constants && domain.has_patch_constants) {
    if (auto problem = check_same(hull.patch_constants, domain.patch_constants)) return problem;
    if (auto problem = check_same(domain.patch_constants, hull.patch_constants)) return problem;
  }
  return {};
}

std::optional<PipelineProblem> check_seam(const Seam& seam, const ShaderBytecode& from, const ShaderBytecode& to) {
  if (!from.has_outputs || !to.has_inputs) return {};
  Elements outputs = from.outputs;
  if (seam.from == PipelineStage::mesh) {
    outputs.insert(outputs.end(), from.patch_constants.begin(), from.patch_constants.end());
  }
  for (const SignatureElement& input : to.inputs) {
    if (auto problem = check_input(seam, outputs, input)) return problem;
  }
  return {};
}

/// Without a position nothing can be rasterized.
std::optional<PipelineProblem> missing_position(const PipelineDesc& desc, const PipelineShaders& shaders) {
  const ShaderBytecode* const last = shaders.before_rasterizer();
  const bool depth =
      (desc.depth_stencil.DepthEnable || desc.depth_stencil.StencilEnable) && desc.depth_format != DXGI_FORMAT_UNKNOWN;
  const bool needed = desc.rasterizes() && (depth || shaders[PipelineStage::pixel] != nullptr);
  if (!needed || last == nullptr || !last->has_outputs) return {};
  const auto is_position = [](const SignatureElement& element) { return is_semantic(element, "SV_Position"); };
  if (std::any_of(last->outputs.begin(), last->outputs.end(), is_position)) return {};
  return PipelineProblem{D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_POSITION_NOT_PRESENT,
                         "expected SV_Position from the last shader before the rasterizer, found none"};
}

/// Points, lines or triangles, as a D3D_PRIMITIVE without adjacency.
std::uint32_t primitive_of(D3D12_PRIMITIVE_TOPOLOGY_TYPE topology) {
  switch (topology) {
    case D3D12_PRIMITIVE_TOPOLOGY_TYPE_POINT: return D3D_PRIMITIVE_POINT;
    case D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE: return D3D_PRIMITIVE_LINE;
    case D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE: return D3D_PRIMITIVE_TRIANGLE;
    default: return D3D_PRIMITIVE_UNDEFINED;
  }
}

std::uint32_t without_adjacency(std::uint32_t primitive) {
  if (primitive == D3D_PRIMITIVE_LINE_ADJ) return D3D_PRIMITIVE_LINE;
  if (primitive == D3D_PRIMITIVE_TRIANGLE_ADJ) return D3D_PRIMITIVE_TRIANGLE;
  return primitive;
}

std::uint32_t primitive_of_tessellator(std::uint32_t output) {
  switch (output) {
    case D3D_TESSELLATOR_OUTPUT_POINT: return D3D_PRIMITIVE_POINT;
    case D3D_TESSELLATOR_OUTPUT_LINE: return D3D_PRIMITIVE_LINE;
    case D3D_TESSELLATOR_OUTPUT_TRIANGLE_CW:
    case D3D_TESSELLATOR_OUTPUT_TRIANGLE_CCW: return D3D_PRIMITIVE_TRIANGLE;
    default: return D3D_PRIMITIVE_UNDEFINED;
  }
}

bool differ(std::uint32_t one, std::uint32_t other) { return one != 0 && other != 0 && one != other; }

}  // namespace

bool same_semantic(const std::string& one, const std::string& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](unsigned char a, unsigned char b) { return std::toupper(a) == std::toupper(b); });
}

std::optional<PipelineProblem> check_linkage(const PipelineDesc& desc, const PipelineShaders& shaders) {
  const ShaderBytecode* from = nullptr;
  PipelineStage from_stage{};
  for (const auto stage : {PipelineStage::mesh, PipelineStage::vertex, PipelineStage::hull, PipelineStage::domain,
                           PipelineStage::geometry, PipelineStage::pixel}) {
    const ShaderBytecode* const to = shaders[stage];
    if (to == nullptr) continue;
    // Of a geometry shader's other streams it is not known what the pixel shader may read.
    const bool reached = stage != PipelineStage::pixel || desc.stream_output.RasterizedStream == 0;
    if (from != nullptr && reached) {
      auto problem =
          stage == PipelineStage::domain ? check_patches(*from, *to) : check_seam({from_stage, stage}, *from, *to);
      if (problem) return problem;
    }
    from = to;
    from_stage = stage;
  }
  // Of a geometry shader drivers take it.
  return shaders[PipelineStage::geometry] == nullptr ? missing_position(desc, shaders) : std::nullopt;
}

std::optional<PipelineProblem> check_topology(const PipelineDesc& desc, const PipelineShaders& shaders) {
  const ShaderBytecode* const hull = shaders[PipelineStage::hull];
  const ShaderBytecode* const domain = shaders[PipelineStage::domain];
  const ShaderBytecode* const geometry = shaders[PipelineStage::geometry];
  if (hull != nullptr && domain != nullptr) {
    if (differ(hull->declarations.output_control_points, domain->declarations.input_control_points)) {
      return PipelineProblem{
          D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_HS_DS_CONTROL_POINT_COUNT_MISMATCH,
          fmt::format("the domain shader takes {} control points and the hull shader puts out {}",
                      domain->declarations.input_control_points, hull->declarations.output_control_points)};
    }
    if (differ(hull->declarations.tessellator_domain, domain->declarations.tessellator_domain)) {
      return PipelineProblem{D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_HS_DS_TESSELLATOR_DOMAIN_MISMATCH,
                             "expected hull and domain shader of one tessellator domain, found two"};
    }
  }
  if (geometry == nullptr) return {};
  const std::uint32_t taken = geometry->declarations.input_primitive;
  // Behind the tessellator there is no adjacency.
  const bool mismatch = hull != nullptr ? differ(taken, primitive_of_tessellator(hull->declarations.tessellator_output))
                                        : differ(without_adjacency(taken), primitive_of(desc.topology));
  if (!mismatch) return {};
  return PipelineProblem{D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_GS_INPUT_PRIMITIVE_MISMATCH,
                         fmt::format("the geometry shader takes primitives of type {}, which do not come in", taken)};
}

std::optional<PipelineProblem> linkage_warning(const PipelineDesc& desc, const PipelineShaders& shaders) {
  if (desc.kind != PipelineKind::graphics) return {};
  const bool known = desc.topology != D3D12_PRIMITIVE_TOPOLOGY_TYPE_UNDEFINED;
  if (shaders[PipelineStage::hull] != nullptr && known && desc.topology != D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH) {
    return PipelineProblem{D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_HULL_SHADER_INPUT_TOPOLOGY_MISMATCH,
                           "a hull shader takes patches: expected the primitive topology type PATCH"};
  }
  return shaders[PipelineStage::geometry] != nullptr ? missing_position(desc, shaders) : std::nullopt;
}

}  // namespace fenceline::d3d12
