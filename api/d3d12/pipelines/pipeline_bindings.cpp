// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/pipeline_bindings.hpp"

#include "api/d3d12/pipelines/pipeline_input_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {
namespace {

constexpr std::uint32_t unbounded = ShaderBinding::unbounded;

/// What a stage has of a root signature.
struct StageAccess {
  D3D12_SHADER_VISIBILITY visibility;
  UINT deny;  ///< the flag that takes it away
  D3D12_MESSAGE_ID mismatch;
};

StageAccess access_of(PipelineStage stage) {
  switch (stage) {
    case PipelineStage::vertex:
      return {D3D12_SHADER_VISIBILITY_VERTEX, D3D12_ROOT_SIGNATURE_FLAG_DENY_VERTEX_SHADER_ROOT_ACCESS,
              D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_VS_ROOT_SIGNATURE_MISMATCH};
    case PipelineStage::hull:
      return {D3D12_SHADER_VISIBILITY_HULL, D3D12_ROOT_SIGNATURE_FLAG_DENY_HULL_SHADER_ROOT_ACCESS,
              D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_HS_ROOT_SIGNATURE_MISMATCH};
    case PipelineStage::domain:
      return {D3D12_SHADER_VISIBILITY_DOMAIN, D3D12_ROOT_SIGNATURE_FLAG_DENY_DOMAIN_SHADER_ROOT_ACCESS,
              D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_DS_ROOT_SIGNATURE_MISMATCH};
    case PipelineStage::geometry:
      return {D3D12_SHADER_VISIBILITY_GEOMETRY, D3D12_ROOT_SIGNATURE_FLAG_DENY_GEOMETRY_SHADER_ROOT_ACCESS,
              D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_GS_ROOT_SIGNATURE_MISMATCH};
    case PipelineStage::pixel:
      return {D3D12_SHADER_VISIBILITY_PIXEL, D3D12_ROOT_SIGNATURE_FLAG_DENY_PIXEL_SHADER_ROOT_ACCESS,
              D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_PS_ROOT_SIGNATURE_MISMATCH};
    case PipelineStage::amplification:
      return {D3D12_SHADER_VISIBILITY_AMPLIFICATION, D3D12_ROOT_SIGNATURE_FLAG_DENY_AMPLIFICATION_SHADER_ROOT_ACCESS,
              D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_AS_ROOT_SIGNATURE_MISMATCH};
    case PipelineStage::mesh:
      return {D3D12_SHADER_VISIBILITY_MESH, D3D12_ROOT_SIGNATURE_FLAG_DENY_MESH_SHADER_ROOT_ACCESS,
              D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_MS_ROOT_SIGNATURE_MISMATCH};
    case PipelineStage::compute: break;
  }
  return {D3D12_SHADER_VISIBILITY_ALL, 0, D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_CS_ROOT_SIGNATURE_MISMATCH};
}

bool sees(PipelineStage stage, D3D12_SHADER_VISIBILITY visibility) {
  // A compute shader is alone: D3D12 does not heed for whom a parameter is.
  return stage == PipelineStage::compute || visibility == D3D12_SHADER_VISIBILITY_ALL ||
         visibility == access_of(stage).visibility;
}

/// First and last register.
using Registers = std::pair<std::uint32_t, std::uint32_t>;

/// The kind of a parameter that is not a table.
D3D12_DESCRIPTOR_RANGE_TYPE kind_of(D3D12_ROOT_PARAMETER_TYPE type) {
  if (type == D3D12_ROOT_PARAMETER_TYPE_SRV) return D3D12_DESCRIPTOR_RANGE_TYPE_SRV;
  if (type == D3D12_ROOT_PARAMETER_TYPE_UAV) return D3D12_DESCRIPTOR_RANGE_TYPE_UAV;
  return D3D12_DESCRIPTOR_RANGE_TYPE_CBV;
}

/// First and last register of a range.
Registers registers_of(const D3D12_DESCRIPTOR_RANGE1& range) {
  const bool all = range.NumDescriptors > unbounded - range.BaseShaderRegister;
  return {range.BaseShaderRegister, all ? unbounded : range.BaseShaderRegister + range.NumDescriptors - 1};
}

void add_parameter(const RootParameter& parameter, const ShaderBinding& binding, std::vector<Registers>& bound) {
  if (parameter.type == D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE) {
    for (const D3D12_DESCRIPTOR_RANGE1& range : parameter.ranges) {
      if (range.RangeType != binding.kind || range.RegisterSpace != binding.space || range.NumDescriptors == 0)
        continue;
      bound.push_back(registers_of(range));
    }
    return;
  }
  if (kind_of(parameter.type) != binding.kind) return;
  const bool constants = parameter.type == D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  const UINT space = constants ? parameter.constants.RegisterSpace : parameter.descriptor.RegisterSpace;
  const UINT at = constants ? parameter.constants.ShaderRegister : parameter.descriptor.ShaderRegister;
  if (space == binding.space) bound.emplace_back(at, at);
}

/// One of them has all: an array of descriptors does not go from one range on to the next.
bool cover(const std::vector<Registers>& bound, std::uint32_t first, std::uint32_t last) {
  return std::any_of(bound.begin(), bound.end(),
                     [&](const Registers& range) { return range.first <= first && last <= range.second; });
}

/// What of the parameter's table shows the registers.
void add_reads(UINT parameter, const std::vector<D3D12_DESCRIPTOR_RANGE1>& ranges, const ShaderBinding& binding,
               TableReads& reads) {
  std::uint64_t next = 0;  // descriptor, for ranges that follow the one before them
  for (const D3D12_DESCRIPTOR_RANGE1& range : ranges) {
    const bool follows = range.OffsetInDescriptorsFromTableStart == D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND;
    const std::uint64_t offset = follows ? next : range.OffsetInDescriptorsFromTableStart;
    next = offset + range.NumDescriptors;
    if (range.RangeType != binding.kind || range.RegisterSpace != binding.space || range.NumDescriptors == 0) continue;
    const auto [base, end] = registers_of(range);
    const std::uint32_t first = std::max(base, binding.first);
    const std::uint32_t last = std::min(end, binding.last);
    if (first <= last) reads.push_back({parameter, offset + (first - base), std::uint64_t{last} - first + 1});
  }
}

const char* name_of(D3D12_DESCRIPTOR_RANGE_TYPE kind) {
  constexpr const char* names[] = {"SRV", "UAV", "CBV", "sampler"};
  return names[kind];
}

}  // namespace

bool binds(const RootLayout& root, PipelineStage stage, const ShaderBinding& binding) {
  std::vector<Registers> bound;
  if ((root.flags & access_of(stage).deny) == 0) {
    for (const RootParameter& parameter : root.parameters) {
      if (sees(stage, parameter.visibility)) add_parameter(parameter, binding, bound);
    }
  }
  if (binding.kind == D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER) {
    for (const D3D12_STATIC_SAMPLER_DESC& sampler : root.static_samplers) {
      if (sampler.RegisterSpace != binding.space || !sees(stage, sampler.ShaderVisibility)) continue;
      bound.emplace_back(sampler.ShaderRegister, sampler.ShaderRegister);
    }
  }
  return cover(bound, binding.first, binding.last == unbounded ? binding.first : binding.last);
}

std::optional<PipelineProblem> check_root_signature(const PipelineDesc& desc, const PipelineShaders& shaders,
                                                    const RootLayout& root) {
  constexpr auto missing_flags = D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_MISSING_ROOT_SIGNATURE_FLAGS;
  if (desc.kind == PipelineKind::graphics) {
    const bool vertices = (root.flags & D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT) != 0;
    if (takes_vertices(desc, shaders) && !vertices) {
      return PipelineProblem{missing_flags,
                             "with an input layout the root signature needs ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT"};
    }
    const bool streams = (root.flags & D3D12_ROOT_SIGNATURE_FLAG_ALLOW_STREAM_OUTPUT) != 0;
    if (desc.stream_output.NumEntries > 0 && !streams) {
      return PipelineProblem{missing_flags, "with stream output the root signature needs ALLOW_STREAM_OUTPUT"};
    }
  }
  for (std::size_t i = 0; i < pipeline_stages; ++i) {
    const auto stage = static_cast<PipelineStage>(i);
    const ShaderBytecode* const shader = shaders[stage];
    if (shader == nullptr || !shader->declarations.bindings) continue;
    for (const ShaderBinding& binding : *shader->declarations.bindings) {
      if (binds(root, stage, binding)) continue;
      const std::string last = binding.last == unbounded ? "on" : fmt::format("to {}", binding.last);
      return PipelineProblem{access_of(stage).mismatch,
                             fmt::format("the {} shader's {} registers from {} {} in space {} are not all bound by the "
                                         "root signature",
                                         name_of(stage), name_of(binding.kind), binding.first, last, binding.space)};
    }
  }
  return {};
}

TableReads table_reads(const PipelineShaders& shaders, const RootLayout& root) {
  TableReads reads;
  for (std::size_t i = 0; i < pipeline_stages; ++i) {
    const auto stage = static_cast<PipelineStage>(i);
    const ShaderBytecode* const shader = shaders[stage];
    if (shader == nullptr || !shader->declarations.bindings || (root.flags & access_of(stage).deny) != 0) continue;
    for (const ShaderBinding& binding : *shader->declarations.bindings) {
      if (binding.kind == D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER || binding.last == unbounded) continue;
      for (UINT parameter = 0; parameter < root.parameters.size(); ++parameter) {
        const RootParameter& one = root.parameters[parameter];
        if (one.type != D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE || !sees(stage, one.visibility)) continue;
        add_reads(parameter, one.ranges, binding, reads);
      }
    }
  }
  const auto key = [](const TableRead& one) { return std::tie(one.parameter, one.first, one.count); };
  std::sort(reads.begin(), reads.end(), [&](const TableRead& a, const TableRead& b) { return key(a) < key(b); });
  const auto same = [&](const TableRead& a, const TableRead& b) { return key(a) == key(b); };
  reads.erase(std::unique(reads.begin(), reads.end(), same), reads.end());
  return reads;
}

}  // namespace fenceline::d3d12
