// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/d3d12/app.hpp"
#include "tests/d3d12/pipelines/graphics_desc.hpp"
#include "tests/d3d12/pipelines/shader_builder.hpp"

#include <string>

namespace fenceline::testing {

/// Code of one instruction, `ret`, and a root signature: enough for a pipeline state.
inline std::string empty_shader(std::uint32_t kind) {
  constexpr std::uint32_t ret_token = 62 | 1U << 24;
  return dxbc({{"SHEX", program(program_version(kind, 5, 0), {ret_token})}, {"RTS0", empty_root_signature()}});
}

/// Vertex and pixel shader, one B8G8R8A8 target.
inline ComPtr<ID3D12PipelineState> graphics_pipeline(App& app) {
  const std::string vertex = empty_shader(1);
  const std::string pixel = empty_shader(0);
  const auto desc = graphics_desc(vertex, pixel, DXGI_FORMAT_B8G8R8A8_UNORM);
  ComPtr<ID3D12PipelineState> made;
  REQUIRE(app.device->CreateGraphicsPipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

/// Groups of 64 threads.
inline ComPtr<ID3D12PipelineState> compute_pipeline(App& app) {
  const std::string code = empty_shader(5);
  D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
  desc.CS = {code.data(), code.size()};
  ComPtr<ID3D12PipelineState> made;
  REQUIRE(app.device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

/// A mesh shader alone, in groups of 64 threads.
inline ComPtr<ID3D12PipelineState> mesh_pipeline(App& app) {
  constexpr std::uint32_t mesh_token = 13;
  const std::string code = dxbc({{"DXIL", program(program_version(mesh_token, 6, 5), {0x4C495844, 0x105, 16, 4, 0})},
                                 {"RTS0", empty_root_signature()}});
  struct {
    alignas(void*) D3D12_PIPELINE_STATE_SUBOBJECT_TYPE type;
    D3D12_SHADER_BYTECODE code;
  } stream{D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_MS, {code.data(), code.size()}};
  const D3D12_PIPELINE_STATE_STREAM_DESC desc{sizeof stream, &stream};
  ComPtr<ID3D12Device2> device;
  REQUIRE(app.device.As(&device) == S_OK);
  ComPtr<ID3D12PipelineState> made;
  REQUIRE(device->CreatePipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

/// A signature of one operation and nothing before it.
inline ComPtr<ID3D12CommandSignature> signature_of(App& app, D3D12_INDIRECT_ARGUMENT_TYPE operation, UINT stride) {
  D3D12_INDIRECT_ARGUMENT_DESC argument{};
  argument.Type = operation;
  const D3D12_COMMAND_SIGNATURE_DESC desc{stride, 1, &argument, 0};
  ComPtr<ID3D12CommandSignature> made;
  REQUIRE(app.device->CreateCommandSignature(&desc, nullptr, IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

inline ComPtr<ID3D12QueryHeap> query_heap(App& app, D3D12_QUERY_HEAP_TYPE type, UINT count) {
  const D3D12_QUERY_HEAP_DESC desc{type, count, 0};
  ComPtr<ID3D12QueryHeap> made;
  REQUIRE(app.device->CreateQueryHeap(&desc, IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

inline ComPtr<ID3D12DescriptorHeap> descriptor_heap(App& app, D3D12_DESCRIPTOR_HEAP_TYPE type, bool visible = false) {
  const D3D12_DESCRIPTOR_HEAP_DESC desc{
      type, 4, visible ? D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE : D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
  ComPtr<ID3D12DescriptorHeap> made;
  REQUIRE(app.device->CreateDescriptorHeap(&desc, IID_PPV_ARGS(&made)) == S_OK);
  return made;
}

}  // namespace fenceline::testing
