// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/d3d12/app.hpp"
#include "tests/d3d12/pipelines/shader_builder.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

// The version token's kinds.
constexpr std::uint32_t pixel_kind = 0;
constexpr std::uint32_t vertex_kind = 1;
constexpr std::uint32_t geometry_kind = 2;
constexpr std::uint32_t hull_kind = 3;
constexpr std::uint32_t domain_kind = 4;
constexpr std::uint32_t compute_kind = 5;
constexpr std::uint32_t mesh_kind = 13;
constexpr std::uint32_t amplification_kind = 14;

// D3D_REGISTER_COMPONENT_TYPE.
constexpr std::uint32_t uint_type = 1;
constexpr std::uint32_t sint_type = 2;
constexpr std::uint32_t float_type = 3;

/// An element with its first `components` in a register.
inline Element element(const std::string& name, std::uint32_t index, std::uint32_t reg, unsigned components = 4,
                       std::uint32_t type = float_type) {
  return {name, index, 0, type, reg, (1U << components) - 1, 0, 0};
}

/// Code of shader model 5.0 with these signatures and declarations.
inline std::string code(std::uint32_t kind, const std::vector<Element>& inputs, const std::vector<Element>& outputs,
                        std::vector<std::uint32_t> declarations = {}, const std::vector<Element>& patch = {}) {
  constexpr std::uint32_t ret_token = 1U << 24 | 62;
  declarations.push_back(ret_token);
  std::vector<std::pair<std::string, std::string>> parts = {
      {"ISGN", signature(inputs)},
      {"OSGN", signature(outputs)},
      {"SHEX", program(program_version(kind, 5, 0), declarations)}};
  if (kind == hull_kind || kind == domain_kind) parts.emplace_back("PCSG", signature(patch));
  return dxbc(parts);
}

/// DXIL with these signatures; `primitives` are a mesh shader's.
inline std::string dxil_code(std::uint32_t kind, const std::vector<Element>& inputs,
                             const std::vector<Element>& outputs, const std::vector<Element>& primitives = {},
                             std::uint32_t threads = 32, std::uint32_t most_primitives = 16) {
  std::vector<std::uint32_t> validation(1 + 12, 0);
  validation[0] = 48;
  validation[4] = most_primitives << 16;  // the last of the stage's own numbers
  validation[10] = threads;
  validation[11] = validation[12] = 1;
  validation.push_back(0);  // bindings
  return dxbc({{"ISG1", signature(inputs, 1, 1)},
               {"OSG1", signature(outputs, 1, 1)},
               {"PSG1", signature(primitives, 1, 1)},
               {"PSV0", numbers(validation)},
               {"DXIL", program(program_version(kind, 6, 5), {0x4C495844, 0x105, 16, 4, 0})}});
}

inline D3D12_SHADER_BYTECODE bytecode(const std::string& bytes) { return {bytes.data(), bytes.size()}; }

/// A root signature of that description.
inline ComPtr<ID3D12RootSignature> root_signature(const App& app, const D3D12_ROOT_SIGNATURE_DESC& desc) {
  ComPtr<ID3DBlob> blob;
  REQUIRE(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, nullptr) == S_OK);
  ComPtr<ID3D12RootSignature> made;
  REQUIRE(app.device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&made)) ==
          S_OK);
  return made;
}
inline ComPtr<ID3D12RootSignature> root_signature(const App& app, D3D12_ROOT_SIGNATURE_FLAGS flags) {
  return root_signature(app, D3D12_ROOT_SIGNATURE_DESC{0, nullptr, 0, nullptr, flags});
}

/// Of so many constants at b0.
inline ComPtr<ID3D12RootSignature> root_constants(const App& app, UINT count) {
  D3D12_ROOT_PARAMETER parameter{};
  parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  parameter.Constants = {0, 0, count};
  return root_signature(app, D3D12_ROOT_SIGNATURE_DESC{1, &parameter, 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_NONE});
}

/// A vertex shader of one input and a position, a pixel shader of one target, and a description that D3D12 takes.
struct Pipeline {
  explicit Pipeline(App& app)
      : root(root_signature(app, D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT |
                                     D3D12_ROOT_SIGNATURE_FLAG_ALLOW_STREAM_OUTPUT)) {
    desc.pRootSignature = root.Get();
    desc.VS = bytecode(vertex);
    desc.PS = bytecode(pixel);
    desc.BlendState.RenderTarget[0].RenderTargetWriteMask = D3D12_COLOR_WRITE_ENABLE_ALL;
    desc.SampleMask = ~0U;
    desc.RasterizerState.FillMode = D3D12_FILL_MODE_SOLID;
    desc.RasterizerState.CullMode = D3D12_CULL_MODE_BACK;
    desc.InputLayout = {&input, 1};
    desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE;
    desc.NumRenderTargets = 1;
    desc.RTVFormats[0] = DXGI_FORMAT_R8G8B8A8_UNORM;
    desc.SampleDesc.Count = 1;
  }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  HRESULT create(App& app, ComPtr<ID3D12PipelineState>* made = nullptr) const {
    ComPtr<ID3D12PipelineState> state;
    const HRESULT result = app.device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&state));
    REQUIRE((result == S_OK) == (state.Get() != nullptr));
    if (made != nullptr) *made = state;
    return result;
  }

  std::string vertex = code(vertex_kind, {element("POSITION", 0, 0)}, {element("SV_Position", 0, 0)});
  std::string pixel = code(pixel_kind, {element("SV_Position", 0, 0)}, {element("SV_Target", 0, 0)});
  D3D12_INPUT_ELEMENT_DESC input{
      "POSITION", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0, D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0};
  ComPtr<ID3D12RootSignature> root;
  D3D12_GRAPHICS_PIPELINE_STATE_DESC desc{};
};

inline std::string bytes_of(ID3DBlob* blob) {
  return {static_cast<const char*>(blob->GetBufferPointer()), blob->GetBufferSize()};
}

inline std::string cached_blob(ID3D12PipelineState* state) {
  ComPtr<ID3DBlob> blob;
  REQUIRE(state->GetCachedBlob(&blob) == S_OK);
  return bytes_of(blob.Get());
}

}  // namespace fenceline::testing
