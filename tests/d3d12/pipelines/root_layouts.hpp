// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/dxbc/dxbc_hash.hpp"
#include "api/d3d12/root/root_layout.hpp"
#include "api/d3d12/root/root_rules.hpp"
#include "api/d3d12/root/root_signature_blob.hpp"
#include "tests/support/dxbc_builder.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace fenceline::testing {

using d3d12::check_root_layout;
using d3d12::DxbcHash;
using d3d12::root_layout;
using d3d12::RootLayout;
using d3d12::serialize_root_signature;
using d3d12::Verdict;

constexpr auto append = D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND;
constexpr UINT unbounded = ~0U;

inline D3D12_ROOT_PARAMETER1 view(D3D12_ROOT_PARAMETER_TYPE type, UINT reg, UINT space = 0, UINT flags = 0,
                                  D3D12_SHADER_VISIBILITY visibility = D3D12_SHADER_VISIBILITY_ALL) {
  D3D12_ROOT_PARAMETER1 parameter{};
  parameter.ParameterType = type;
  parameter.Descriptor = {reg, space, static_cast<D3D12_ROOT_DESCRIPTOR_FLAGS>(flags)};
  parameter.ShaderVisibility = visibility;
  return parameter;
}

inline D3D12_ROOT_PARAMETER1 constants(UINT reg, UINT space, UINT count) {
  D3D12_ROOT_PARAMETER1 parameter{};
  parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  parameter.Constants = {reg, space, count};
  return parameter;
}

inline D3D12_ROOT_PARAMETER1 table(const std::vector<D3D12_DESCRIPTOR_RANGE1>& ranges,
                                   D3D12_SHADER_VISIBILITY visibility = D3D12_SHADER_VISIBILITY_ALL) {
  D3D12_ROOT_PARAMETER1 parameter{};
  parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
  parameter.DescriptorTable = {static_cast<UINT>(ranges.size()), ranges.data()};
  parameter.ShaderVisibility = visibility;
  return parameter;
}

inline D3D12_DESCRIPTOR_RANGE1 range(D3D12_DESCRIPTOR_RANGE_TYPE type, UINT count, UINT reg, UINT space = 0,
                                     UINT flags = 0, UINT offset = append) {
  return {type, count, reg, space, static_cast<D3D12_DESCRIPTOR_RANGE_FLAGS>(flags), offset};
}

constexpr auto srv = D3D12_DESCRIPTOR_RANGE_TYPE_SRV;
constexpr auto uav = D3D12_DESCRIPTOR_RANGE_TYPE_UAV;
constexpr auto cbv = D3D12_DESCRIPTOR_RANGE_TYPE_CBV;
constexpr auto sampler = D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER;

inline D3D12_STATIC_SAMPLER_DESC static_sampler(UINT reg, UINT space = 0) {
  D3D12_STATIC_SAMPLER_DESC desc{};
  desc.Filter = D3D12_FILTER_ANISOTROPIC;
  desc.AddressU = desc.AddressV = desc.AddressW = D3D12_TEXTURE_ADDRESS_MODE_WRAP;
  desc.MaxAnisotropy = 16;
  desc.ComparisonFunc = D3D12_COMPARISON_FUNC_LESS_EQUAL;
  desc.BorderColor = D3D12_STATIC_BORDER_COLOR_OPAQUE_WHITE;
  desc.MaxLOD = std::numeric_limits<float>::max();
  desc.ShaderRegister = reg;
  desc.RegisterSpace = space;
  return desc;
}

inline RootLayout layout(const std::vector<D3D12_ROOT_PARAMETER1>& parameters,
                         const std::vector<D3D12_STATIC_SAMPLER_DESC>& samplers = {}, UINT flags = 0) {
  D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc{};
  desc.Version = D3D_ROOT_SIGNATURE_VERSION_1_1;
  desc.Desc_1_1 = {static_cast<UINT>(parameters.size()), parameters.data(), static_cast<UINT>(samplers.size()),
                   samplers.data(), static_cast<D3D12_ROOT_SIGNATURE_FLAGS>(flags)};
  return std::get<RootLayout>(root_layout(desc));
}

inline RootLayout as_version_1_0(RootLayout layout) {
  layout.version = D3D_ROOT_SIGNATURE_VERSION_1_0;
  return layout;
}

inline DxbcHash hash_in(const std::string& container) {
  DxbcHash hash{};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] = dxbc_number(container, 4 + 4 * i);
  return hash;
}

inline std::string complaint(const RootLayout& layout) {
  const Verdict verdict = check_root_layout(layout);
  CHECK((verdict.ok() || verdict.result == E_INVALIDARG));
  return verdict.message;
}

inline bool valid(const RootLayout& layout) { return complaint(layout).empty(); }

/// All that two layouts say, as bytes of version 1.1.
inline bool same(RootLayout a, RootLayout b) {
  a.version = b.version = D3D_ROOT_SIGNATURE_VERSION_1_1;
  return serialize_root_signature(a) == serialize_root_signature(b);
}

}  // namespace fenceline::testing
