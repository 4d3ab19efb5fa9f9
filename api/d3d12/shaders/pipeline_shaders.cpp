// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/shaders/pipeline_shaders.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace fenceline::d3d12 {
namespace {

constexpr std::uint32_t highest_major = 6;  // D3D12_FEATURE_SHADER_MODEL
constexpr std::uint32_t highest_minor = 5;

/// What a stage takes, and the ids of what is wrong with it.
struct StageRule {
  ShaderKind kind;
  D3D12_MESSAGE_ID bad_code;
  D3D12_MESSAGE_ID wrong_kind;
};

// D3D12 has no ids of their own for amplification and mesh shaders.
constexpr StageRule rules[pipeline_stages] = {
    {ShaderKind::vertex, D3D12_MESSAGE_ID_CREATEVERTEXSHADER_INVALIDSHADERBYTECODE,
     D3D12_MESSAGE_ID_CREATEVERTEXSHADER_INVALIDSHADERTYPE},
    {ShaderKind::hull, D3D12_MESSAGE_ID_CREATEHULLSHADER_INVALIDSHADERBYTECODE,
     D3D12_MESSAGE_ID_CREATEHULLSHADER_INVALIDSHADERTYPE},
    {ShaderKind::domain, D3D12_MESSAGE_ID_CREATEDOMAINSHADER_INVALIDSHADERBYTECODE,
     D3D12_MESSAGE_ID_CREATEDOMAINSHADER_INVALIDSHADERTYPE},
    {ShaderKind::geometry, D3D12_MESSAGE_ID_CREATEGEOMETRYSHADER_INVALIDSHADERBYTECODE,
     D3D12_MESSAGE_ID_CREATEGEOMETRYSHADER_INVALIDSHADERTYPE},
    {ShaderKind::amplification, D3D12_MESSAGE_ID_UNKNOWN, D3D12_MESSAGE_ID_UNKNOWN},
    {ShaderKind::mesh, D3D12_MESSAGE_ID_UNKNOWN, D3D12_MESSAGE_ID_UNKNOWN},
    {ShaderKind::pixel, D3D12_MESSAGE_ID_CREATEPIXELSHADER_INVALIDSHADERBYTECODE,
     D3D12_MESSAGE_ID_CREATEPIXELSHADER_INVALIDSHADERTYPE},
    {ShaderKind::compute, D3D12_MESSAGE_ID_CREATECOMPUTESHADER_INVALIDSHADERBYTECODE,
     D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER},
};

bool of_kind(PipelineKind kind, PipelineStage stage) {
  if (kind == PipelineKind::compute) return stage == PipelineStage::compute;
  return stage != PipelineStage::compute;
}

std::variant<ShaderBytecode, PipelineProblem> read_stage(const D3D12_SHADER_BYTECODE& bytes, PipelineStage stage) {
  const StageRule& rule = rules[static_cast<std::size_t>(stage)];
  auto read = parse_shader_bytecode({static_cast<const char*>(bytes.pShaderBytecode), bytes.BytecodeLength});
  if (const auto* error = std::get_if<DxbcError>(&read)) {
    return PipelineProblem{rule.bad_code, fmt::format("{} shader at byte {}: expected {}, found {}", name_of(stage),
                                                      error->offset, error->expected, error->found)};
  }
  auto& shader = std::get<ShaderBytecode>(read);
  if (shader.kind != rule.kind) {
    return PipelineProblem{
        rule.wrong_kind, fmt::format("expected a {} shader, found a {} shader", name_of(stage), name_of(shader.kind))};
  }
  if (std::pair(shader.major_version, shader.minor_version) > std::pair(highest_major, highest_minor)) {
    return PipelineProblem{rule.wrong_kind,
                           fmt::format("{} shader: expected a shader model up to {}.{}, found {}.{}", name_of(stage),
                                       highest_major, highest_minor, shader.major_version, shader.minor_version)};
  }
  return std::move(shader);
}

}  // namespace

const ShaderBytecode* PipelineShaders::before_rasterizer() const {
  for (const auto stage :
       {PipelineStage::mesh, PipelineStage::geometry, PipelineStage::domain, PipelineStage::vertex}) {
    if (const ShaderBytecode* const shader = (*this)[stage]) return shader;
  }
  return nullptr;
}

const RootLayout* PipelineShaders::root_signature() const {
  for (const auto& shader : all) {
    if (shader && shader->root_signature) return &*shader->root_signature;
  }
  return nullptr;
}

std::variant<PipelineShaders, PipelineProblem> read_pipeline_shaders(const PipelineDesc& desc) {
  PipelineShaders shaders;
  for (std::size_t i = 0; i < pipeline_stages; ++i) {
    const auto stage = static_cast<PipelineStage>(i);
    if (!of_kind(desc.kind, stage) || !desc.has(stage)) continue;
    auto read = read_stage(desc[stage], stage);
    if (auto* problem = std::get_if<PipelineProblem>(&read)) return std::move(*problem);
    shaders.all[i] = std::move(std::get<ShaderBytecode>(read));
  }
  return shaders;
}

std::optional<PipelineProblem> check_stages(const PipelineDesc& desc, const PipelineShaders& shaders) {
  const auto problem = [](D3D12_MESSAGE_ID id, std::string text) { return PipelineProblem{id, std::move(text)}; };
  switch (desc.kind) {
    case PipelineKind::compute:
      if (shaders[PipelineStage::compute] != nullptr) return {};
      return problem(D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER,
                     "expected a compute shader, found none");
    case PipelineKind::mesh:
      for (const auto stage :
           {PipelineStage::vertex, PipelineStage::hull, PipelineStage::domain, PipelineStage::geometry}) {
        if (shaders[stage] == nullptr) continue;
        return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_MS_PSO_DESC_MISMATCH,
                       fmt::format("a mesh shader's pipeline state has no {} shader", name_of(stage)));
      }
      break;
    case PipelineKind::graphics:
      if (shaders[PipelineStage::vertex] == nullptr) {
        return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_VERTEX_SHADER_NOT_SET,
                       "expected a vertex shader, found none");
      }
      if ((shaders[PipelineStage::hull] == nullptr) != (shaders[PipelineStage::domain] == nullptr)) {
        return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_HS_XOR_DS_MISMATCH,
                       "expected a hull and a domain shader or neither, found one of them");
      }
      break;
  }
  const ShaderBytecode* first = nullptr;
  for (const auto& shader : shaders.all) {
    if (!shader || shader->is_made) continue;
    if (first == nullptr) first = &*shader;
    if (shader->is_dxil != first->is_dxil) {
      return problem(D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_SHADER_MODEL_MISMATCH,
                     "expected all shaders in DXIL or all in DXBC, found both");
    }
  }
  return {};
}

}  // namespace fenceline::d3d12
