// SPDX-License-Identifier: Apache-2.0
// Bytes that are nearly pipeline streams, cached blobs and libraries: taken or refused, never read beyond their size.
#include "api/d3d12/dxbc/dxbc_hash.hpp"
#include "api/d3d12/pipelines/pipeline_blob.hpp"
#include "api/d3d12/pipelines/pipeline_hash.hpp"
#include "api/d3d12/pipelines/pipeline_stream.hpp"
#include "api/d3d12/shaders/pipeline_shaders.hpp"
#include "tests/d3d12/pipelines/pipeline_builder.hpp"
#include "tests/support/byte_mutator.hpp"

#include <algorithm>
#include <cstring>
#include <directx/d3dx12.h>
#include <iterator>
#include <memory>
#include <random>

using namespace fenceline;
using namespace fenceline::testing;
using namespace fenceline::d3d12;

namespace {

/// In memory of exactly its size, so that the sanitizer sees a step beyond it.
std::unique_ptr<char[]> exactly(const std::string& bytes) {
  auto memory = std::make_unique<char[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), memory.get());
  return memory;
}

template <class T>
std::string bytes_in(const T& value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), static_cast<const void*>(std::addressof(value)), sizeof value);
  return bytes;
}

}  // namespace

TEST_CASE("pipeline fuzz: a mutated stream is read within its bytes or refused", "[d3d12][fuzz]") {
  std::mt19937_64 random(43);
  // Only the stream itself is read: what it points to is not looked at, and may be anywhere.
  const std::string code = "code";
  D3D12_GRAPHICS_PIPELINE_STATE_DESC graphics{};
  graphics.VS = bytecode(code);
  D3D12_COMPUTE_PIPELINE_STATE_DESC compute{};
  compute.CS = bytecode(code);
  D3DX12_MESH_SHADER_PIPELINE_STATE_DESC mesh{};
  mesh.MS = bytecode(code);
  const std::string seeds[] = {
      bytes_in(CD3DX12_PIPELINE_STATE_STREAM(graphics)), bytes_in(CD3DX12_PIPELINE_STATE_STREAM1(compute)),
      bytes_in(CD3DX12_PIPELINE_STATE_STREAM2(graphics)), bytes_in(CD3DX12_PIPELINE_STATE_STREAM3(graphics)),
      bytes_in(CD3DX12_PIPELINE_MESH_STATE_STREAM(mesh))};
  std::size_t refused = 0;
  std::size_t read = 0;
  for (std::size_t round = 0; round < 100'000; ++round) {
    const std::string bytes = mutated_bytes(seeds[round % std::size(seeds)], random);
    const auto memory = exactly(bytes);
    const auto parsed = parse_pipeline_stream({bytes.size(), memory.get()});
    if (const auto* problem = std::get_if<PipelineProblem>(&parsed)) {
      ++refused;
      if (problem->text.empty() || problem->id == D3D12_MESSAGE_ID_UNKNOWN) FAIL("round " << round);
      continue;
    }
    ++read;
    const auto& desc = std::get<PipelineDesc>(parsed);
    const bool has_shader = desc.kind == PipelineKind::compute ? desc.has(PipelineStage::compute)
                            : desc.kind == PipelineKind::mesh  ? desc.has(PipelineStage::mesh)
                                                               : desc.has(PipelineStage::vertex);
    if (!has_shader) FAIL("round " << round);
  }
  CHECK(refused > 20'000);
  CHECK(read > 20'000);
}

TEST_CASE("pipeline fuzz: a stream of numbers instead of pointers makes no pipeline state", "[d3d12][fuzz]") {
  App app;
  ComPtr<ID3D12Device2> device;
  REQUIRE(app.device.As(&device) == S_OK);
  std::mt19937_64 random(44);
  const Pipeline pipeline(app);
  // Numbers alone change: pointers stay what they are, as programs' do.
  std::size_t taken = 0;
  for (int round = 0; round < 3'000; ++round) {
    CD3DX12_PIPELINE_STATE_STREAM3 stream(pipeline.desc);
    const auto change = [&](auto& subobject, std::size_t bytes) {
      if (random() % 4 != 0) return;
      auto* const at = reinterpret_cast<unsigned char*>(std::addressof(subobject));
      const std::size_t place = sizeof(std::uint32_t) + random() % bytes / 4 * 4;
      const std::uint32_t value = awkward(random, bytes);
      std::memcpy(at + place, &value, sizeof value);
    };
    change(stream.BlendState, sizeof(D3D12_BLEND_DESC));
    change(stream.RasterizerState, sizeof(D3D12_RASTERIZER_DESC));
    change(stream.DepthStencilState, sizeof(D3D12_DEPTH_STENCIL_DESC2) - 4);
    change(stream.RTVFormats, sizeof(D3D12_RT_FORMAT_ARRAY));
    change(stream.DSVFormat, sizeof(DXGI_FORMAT));
    change(stream.SampleDesc, sizeof(DXGI_SAMPLE_DESC));
    change(stream.PrimitiveTopologyType, sizeof(UINT));
    change(stream.NodeMask, sizeof(UINT));
    const D3D12_PIPELINE_STATE_STREAM_DESC desc{sizeof stream, &stream};
    ComPtr<ID3D12PipelineState> made;
    const HRESULT result = device->CreatePipelineState(&desc, IID_PPV_ARGS(&made));
    if (result == S_OK) ++taken;
    if (result != S_OK && result != E_INVALIDARG) FAIL("round " << round);
  }
  CHECK(taken > 100);
  CHECK(taken < 2'900);
}

TEST_CASE("pipeline fuzz: a mutated blob is refused, with a right hash, too", "[d3d12][fuzz]") {
  std::mt19937_64 random(45);
  const BlobOrigin origin{7, {1, 2, 3, 4}};
  const PipelineNames names = {{L"one", {1, 1, 1, 1}}, {L"another", {2, 2, 2, 2}}, {L"a third one", {3, 3, 3, 3}}};
  const std::string library = write_pipeline_library(origin, names);
  const std::string single = write_cached_pipeline(origin, {9, 8, 7, 6});
  REQUIRE(std::get<PipelineNames>(read_pipeline_library(library, origin)) == names);
  REQUIRE(std::get<DxbcHash>(read_cached_pipeline(single, origin)) == DxbcHash{9, 8, 7, 6});
  REQUIRE(pipeline_library_bytes(names) == library.size());
  std::size_t taken = 0;
  std::size_t foreign = 0;
  for (std::size_t round = 0; round < 60'000; ++round) {
    const std::string& seed = round % 2 == 0 ? library : single;
    std::string bytes = mutated_bytes(seed, random);
    if (bytes == seed) continue;
    const bool forged = bytes.size() >= 24 && random() % 2 == 0;
    if (forged) {
      put_number(bytes, 20, static_cast<std::uint32_t>(bytes.size()));
      const DxbcHash hash = dxbc_hash(bytes);
      for (std::size_t i = 0; i < hash.size(); ++i) put_number(bytes, 4 + 4 * i, hash[i]);
    }
    if (bytes == seed) continue;
    const auto memory = exactly(bytes);
    const std::string_view view(memory.get(), bytes.size());
    const auto as_library = read_pipeline_library(view, origin);
    const auto as_single = read_cached_pipeline(view, origin);
    const bool ok = std::holds_alternative<PipelineNames>(as_library) || std::holds_alternative<DxbcHash>(as_single);
    if (ok && !forged) FAIL("round " << round);
    if (ok) ++taken;
    if (const auto* refusal = std::get_if<BlobRefusal>(&as_library)) {
      if (refusal->text.empty() || refusal->result == S_OK) FAIL("round " << round);
      if (refusal->result != E_INVALIDARG) ++foreign;
    }
  }
  CHECK(taken > 100);  // other hashes and names are as good
  CHECK(foreign > 100);
}

TEST_CASE("pipeline fuzz: mutated shaders make a pipeline state or are refused", "[d3d12][fuzz]") {
  App app;
  std::mt19937_64 random(46);
  Pipeline pipeline(app);
  const std::string vertex = pipeline.vertex;
  const std::string pixel = code(pixel_kind, {element("SV_Position", 0, 0)}, {element("SV_Target", 0, 0)},
                                 {4U << 24 | 88, 1U << 20, 0, 0x5555, 3U << 24 | 90, 1U << 20, 0});
  std::size_t taken = 0;
  for (int round = 0; round < 4'000; ++round) {
    auto first = mutated_bytes(vertex, random);
    auto second = mutated_bytes(pixel, random);
    for (std::string* const one : {&first, &second}) {
      if (random() % 3 == 0) *one = one == &first ? vertex : pixel;
      if (one->size() >= 28) put_number(*one, 24, static_cast<std::uint32_t>(one->size()));
    }
    const auto first_memory = exactly(first);
    const auto second_memory = exactly(second);
    pipeline.desc.VS = {first_memory.get(), first.size()};
    pipeline.desc.PS = {second_memory.get(), second.size()};
    const HRESULT result = pipeline.create(app);
    if (result == S_OK) ++taken;
    if (result != S_OK && result != E_INVALIDARG) FAIL("round " << round);
  }
  CHECK(taken > 20);
}

TEST_CASE("pipeline hash: the same in every process", "[d3d12]") {
  // A pinned value: a program keeps blobs with it from run to run. Who changes what is hashed changes it here.
  const std::string vertex = code(vertex_kind, {element("POSITION", 0, 0)}, {element("SV_Position", 0, 0)});
  const D3D12_INPUT_ELEMENT_DESC input{
      "POSITION", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 0, 0, D3D12_INPUT_CLASSIFICATION_PER_VERTEX_DATA, 0};
  PipelineDesc desc;
  desc[PipelineStage::vertex] = bytecode(vertex);
  desc.input_layout = {&input, 1};
  const auto shaders = read_pipeline_shaders(desc);
  REQUIRE(std::holds_alternative<PipelineShaders>(shaders));
  const DxbcHash hash = pipeline_hash(desc, std::get<PipelineShaders>(shaders), RootLayout{});
  CHECK(hash == DxbcHash{0xd78d9d71, 0xb68ce780, 0x35a94c0a, 0xc17e4e0f});
}
