// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/shaders/pipeline_desc.hpp"

#include <algorithm>
#include <iterator>

namespace fenceline::d3d12 {

const char* name_of(PipelineStage stage) {
  constexpr const char* names[] = {"vertex", "hull", "domain", "geometry", "amplification", "mesh", "pixel", "compute"};
  static_assert(std::size(names) == pipeline_stages);
  return names[static_cast<std::size_t>(stage)];
}

PipelineDesc::PipelineDesc() {
  for (D3D12_RENDER_TARGET_BLEND_DESC& target : blend.RenderTarget) {
    target = {FALSE,
              FALSE,
              D3D12_BLEND_ONE,
              D3D12_BLEND_ZERO,
              D3D12_BLEND_OP_ADD,
              D3D12_BLEND_ONE,
              D3D12_BLEND_ZERO,
              D3D12_BLEND_OP_ADD,
              D3D12_LOGIC_OP_NOOP,
              D3D12_COLOR_WRITE_ENABLE_ALL};
  }
  rasterizer.FillMode = D3D12_FILL_MODE_SOLID;
  rasterizer.CullMode = D3D12_CULL_MODE_BACK;
  rasterizer.DepthClipEnable = TRUE;
  const D3D12_DEPTH_STENCILOP_DESC1 keep{D3D12_STENCIL_OP_KEEP,           D3D12_STENCIL_OP_KEEP,
                                         D3D12_STENCIL_OP_KEEP,           D3D12_COMPARISON_FUNC_ALWAYS,
                                         D3D12_DEFAULT_STENCIL_READ_MASK, D3D12_DEFAULT_STENCIL_WRITE_MASK};
  depth_stencil = {TRUE, D3D12_DEPTH_WRITE_MASK_ALL, D3D12_COMPARISON_FUNC_LESS, FALSE, keep, keep, FALSE};
}

bool PipelineDesc::has(PipelineStage stage) const {
  const D3D12_SHADER_BYTECODE& bytes = (*this)[stage];
  return bytes.pShaderBytecode != nullptr && bytes.BytecodeLength > 0;
}

D3D12_DEPTH_STENCIL_DESC2 newest_form(const D3D12_DEPTH_STENCIL_DESC1& desc) {
  const auto face = [&](const D3D12_DEPTH_STENCILOP_DESC& one) {
    return D3D12_DEPTH_STENCILOP_DESC1{one.StencilFailOp, one.StencilDepthFailOp, one.StencilPassOp,
                                       one.StencilFunc,   desc.StencilReadMask,   desc.StencilWriteMask};
  };
  return {desc.DepthEnable,    desc.DepthWriteMask,       desc.DepthFunc, desc.StencilEnable, face(desc.FrontFace),
          face(desc.BackFace), desc.DepthBoundsTestEnable};
}

D3D12_DEPTH_STENCIL_DESC2 newest_form(const D3D12_DEPTH_STENCIL_DESC& desc) {
  return newest_form(D3D12_DEPTH_STENCIL_DESC1{desc.DepthEnable, desc.DepthWriteMask, desc.DepthFunc,
                                               desc.StencilEnable, desc.StencilReadMask, desc.StencilWriteMask,
                                               desc.FrontFace, desc.BackFace, FALSE});
}

PipelineDesc pipeline_desc(const D3D12_GRAPHICS_PIPELINE_STATE_DESC& desc) {
  PipelineDesc all;
  all.kind = PipelineKind::graphics;
  all.root_signature = desc.pRootSignature;
  all[PipelineStage::vertex] = desc.VS;
  all[PipelineStage::pixel] = desc.PS;
  all[PipelineStage::domain] = desc.DS;
  all[PipelineStage::hull] = desc.HS;
  all[PipelineStage::geometry] = desc.GS;
  all.stream_output = desc.StreamOutput;
  all.blend = desc.BlendState;
  all.sample_mask = desc.SampleMask;
  all.rasterizer = desc.RasterizerState;
  all.depth_stencil = newest_form(desc.DepthStencilState);
  all.input_layout = desc.InputLayout;
  all.strip_cut = desc.IBStripCutValue;
  all.topology = desc.PrimitiveTopologyType;
  all.targets.NumRenderTargets = desc.NumRenderTargets;
  std::copy(std::begin(desc.RTVFormats), std::end(desc.RTVFormats), all.targets.RTFormats);
  all.depth_format = desc.DSVFormat;
  all.sample = desc.SampleDesc;
  all.node_mask = desc.NodeMask;
  all.cached = desc.CachedPSO;
  all.flags = desc.Flags;
  return all;
}

PipelineDesc pipeline_desc(const D3D12_COMPUTE_PIPELINE_STATE_DESC& desc) {
  PipelineDesc all;
  all.kind = PipelineKind::compute;
  all.root_signature = desc.pRootSignature;
  all[PipelineStage::compute] = desc.CS;
  all.node_mask = desc.NodeMask;
  all.cached = desc.CachedPSO;
  all.flags = desc.Flags;
  return all;
}

}  // namespace fenceline::d3d12
