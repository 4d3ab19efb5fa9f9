// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/draw_outputs.hpp"

#include <algorithm>

namespace fenceline::d3d12 {
namespace {

bool writes(const D3D12_DEPTH_STENCILOP_DESC1& face) {
  return face.StencilWriteMask != 0 &&
         (face.StencilFailOp != D3D12_STENCIL_OP_KEEP || face.StencilDepthFailOp != D3D12_STENCIL_OP_KEEP ||
          face.StencilPassOp != D3D12_STENCIL_OP_KEEP);
}

}  // namespace

DrawOutputs draw_outputs(const PipelineDesc& desc) {
  DrawOutputs outputs;
  const UINT targets = desc.has(PipelineStage::pixel) ? desc.targets.NumRenderTargets : 0;
  for (UINT i = 0; i < std::min<UINT>(targets, D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT); ++i) {
    const D3D12_RENDER_TARGET_BLEND_DESC& blend =
        desc.blend.RenderTarget[desc.blend.IndependentBlendEnable != FALSE ? i : 0];
    const bool keeps = blend.LogicOpEnable != FALSE && blend.LogicOp == D3D12_LOGIC_OP_NOOP;
    if (desc.targets.RTFormats[i] == DXGI_FORMAT_UNKNOWN || blend.RenderTargetWriteMask == 0 || keeps) continue;
    outputs.colors = static_cast<std::uint8_t>(outputs.colors | 1U << i);
  }
  const D3D12_DEPTH_STENCIL_DESC2& depth = desc.depth_stencil;
  outputs.reads_depth = depth.DepthEnable != FALSE;
  outputs.writes_depth = outputs.reads_depth && depth.DepthWriteMask == D3D12_DEPTH_WRITE_MASK_ALL;
  outputs.reads_stencil = depth.StencilEnable != FALSE;
  outputs.writes_stencil = outputs.reads_stencil && (writes(depth.FrontFace) || writes(depth.BackFace));
  return outputs;
}

}  // namespace fenceline::d3d12
