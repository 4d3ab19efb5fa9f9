// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace fenceline::d3d12 {

enum class PipelineKind : std::uint8_t { graphics, mesh, compute };

/// The programmable stages, in the order in which data passes them.
enum class PipelineStage : std::uint8_t {
  vertex,
  hull,
  domain,
  geometry,
  amplification,
  mesh,
  pixel,
  compute,
};
constexpr std::size_t pipeline_stages = 8;
/// "vertex" and so on.
const char* name_of(PipelineStage stage);

/// What is wrong with a description, as the debug layer tells it.
struct PipelineProblem {
  D3D12_MESSAGE_ID id = D3D12_MESSAGE_ID_UNKNOWN;
  std::string text;
};

/// The description of a pipeline state in one form, whichever way the program gave it. Points to the program's memory.
/// The values here are those of what a stream leaves out, and those of d3dx12.h.
struct PipelineDesc {
  PipelineDesc();

  PipelineKind kind = PipelineKind::graphics;
  ID3D12RootSignature* root_signature = nullptr;
  std::array<D3D12_SHADER_BYTECODE, pipeline_stages> code{};  ///< by stage
  D3D12_STREAM_OUTPUT_DESC stream_output{};
  D3D12_BLEND_DESC blend{};
  UINT sample_mask = ~0U;
  D3D12_RASTERIZER_DESC rasterizer{};
  D3D12_DEPTH_STENCIL_DESC2 depth_stencil{};  ///< of the older forms all that they say
  D3D12_INPUT_LAYOUT_DESC input_layout{};
  D3D12_INDEX_BUFFER_STRIP_CUT_VALUE strip_cut = D3D12_INDEX_BUFFER_STRIP_CUT_VALUE_DISABLED;
  D3D12_PRIMITIVE_TOPOLOGY_TYPE topology = D3D12_PRIMITIVE_TOPOLOGY_TYPE_UNDEFINED;
  D3D12_RT_FORMAT_ARRAY targets{};
  DXGI_FORMAT depth_format = DXGI_FORMAT_UNKNOWN;
  DXGI_SAMPLE_DESC sample{1, 0};
  UINT node_mask = 0;
  D3D12_CACHED_PIPELINE_STATE cached{};
  D3D12_PIPELINE_STATE_FLAGS flags = D3D12_PIPELINE_STATE_FLAG_NONE;
  D3D12_VIEW_INSTANCING_DESC view_instancing{};

  D3D12_SHADER_BYTECODE& operator[](PipelineStage stage) { return code[static_cast<std::size_t>(stage)]; }
  const D3D12_SHADER_BYTECODE& operator[](PipelineStage stage) const { return code[static_cast<std::size_t>(stage)]; }
  /// A stage without bytes is not there.
  bool has(PipelineStage stage) const;
  /// Whether triangles come to the rasterizer: not where they end in stream output.
  bool rasterizes() const { return stream_output.RasterizedStream != D3D12_SO_NO_RASTERIZED_STREAM; }
};

D3D12_DEPTH_STENCIL_DESC2 newest_form(const D3D12_DEPTH_STENCIL_DESC& desc);
D3D12_DEPTH_STENCIL_DESC2 newest_form(const D3D12_DEPTH_STENCIL_DESC1& desc);

PipelineDesc pipeline_desc(const D3D12_GRAPHICS_PIPELINE_STATE_DESC& desc);
PipelineDesc pipeline_desc(const D3D12_COMPUTE_PIPELINE_STATE_DESC& desc);

}  // namespace fenceline::d3d12
