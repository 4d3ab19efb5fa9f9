// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipeline_state.hpp"

#include "api/d3d12/format.hpp"
#include "api/d3d12/host.hpp"
#include "api/d3d12/not_modelled.hpp"
#include "api/d3d12/shader_bytecode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

namespace fenceline::d3d12 {
namespace {

// Code whose container has no counts is taken for a usual shader. Assumptions: a vertex shader transforms and passes
// on, a pixel shader samples and lights a little, a compute shader works on a few values.
constexpr ShaderCost usual_vertex_shader{40, 0, 0, 0};
constexpr ShaderCost usual_pixel_shader{60, 2, 2, 0};
constexpr ShaderCost usual_compute_shader{100, 2, 2, 0};
constexpr std::uint32_t usual_registers = 32;
constexpr std::uint32_t usual_group_threads = 64;
constexpr std::uint32_t most_registers = 255;

/// Enough of the hash to tell shaders apart.
std::string name_of_code(const DxbcHash& hash) { return fmt::format("{:08x}", hash[0]); }

/// One stage's code as the program gave it.
struct Stage {
  std::optional<ShaderBytecode> code;
  ShaderCost cost;
  std::uint32_t registers = usual_registers;
  std::string problem;  ///< of what cannot be read
};

Stage read_stage(const D3D12_SHADER_BYTECODE& bytecode, const ShaderCost& usual) {
  Stage stage;
  stage.cost = usual;
  const std::string_view bytes(static_cast<const char*>(bytecode.pShaderBytecode), bytecode.BytecodeLength);
  auto read = parse_shader_bytecode(bytes);
  if (const auto* error = std::get_if<DxbcError>(&read)) {
    stage.problem = fmt::format("at byte {}: expected {}, found {}", error->offset, error->expected, error->found);
    return stage;
  }
  stage.code = std::get<ShaderBytecode>(std::move(read));
  if (stage.code->stat) {
    stage.cost = stage.code->stat->cost;
    stage.registers = std::clamp(stage.code->stat->registers, 1U, most_registers);
  }
  return stage;
}

bool has_code(const D3D12_SHADER_BYTECODE& bytecode) {
  return bytecode.pShaderBytecode != nullptr && bytecode.BytecodeLength > 0;
}

HRESULT refuse(Device& device, const char* method, D3D12_MESSAGE_ID id, const std::string& text) {
  device.message(D3D12_MESSAGE_SEVERITY_ERROR, id, fmt::format("ID3D12Device::{}: {}", method, text));
  return E_INVALIDARG;
}

std::uint32_t texel_bytes(DXGI_FORMAT format) {
  const Format* const known = format == DXGI_FORMAT_UNKNOWN ? nullptr : find_format(format);
  return known != nullptr ? known->block_bytes : 0;
}

std::uint32_t vertex_bytes(const D3D12_INPUT_LAYOUT_DESC& layout) {
  std::uint32_t bytes = 0;
  for (UINT i = 0; i < layout.NumElements; ++i) {
    if (layout.pInputElementDescs[i].InputSlotClass == D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA) {
      bytes += texel_bytes(layout.pInputElementDescs[i].Format);
    }
  }
  return bytes;
}

}  // namespace

HRESULT PipelineState::GetCachedBlob(ID3DBlob** blob) {
  if (blob != nullptr) *blob = nullptr;
  return not_modelled("ID3D12PipelineState::GetCachedBlob");
}

HRESULT create_graphics_pipeline_state(Device& device, const D3D12_GRAPHICS_PIPELINE_STATE_DESC* desc, REFIID iid,
                                       void** pipeline) {
  const char* const method = "CreateGraphicsPipelineState";
  Host::spend(device.costs().call_ps);
  if (pipeline != nullptr) *pipeline = nullptr;
  if (desc == nullptr) return E_INVALIDARG;
  if (!has_code(desc->VS)) {
    return refuse(device, method, D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_VERTEX_SHADER_NOT_SET,
                  "expected a vertex shader");
  }
  if (desc->NumRenderTargets > D3D12_SIMULTANEOUS_RENDER_TARGET_COUNT) {
    return refuse(device, method, D3D12_MESSAGE_ID_UNKNOWN,
                  fmt::format("expected at most 8 render targets, found {}", desc->NumRenderTargets));
  }
  const Stage vertex = read_stage(desc->VS, usual_vertex_shader);
  if (!vertex.code) return refuse(device, method, D3D12_MESSAGE_ID_UNKNOWN, "vertex shader " + vertex.problem);
  if (vertex.code->kind != ShaderKind::vertex) {
    return refuse(device, method, D3D12_MESSAGE_ID_UNKNOWN,
                  fmt::format("expected a vertex shader, found a {} shader", name_of(vertex.code->kind)));
  }
  GraphicsPipeline cost;
  cost.name = "draw " + name_of_code(vertex.code->hash);
  cost.vertex_shader = vertex.cost;
  cost.registers_per_thread = vertex.registers;
  cost.pixel_shader = {};
  if (has_code(desc->PS)) {
    const Stage pixel = read_stage(desc->PS, usual_pixel_shader);
    if (!pixel.code) return refuse(device, method, D3D12_MESSAGE_ID_UNKNOWN, "pixel shader " + pixel.problem);
    if (pixel.code->kind != ShaderKind::pixel) {
      return refuse(device, method, D3D12_MESSAGE_ID_UNKNOWN,
                    fmt::format("expected a pixel shader, found a {} shader", name_of(pixel.code->kind)));
    }
    cost.name = "draw " + name_of_code(pixel.code->hash);
    cost.pixel_shader = pixel.cost;
    cost.registers_per_thread = std::max(cost.registers_per_thread, pixel.registers);
  }
  const std::uint32_t samples = std::max(desc->SampleDesc.Count, 1U);
  cost.samples_per_pixel = samples;
  cost.bytes_per_pixel = 0;
  for (UINT i = 0; i < desc->NumRenderTargets; ++i) {
    cost.bytes_per_pixel += texel_bytes(desc->RTVFormats[i]) * samples;
    cost.blend =
        cost.blend || desc->BlendState.RenderTarget[desc->BlendState.IndependentBlendEnable ? i : 0].BlendEnable;
  }
  if (desc->DepthStencilState.DepthEnable || desc->DepthStencilState.StencilEnable) {
    cost.depth_bytes_per_pixel = texel_bytes(desc->DSVFormat) * samples;
  }
  cost.bytes_per_vertex = vertex_bytes(desc->InputLayout);
  if (device.removed()) return device.removed_reason();
  return give_out(new PipelineState(device, std::move(cost)), iid, pipeline);
}

HRESULT create_compute_pipeline_state(Device& device, const D3D12_COMPUTE_PIPELINE_STATE_DESC* desc, REFIID iid,
                                      void** pipeline) {
  const char* const method = "CreateComputePipelineState";
  Host::spend(device.costs().call_ps);
  if (pipeline != nullptr) *pipeline = nullptr;
  if (desc == nullptr) return E_INVALIDARG;
  if (!has_code(desc->CS)) {
    return refuse(device, method, D3D12_MESSAGE_ID_UNKNOWN, "expected a compute shader");
  }
  const Stage code = read_stage(desc->CS, usual_compute_shader);
  if (!code.code) return refuse(device, method, D3D12_MESSAGE_ID_UNKNOWN, "compute shader " + code.problem);
  if (code.code->kind != ShaderKind::compute) {
    return refuse(device, method, D3D12_MESSAGE_ID_UNKNOWN,
                  fmt::format("expected a compute shader, found a {} shader", name_of(code.code->kind)));
  }
  ComputePipeline cost;
  cost.name = "dispatch " + name_of_code(code.code->hash);
  cost.group.threads = usual_group_threads;
  if (const auto& threads = code.code->threads) {
    cost.group.threads = std::clamp((*threads)[0] * (*threads)[1] * (*threads)[2], 1U, 1024U);
  }
  const std::uint32_t register_file = device.machine().config().shader_array.registers_per_sm;
  cost.group.registers_per_thread = std::min(code.registers, std::max(register_file / cost.group.threads, 1U));
  cost.work.shader = code.cost;
  CommandStream one_group;
  one_group.commands.emplace_back(Dispatch{0, 1});
  one_group.compute_pipelines.push_back(cost);
  const std::string refusal = fenceline::refusal(one_group, QueueType::compute, device.machine().config());
  if (!refusal.empty()) return refuse(device, method, D3D12_MESSAGE_ID_UNKNOWN, refusal);
  if (device.removed()) return device.removed_reason();
  return give_out(new PipelineState(device, std::move(cost)), iid, pipeline);
}

}  // namespace fenceline::d3d12
