// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <string>

namespace fenceline::testing {

/// Triangles into one target. The code must outlive the description.
inline D3D12_GRAPHICS_PIPELINE_STATE_DESC graphics_desc(const std::string& vertex, const std::string& pixel,
                                                        DXGI_FORMAT target) {
  D3D12_GRAPHICS_PIPELINE_STATE_DESC desc{};
  desc.VS = {vertex.data(), vertex.size()};
  desc.PS = {pixel.data(), pixel.size()};
  desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
  desc.RasterizerState.FillMode = D3D12_FILL_MODE_SOLID;
  desc.RasterizerState.CullMode = D3D12_CULL_MODE_NONE;
  desc.NumRenderTargets = 1;
  desc.RTVFormats[0] = target;
  desc.SampleDesc.Count = 1;
  return desc;
}

}  // namespace fenceline::testing
