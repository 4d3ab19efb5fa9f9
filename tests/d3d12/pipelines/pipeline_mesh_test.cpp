// SPDX-License-Identifier: Apache-2.0
// Pipeline states of mesh shaders, and what runs with them.
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/mesh_desc.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"
#include "tests/d3d12/queues/timeline.hpp"

#include <directx/d3dx12.h>

using namespace fenceline::testing;

namespace {

using Statistics = D3D12_QUERY_DATA_PIPELINE_STATISTICS1;
constexpr auto statistics_type = D3D12_QUERY_TYPE_PIPELINE_STATISTICS1;
constexpr std::uint32_t mesh_threads = 32;
constexpr std::uint32_t mesh_primitives = 16;
constexpr std::uint32_t amplification_threads = 8;

struct Mesh {
  explicit Mesh(App& app) : root(root_signature(app, D3D12_ROOT_SIGNATURE_FLAG_NONE)) {
    desc = mesh_desc(root.Get(), mesh, pixel);
    REQUIRE(app.device.As(&device) == S_OK);
  }
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;
  ComPtr<ID3D12PipelineState> create() const {
    ComPtr<ID3D12PipelineState> made;
    REQUIRE(create_mesh_pipeline(device.Get(), desc, made) == S_OK);
    return made;
  }

  std::string mesh = dxil_code(mesh_kind, {}, {element("SV_Position", 0, 0)}, {}, mesh_threads, mesh_primitives);
  std::string amplification = dxil_code(amplification_kind, {}, {}, {}, amplification_threads);
  std::string pixel = dxil_code(pixel_kind, {element("SV_Position", 0, 0)}, {element("SV_Target", 0, 0)});
  ComPtr<ID3D12RootSignature> root;
  D3DX12_MESH_SHADER_PIPELINE_STATE_DESC desc{};
  ComPtr<ID3D12Device2> device;
};

/// A direct list within a query of statistics.
struct Counted {
  explicit Counted(App& app)
      : recorder(app, D3D12_COMMAND_LIST_TYPE_DIRECT),
        heap(query_heap(app, D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS1, 1)),
        back(app.buffer(sizeof(Statistics), D3D12_HEAP_TYPE_READBACK)) {
    REQUIRE(recorder.list.As(&list) == S_OK);
    const D3D12_VIEWPORT viewport{0, 0, 4096, 4096, 0, 1};
    list->RSSetViewports(1, &viewport);
    list->BeginQuery(heap.Get(), statistics_type, 0);
  }
  Statistics run() {
    list->EndQuery(heap.Get(), statistics_type, 0);
    list->ResolveQueryData(heap.Get(), statistics_type, 0, 1, back.Get(), 0);
    recorder.run();
    return read<Statistics>(back.Get(), 1)[0];
  }
  Recorder recorder;
  ComPtr<ID3D12GraphicsCommandList6> list;
  ComPtr<ID3D12QueryHeap> heap;
  ComPtr<ID3D12Resource> back;
};

}  // namespace

TEST_CASE("mesh shaders: what a pipeline state of one has, and has not", "[d3d12]") {
  DebuggedApp app;
  const Mesh mesh(app);
  const auto with = [&](auto change) {
    CD3DX12_PIPELINE_STATE_STREAM2 stream;
    static_cast<ID3D12RootSignature*&>(stream.pRootSignature) = mesh.root.Get();
    static_cast<D3D12_SHADER_BYTECODE&>(stream.MS) = bytecode(mesh.mesh);
    change(stream);
    const D3D12_PIPELINE_STATE_STREAM_DESC desc{sizeof stream, &stream};
    ComPtr<ID3D12PipelineState> made;
    return mesh.device->CreatePipelineState(&desc, IID_PPV_ARGS(&made));
  };
  const auto set = [](auto& subobject, const std::string& code) {
    static_cast<D3D12_SHADER_BYTECODE&>(subobject) = bytecode(code);
  };
  CHECK(with([](auto&) {}) == S_OK);
  CHECK(with([&](auto& stream) { set(stream.AS, mesh.amplification); }) == S_OK);
  CHECK(app.said_ids().empty());
  const std::string geometry = dxil_code(geometry_kind, {}, {});
  CHECK(with([&](auto& stream) { set(stream.GS, geometry); }) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_MS_PSO_DESC_MISMATCH});
  const std::string vertex = dxil_code(vertex_kind, {}, {});
  CHECK(with([&](auto& stream) { set(stream.VS, vertex); }) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_MS_PSO_DESC_MISMATCH});
  CHECK(with([&](auto& stream) {
          set(stream.AS, mesh.amplification);
          static_cast<D3D12_SHADER_BYTECODE&>(stream.MS) = {};
        }) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_CREATEPIPELINESTATE_MS_INCOMPLETE_TYPE});
  CHECK(with([&](auto& stream) { set(stream.MS, mesh.amplification); }) == E_INVALIDARG);
  const std::string compute = dxil_code(compute_kind, {}, {});
  CHECK(with([&](auto& stream) { set(stream.CS, compute); }) == E_INVALIDARG);
}

TEST_CASE("mesh shaders: a grid counts its threads and primitives, and no vertices", "[d3d12]") {
  App app;
  Mesh mesh(app);
  const auto plain = mesh.create();
  mesh.desc.AS = bytecode(mesh.amplification);
  const auto amplified = mesh.create();
  Counted counted(app);
  counted.list->SetPipelineState(plain.Get());
  counted.list->DispatchMesh(4, 3, 2);
  counted.list->DispatchMesh(7, 0, 1);
  counted.list->SetPipelineState(amplified.Get());
  counted.list->DispatchMesh(5, 1, 1);
  const Statistics found = counted.run();
  constexpr std::uint64_t groups = 4 * 3 * 2 + 5;
  CHECK(found.MSInvocations == groups * mesh_threads);
  CHECK(found.MSPrimitives == groups * mesh_primitives);
  CHECK(found.ASInvocations == 5 * amplification_threads);
  CHECK(found.CPrimitives == groups * mesh_primitives);
  CHECK(found.IAVertices == 0);
  CHECK(found.IAPrimitives == 0);
  CHECK(found.VSInvocations == 0);
  CHECK(found.PSInvocations > 0);
}

TEST_CASE("mesh shaders: more groups take more time", "[d3d12]") {
  App app;
  const auto state = Mesh(app).create();
  GpuTimeline timeline(app.device.Get());
  Recorder recorder(app, D3D12_COMMAND_LIST_TYPE_DIRECT);
  for (const UINT groups : {100, 60'000}) {
    ComPtr<ID3D12GraphicsCommandList6> list;
    REQUIRE(recorder.list.As(&list) == S_OK);
    list->SetPipelineState(state.Get());
    list->DispatchMesh(groups, 1, 1);
    recorder.run();
  }
  const auto& runs = timeline.of(0);
  REQUIRE(runs.size() == 2);
  CHECK(runs[1].end_ps - runs[1].start_ps > 2 * (runs[0].end_ps - runs[0].start_ps));
}

TEST_CASE("mesh shaders: ExecuteIndirect reads grids", "[d3d12]") {
  App app;
  const auto state = Mesh(app).create();
  const auto signature = signature_of(app, D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH_MESH, 16);
  const auto arguments = app.buffer(64, D3D12_HEAP_TYPE_UPLOAD);
  write<UINT>(arguments.Get(), {1, 2, 3, 0, 10, 1, 1, 0});
  Counted counted(app);
  counted.list->SetPipelineState(state.Get());
  counted.list->ExecuteIndirect(signature.Get(), 2, arguments.Get(), 0, nullptr, 0);
  const Statistics found = counted.run();
  CHECK(found.MSInvocations == (6 + 10) * mesh_threads);
  CHECK(found.MSPrimitives == (6 + 10) * mesh_primitives);
}

TEST_CASE("mesh shaders: draws and grids go with their own pipeline states and lists", "[d3d12]") {
  App app;
  const auto mesh = Mesh(app).create();
  const auto graphics = graphics_pipeline(app);
  constexpr auto direct = D3D12_COMMAND_LIST_TYPE_DIRECT;
  using List = ID3D12GraphicsCommandList6;
  CHECK(closed(app, direct, [&](List* list) {
          list->SetPipelineState(mesh.Get());
          list->DispatchMesh(65535, 1, 1);
          list->SetPipelineState(graphics.Get());
          list->DrawInstanced(3, 1, 0, 0);
        }) == S_OK);
  CHECK(closed(app, D3D12_COMMAND_LIST_TYPE_BUNDLE, [&](List* list) {
          list->SetPipelineState(mesh.Get());
          list->DispatchMesh(1, 1, 1);
        }) == S_OK);
  CHECK(FAILED(closed(app, direct, [&](List* list) { list->DispatchMesh(1, 1, 1); })));
  CHECK(FAILED(closed(app, direct, [&](List* list) {
    list->SetPipelineState(graphics.Get());
    list->DispatchMesh(1, 1, 1);
  })));
  CHECK(FAILED(closed(app, direct, [&](List* list) {
    list->SetPipelineState(mesh.Get());
    list->DrawInstanced(3, 1, 0, 0);
  })));
  CHECK(FAILED(closed(app, direct, [&](List* list) {
    list->SetPipelineState(mesh.Get());
    list->DispatchMesh(65536, 1, 1);
  })));
  CHECK(FAILED(closed(app, direct, [&](List* list) {
    list->SetPipelineState(mesh.Get());
    list->DispatchMesh(2048, 2049, 1);
  })));
  CHECK(FAILED(closed(app, D3D12_COMMAND_LIST_TYPE_COMPUTE, [&](List* list) { list->DispatchMesh(1, 1, 1); })));
}

TEST_CASE("mesh shaders: CheckFeatureSupport says so", "[d3d12]") {
  App app;
  D3D12_FEATURE_DATA_D3D12_OPTIONS7 options7{};
  D3D12_FEATURE_DATA_D3D12_OPTIONS9 options9{};
  REQUIRE(app.device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS7, &options7, sizeof options7) == S_OK);
  REQUIRE(app.device->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS9, &options9, sizeof options9) == S_OK);
  CHECK(options7.MeshShaderTier == D3D12_MESH_SHADER_TIER_1);
  CHECK(options7.SamplerFeedbackTier == D3D12_SAMPLER_FEEDBACK_TIER_NOT_SUPPORTED);
  CHECK(options9.MeshShaderPipelineStatsSupported == TRUE);
}
