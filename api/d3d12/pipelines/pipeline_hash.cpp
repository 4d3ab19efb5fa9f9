// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/pipeline_hash.hpp"

#include "api/d3d12/dxbc/blob_writer.hpp"
#include "api/d3d12/root/root_signature_blob.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace fenceline::d3d12 {
namespace {

/// A semantic, which is compared without regard to case; a null one is a gap.
std::string upper(const char* name) {
  std::string text = name != nullptr ? name : "";
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

bool is_on(BOOL value) { return value != FALSE; }

void write_input_layout(BlobWriter& out, const D3D12_INPUT_LAYOUT_DESC& layout) {
  out << layout.NumElements;
  for (UINT i = 0; i < layout.NumElements; ++i) {
    const D3D12_INPUT_ELEMENT_DESC& element = layout.pInputElementDescs[i];
    out << upper(element.SemanticName) << element.SemanticIndex << element.Format << element.InputSlot
        << element.AlignedByteOffset << element.InputSlotClass << element.InstanceDataStepRate;
  }
}

void write_stream_output(BlobWriter& out, const D3D12_STREAM_OUTPUT_DESC& output) {
  out << output.RasterizedStream << output.NumEntries;
  for (UINT i = 0; i < output.NumEntries; ++i) {
    const D3D12_SO_DECLARATION_ENTRY& entry = output.pSODeclaration[i];
    out << (entry.SemanticName != nullptr) << upper(entry.SemanticName) << entry.SemanticIndex << entry.Stream
        << std::uint32_t{entry.StartComponent} << std::uint32_t{entry.ComponentCount}
        << std::uint32_t{entry.OutputSlot};
  }
  if (output.NumEntries == 0) return;
  out << output.NumStrides;
  for (UINT i = 0; i < output.NumStrides; ++i) out << output.pBufferStrides[i];
}

void write_blend(BlobWriter& out, const PipelineDesc& desc) {
  const bool independent = is_on(desc.blend.IndependentBlendEnable);
  out << is_on(desc.blend.AlphaToCoverageEnable);
  // Targets that share one state are as targets that have the same one.
  for (UINT i = 0; i < desc.targets.NumRenderTargets; ++i) {
    const D3D12_RENDER_TARGET_BLEND_DESC& target = desc.blend.RenderTarget[independent ? i : 0];
    out << is_on(target.BlendEnable) << is_on(target.LogicOpEnable) << std::uint32_t{target.RenderTargetWriteMask};
    if (is_on(target.BlendEnable)) {
      out << target.SrcBlend << target.DestBlend << target.BlendOp << target.SrcBlendAlpha << target.DestBlendAlpha
          << target.BlendOpAlpha;
    }
    if (is_on(target.LogicOpEnable)) out << target.LogicOp;
  }
}

void write_rasterizer(BlobWriter& out, const D3D12_RASTERIZER_DESC& state) {
  out << state.FillMode << state.CullMode << is_on(state.FrontCounterClockwise) << state.DepthBias
      << state.DepthBiasClamp << state.SlopeScaledDepthBias << is_on(state.DepthClipEnable)
      << is_on(state.MultisampleEnable) << is_on(state.AntialiasedLineEnable) << state.ForcedSampleCount
      << state.ConservativeRaster;
}

void write_depth_stencil(BlobWriter& out, const D3D12_DEPTH_STENCIL_DESC2& state) {
  out << is_on(state.DepthEnable) << is_on(state.StencilEnable) << is_on(state.DepthBoundsTestEnable);
  if (is_on(state.DepthEnable)) out << state.DepthWriteMask << state.DepthFunc;
  if (!is_on(state.StencilEnable)) return;
  for (const D3D12_DEPTH_STENCILOP_DESC1* face : {&state.FrontFace, &state.BackFace}) {
    out << face->StencilFailOp << face->StencilDepthFailOp << face->StencilPassOp << face->StencilFunc
        << std::uint32_t{face->StencilReadMask} << std::uint32_t{face->StencilWriteMask};
  }
}

}  // namespace

DxbcHash hash_of(std::string_view bytes) {
  constexpr std::size_t not_hashed = 20;  // a container's tag and hash
  return dxbc_hash(std::string(not_hashed, '\0').append(bytes));
}

DxbcHash pipeline_hash(const PipelineDesc& desc, const PipelineShaders& shaders, const RootLayout& root) {
  BlobWriter out;
  out << desc.kind << serialize_root_signature(root);
  for (std::uint32_t stage = 0; stage < pipeline_stages; ++stage) {
    const auto& shader = shaders.all[stage];
    if (!shader) continue;
    out << stage;
    for (const std::uint32_t number : shader->hash) out << number;
  }
  if (desc.kind == PipelineKind::compute) return hash_of(out.bytes());
  if (desc.kind == PipelineKind::graphics) {
    write_input_layout(out, desc.input_layout);
    write_stream_output(out, desc.stream_output);
    out << desc.strip_cut << desc.topology;
  }
  write_blend(out, desc);
  write_rasterizer(out, desc.rasterizer);
  write_depth_stencil(out, desc.depth_stencil);
  out << desc.sample_mask << desc.targets.NumRenderTargets;
  for (UINT i = 0; i < desc.targets.NumRenderTargets; ++i) out << desc.targets.RTFormats[i];
  out << desc.depth_format << desc.sample.Count << desc.sample.Quality;
  return hash_of(out.bytes());
}

}  // namespace fenceline::d3d12
