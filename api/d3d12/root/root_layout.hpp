// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/formats/resource_desc.hpp"

#include <cstdint>
#include <variant>
#include <vector>

namespace fenceline::d3d12 {

/// A root parameter with its own ranges. Which members count says the type.
struct RootParameter {
  D3D12_ROOT_PARAMETER_TYPE type = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
  D3D12_SHADER_VISIBILITY visibility = D3D12_SHADER_VISIBILITY_ALL;
  std::vector<D3D12_DESCRIPTOR_RANGE1> ranges;
  D3D12_ROOT_CONSTANTS constants{};
  D3D12_ROOT_DESCRIPTOR1 descriptor{};
};

/// What a root signature says, as version 1.1 says it.
struct RootLayout {
  D3D_ROOT_SIGNATURE_VERSION version = D3D_ROOT_SIGNATURE_VERSION_1_1;  ///< which it was written as
  std::vector<RootParameter> parameters;
  std::vector<D3D12_STATIC_SAMPLER_DESC> static_samplers;
  D3D12_ROOT_SIGNATURE_FLAGS flags = D3D12_ROOT_SIGNATURE_FLAG_NONE;
};

/// What version 1.0 means by a range of that type: nothing about it is static.
D3D12_DESCRIPTOR_RANGE_FLAGS flags_of_version_1_0(D3D12_DESCRIPTOR_RANGE_TYPE type);
/// What version 1.0 means by a root descriptor: what it points to is volatile.
D3D12_ROOT_DESCRIPTOR_FLAGS descriptor_flags_of_version_1_0();

/// A copy of the description. E_INVALIDARG for a version other than 1.0 and 1.1, a null pointer to something, and a
/// parameter type that does not exist.
std::variant<RootLayout, Verdict> root_layout(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC& desc);

/// 32-bit values of root arguments: 1 of a table, 2 of a descriptor, and the constants.
std::uint64_t root_cost(const RootParameter& parameter);
std::uint64_t root_cost(const RootLayout& layout);

/// The layout as the structures of both versions, which point into it. Cannot be moved.
class RootDescs {
 public:
  explicit RootDescs(const RootLayout& layout);
  RootDescs(const RootDescs&) = delete;
  RootDescs& operator=(const RootDescs&) = delete;

  const D3D12_VERSIONED_ROOT_SIGNATURE_DESC& version_1_0() const { return desc_1_0_; }
  const D3D12_VERSIONED_ROOT_SIGNATURE_DESC& version_1_1() const { return desc_1_1_; }

 private:
  const RootLayout layout_;
  std::vector<std::vector<D3D12_DESCRIPTOR_RANGE>> ranges_1_0_;
  std::vector<D3D12_ROOT_PARAMETER> parameters_1_0_;
  std::vector<D3D12_ROOT_PARAMETER1> parameters_1_1_;
  D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc_1_0_{};
  D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc_1_1_{};
};

}  // namespace fenceline::d3d12
