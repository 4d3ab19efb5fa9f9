// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/d3d12/pipelines/pipeline_builder.hpp"

#include <directx/d3dx12.h>
#include <string>

namespace fenceline::testing {

/// A mesh and a pixel shader for one target, and a description that D3D12 takes. The bytes have to outlive it.
inline D3DX12_MESH_SHADER_PIPELINE_STATE_DESC mesh_desc(ID3D12RootSignature* root, const std::string& mesh,
                                                        const std::string& pixel) {
  D3DX12_MESH_SHADER_PIPELINE_STATE_DESC desc{};
  desc.pRootSignature = root;
  desc.MS = bytecode(mesh);
  desc.PS = bytecode(pixel);
  desc.BlendState = CD3DX12_BLEND_DESC(CD3DX12_DEFAULT());
  desc.RasterizerState = CD3DX12_RASTERIZER_DESC(CD3DX12_DEFAULT());
  desc.SampleMask = ~0U;
  desc.SampleDesc.Count = 1;
  desc.NumRenderTargets = 1;
  desc.RTVFormats[0] = DXGI_FORMAT_R8G8B8A8_UNORM;
  return desc;
}

/// What CreatePipelineState says to it.
inline HRESULT create_mesh_pipeline(ID3D12Device2* device, const D3DX12_MESH_SHADER_PIPELINE_STATE_DESC& desc,
                                    ComPtr<ID3D12PipelineState>& made) {
  CD3DX12_PIPELINE_MESH_STATE_STREAM stream(desc);
  const D3D12_PIPELINE_STATE_STREAM_DESC stream_desc{sizeof stream, &stream};
  return device->CreatePipelineState(&stream_desc, IID_PPV_ARGS(&made));
}

}  // namespace fenceline::testing
