// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/root/root_layout.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {
namespace {

D3D12_DESCRIPTOR_RANGE1 newer(const D3D12_DESCRIPTOR_RANGE& range) {
  return {range.RangeType,
          range.NumDescriptors,
          range.BaseShaderRegister,
          range.RegisterSpace,
          flags_of_version_1_0(range.RangeType),
          range.OffsetInDescriptorsFromTableStart};
}
D3D12_DESCRIPTOR_RANGE1 newer(const D3D12_DESCRIPTOR_RANGE1& range) { return range; }

D3D12_ROOT_DESCRIPTOR1 newer(const D3D12_ROOT_DESCRIPTOR& descriptor) {
  return {descriptor.ShaderRegister, descriptor.RegisterSpace, descriptor_flags_of_version_1_0()};
}
D3D12_ROOT_DESCRIPTOR1 newer(const D3D12_ROOT_DESCRIPTOR1& descriptor) { return descriptor; }

template <class Parameter>
Verdict read_parameter(const Parameter& from, std::uint32_t index, RootParameter& to) {
  to.type = from.ParameterType;
  to.visibility = from.ShaderVisibility;
  switch (from.ParameterType) {
    case D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE: {
      const auto& table = from.DescriptorTable;
      if (table.NumDescriptorRanges != 0 && table.pDescriptorRanges == nullptr) {
        return invalid("parameter {}: {} ranges at null", index, table.NumDescriptorRanges);
      }
      for (UINT i = 0; i < table.NumDescriptorRanges; ++i) to.ranges.push_back(newer(table.pDescriptorRanges[i]));
      return {};
    }
    case D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS: to.constants = from.Constants; return {};
    case D3D12_ROOT_PARAMETER_TYPE_CBV:
    case D3D12_ROOT_PARAMETER_TYPE_SRV:
    case D3D12_ROOT_PARAMETER_TYPE_UAV: to.descriptor = newer(from.Descriptor); return {};
    default:
      return invalid("parameter {}: ParameterType: expected DESCRIPTOR_TABLE to UAV, found {}", index,
                     static_cast<UINT>(from.ParameterType));
  }
}

template <class Desc>
Verdict read_desc(const Desc& desc, RootLayout& layout) {
  if (desc.NumParameters != 0 && desc.pParameters == nullptr) {
    return invalid("{} parameters at null", desc.NumParameters);
  }
  if (desc.NumStaticSamplers != 0 && desc.pStaticSamplers == nullptr) {
    return invalid("{} static samplers at null", desc.NumStaticSamplers);
  }
  for (UINT i = 0; i < desc.NumParameters; ++i) {
    Verdict verdict = read_parameter(desc.pParameters[i], i, layout.parameters.emplace_back());
    if (!verdict.ok()) return verdict;
  }
  for (UINT i = 0; i < desc.NumStaticSamplers; ++i) layout.static_samplers.push_back(desc.pStaticSamplers[i]);
  layout.flags = desc.Flags;
  return {};
}

}  // namespace

D3D12_DESCRIPTOR_RANGE_FLAGS flags_of_version_1_0(D3D12_DESCRIPTOR_RANGE_TYPE type) {
  const UINT sampler = D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE;
  const UINT flags =
      type == D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER ? sampler : sampler | D3D12_DESCRIPTOR_RANGE_FLAG_DATA_VOLATILE;
  return static_cast<D3D12_DESCRIPTOR_RANGE_FLAGS>(flags);
}

D3D12_ROOT_DESCRIPTOR_FLAGS descriptor_flags_of_version_1_0() { return D3D12_ROOT_DESCRIPTOR_FLAG_DATA_VOLATILE; }

std::variant<RootLayout, Verdict> root_layout(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC& desc) {
  RootLayout layout;
  layout.version = desc.Version;
  Verdict verdict;
  switch (desc.Version) {
    case D3D_ROOT_SIGNATURE_VERSION_1_0: verdict = read_desc(desc.Desc_1_0, layout); break;
    case D3D_ROOT_SIGNATURE_VERSION_1_1: verdict = read_desc(desc.Desc_1_1, layout); break;
    default: verdict = invalid("Version: expected 1.0 or 1.1, found {}", static_cast<UINT>(desc.Version)); break;
  }
  if (!verdict.ok()) return verdict;
  return layout;
}

std::uint64_t root_cost(const RootParameter& parameter) {
  switch (parameter.type) {
    case D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE: return 1;
    case D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS: return parameter.constants.Num32BitValues;
    default: return 2;
  }
}

std::uint64_t root_cost(const RootLayout& layout) {
  std::uint64_t cost = 0;
  for (const RootParameter& parameter : layout.parameters) cost += root_cost(parameter);
  return cost;
}

RootDescs::RootDescs(const RootLayout& layout) : layout_(layout) {
  const std::size_t count = layout_.parameters.size();
  ranges_1_0_.resize(count);
  parameters_1_0_.resize(count);
  parameters_1_1_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const RootParameter& from = layout_.parameters[i];
    D3D12_ROOT_PARAMETER& old = parameters_1_0_[i];
    D3D12_ROOT_PARAMETER1& now = parameters_1_1_[i];
    old.ParameterType = now.ParameterType = from.type;
    old.ShaderVisibility = now.ShaderVisibility = from.visibility;
    switch (from.type) {
      case D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE:
        for (const D3D12_DESCRIPTOR_RANGE1& range : from.ranges) {
          ranges_1_0_[i].push_back({range.RangeType, range.NumDescriptors, range.BaseShaderRegister,
                                    range.RegisterSpace, range.OffsetInDescriptorsFromTableStart});
        }
        old.DescriptorTable = {static_cast<UINT>(from.ranges.size()), ranges_1_0_[i].data()};
        now.DescriptorTable = {static_cast<UINT>(from.ranges.size()), from.ranges.data()};
        break;
      case D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS: old.Constants = now.Constants = from.constants; break;
      default:
        old.Descriptor = {from.descriptor.ShaderRegister, from.descriptor.RegisterSpace};
        now.Descriptor = from.descriptor;
        break;
    }
  }
  const auto samplers = static_cast<UINT>(layout_.static_samplers.size());
  desc_1_0_.Version = D3D_ROOT_SIGNATURE_VERSION_1_0;
  desc_1_0_.Desc_1_0 = {static_cast<UINT>(count), parameters_1_0_.data(), samplers, layout_.static_samplers.data(),
                        layout_.flags};
  desc_1_1_.Version = D3D_ROOT_SIGNATURE_VERSION_1_1;
  desc_1_1_.Desc_1_1 = {static_cast<UINT>(count), parameters_1_1_.data(), samplers, layout_.static_samplers.data(),
                        layout_.flags};
}

}  // namespace fenceline::d3d12
