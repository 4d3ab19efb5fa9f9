// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/pipelines/pipeline_cost.hpp"

#include "api/d3d12/formats/format.hpp"
#include "api/pgo/specialised.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>

namespace fenceline::d3d12 {
namespace {

// A vertex shader transforms and passes on, a pixel shader samples and lights a little, a compute shader works on a few
// values.
constexpr ShaderCost usual_vertex_shader{40, 0, 0, 0};
constexpr ShaderCost usual_pixel_shader{60, 2, 2, 0};
constexpr ShaderCost usual_compute_shader{100, 2, 2, 0};
constexpr std::uint32_t usual_registers = 32;
constexpr std::uint32_t usual_group_threads = 64;
constexpr std::uint32_t usual_group_primitives = 64;
constexpr std::uint32_t most_registers = 255;
constexpr std::uint32_t most_group_threads = 1024;
constexpr std::uint32_t most_group_primitives = 256;

/// Enough of the hash to tell shaders apart.
std::string name_of_code(const ShaderBytecode& shader) { return fmt::format("{:08x}", shader.hash[0]); }

ShaderCost cost_of(const ShaderBytecode& shader, const ShaderCost& usual) {
  return shader.stat ? shader.stat->cost : usual;
}

std::uint32_t registers_of(const ShaderBytecode& shader) {
  return shader.stat ? std::clamp(shader.stat->registers, 1U, most_registers) : usual_registers;
}

void add(ShaderCost& to, const ShaderCost& more, double times) {
  to.alu_instructions += more.alu_instructions * times;
  to.sfu_instructions += more.sfu_instructions * times;
  to.texture_samples += more.texture_samples * times;
  to.shared_accesses += more.shared_accesses * times;
  to.code_instructions += code_instructions(more);
}

std::uint32_t threads_of(const ShaderBytecode& shader) {
  const auto& threads = shader.declarations.threads;
  if (!threads) return usual_group_threads;
  std::uint64_t product = 1;
  for (const std::uint32_t count : *threads) product = std::min<std::uint64_t>(product * count, most_group_threads);
  return std::max<std::uint32_t>(static_cast<std::uint32_t>(product), 1);
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

void add_outputs(const PipelineDesc& desc, GraphicsPipeline& cost) {
  cost.samples_per_pixel = desc.sample.Count;
  cost.bytes_per_pixel = 0;
  for (UINT i = 0; i < desc.targets.NumRenderTargets; ++i) {
    cost.bytes_per_pixel += texel_bytes(desc.targets.RTFormats[i]) * desc.sample.Count;
    cost.blend = cost.blend || desc.blend.RenderTarget[desc.blend.IndependentBlendEnable ? i : 0].BlendEnable;
  }
  if (desc.depth_stencil.DepthEnable || desc.depth_stencil.StencilEnable) {
    cost.depth_bytes_per_pixel = texel_bytes(desc.depth_format) * desc.sample.Count;
  }
}

}  // namespace

MeshGroup mesh_group(const PipelineShaders& shaders) {
  const ShaderBytecode* const mesh = shaders[PipelineStage::mesh];
  if (mesh == nullptr) return {};
  const std::uint32_t primitives = mesh->declarations.most_primitives;
  return {threads_of(*mesh), std::min(primitives > 0 ? primitives : usual_group_primitives, most_group_primitives)};
}

GraphicsPipeline graphics_cost(const PipelineDesc& desc, const PipelineShaders& shaders) {
  GraphicsPipeline cost;
  cost.vertex_shader = {};
  cost.pixel_shader = {};
  cost.registers_per_thread = 1;
  const auto add_registers = [&](const ShaderBytecode& shader) {
    cost.registers_per_thread = std::max(cost.registers_per_thread, registers_of(shader));
  };
  for (const auto stage : {PipelineStage::vertex, PipelineStage::hull, PipelineStage::domain, PipelineStage::geometry,
                           PipelineStage::mesh}) {
    const ShaderBytecode* const shader = shaders[stage];
    if (shader == nullptr) continue;
    if (cost.name.empty()) cost.name = "draw " + name_of_code(*shader);
    add(cost.vertex_shader, cost_of(*shader, usual_vertex_shader), 1);
    add_registers(*shader);
  }
  if (const ShaderBytecode* const mesh = shaders[PipelineStage::mesh]) {
    cost.mesh = true;
    cost.name = "mesh " + name_of_code(*mesh);
    if (const ShaderBytecode* const amplification = shaders[PipelineStage::amplification]) {
      cost.amplification_threads = threads_of(*amplification);
      add(cost.vertex_shader, cost_of(*amplification, usual_vertex_shader),
          static_cast<double>(cost.amplification_threads) / threads_of(*mesh));
      add_registers(*amplification);
    }
  }
  if (const ShaderBytecode* const pixel = shaders[PipelineStage::pixel]) {
    if (!cost.mesh) cost.name = "draw " + name_of_code(*pixel);
    cost.pixel_shader = cost_of(*pixel, usual_pixel_shader);
    add_registers(*pixel);
  }
  add_outputs(desc, cost);
  if (desc.kind == PipelineKind::graphics) cost.bytes_per_vertex = vertex_bytes(desc.input_layout);
  return cost;
}

ComputePipeline compute_cost(const PipelineShaders& shaders, std::uint32_t registers_per_sm) {
  const ShaderBytecode& shader = *shaders[PipelineStage::compute];
  ComputePipeline cost;
  cost.name = "dispatch " + name_of_code(shader);
  cost.group.threads = threads_of(shader);
  cost.group.registers_per_thread = std::min(registers_of(shader), std::max(registers_per_sm / cost.group.threads, 1U));
  cost.work.shader = cost_of(shader, usual_compute_shader);
  return cost;
}

}  // namespace fenceline::d3d12
