// SPDX-License-Identifier: Apache-2.0
// Pipeline states from run to run: libraries, cached blobs, and that the same description is the same pipeline state.
#include "api/d3d12/create_device.hpp"
#include "api/d3d12/dxbc/dxbc_hash.hpp"
#include "api/machine_config.hpp"
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/pipeline_builder.hpp"

#include <algorithm>
#include <atomic>
#include <directx/d3dx12.h>
#include <functional>
#include <thread>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr const WCHAR* graphics_name = L"GRAPHICS";
constexpr const WCHAR* compute_name = L"COMPUTE";

struct Compute {
  explicit Compute(ID3D12RootSignature* root) {
    desc.pRootSignature = root;
    desc.CS = bytecode(shader);
  }
  Compute(const Compute&) = delete;
  Compute& operator=(const Compute&) = delete;
  ComPtr<ID3D12PipelineState> create(App& app) const {
    ComPtr<ID3D12PipelineState> made;
    REQUIRE(app.device->CreateComputePipelineState(&desc, IID_PPV_ARGS(&made)) == S_OK);
    return made;
  }
  std::string shader = code(compute_kind, {}, {});
  D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
};

HRESULT make_library(ID3D12Device* device, const std::string& blob, ComPtr<ID3D12PipelineLibrary1>* made = nullptr) {
  ComPtr<ID3D12Device1> device1;
  REQUIRE(device->QueryInterface(IID_PPV_ARGS(&device1)) == S_OK);
  ComPtr<ID3D12PipelineLibrary1> library;
  const HRESULT result =
      device1->CreatePipelineLibrary(blob.empty() ? nullptr : blob.data(), blob.size(), IID_PPV_ARGS(&library));
  REQUIRE((result == S_OK) == (library.Get() != nullptr));
  if (made != nullptr) *made = library;
  return result;
}

ComPtr<ID3D12PipelineLibrary1> library_of(App& app, const std::string& blob = "") {
  ComPtr<ID3D12PipelineLibrary1> made;
  REQUIRE(make_library(app.device.Get(), blob, &made) == S_OK);
  return made;
}

std::string serialized(ID3D12PipelineLibrary1* library) {
  std::string bytes(library->GetSerializedSize(), '\0');
  REQUIRE(library->Serialize(bytes.data(), bytes.size()) == S_OK);
  return bytes;
}

/// The blob with a number of its header changed, and its hash put right.
std::string forged(std::string blob, std::size_t at, std::uint32_t value) {
  put_number(blob, at, value);
  const d3d12::DxbcHash hash = d3d12::dxbc_hash(blob);
  for (std::size_t i = 0; i < hash.size(); ++i) put_number(blob, 4 + 4 * i, hash[i]);
  return blob;
}
constexpr std::size_t driver_at = 28;  // its higher half
constexpr std::size_t adapter_at = 32;

}  // namespace

TEST_CASE("pipeline libraries: store, load, serialize and read again, as vkd3d-proton's test does", "[d3d12]") {
  DebuggedApp app;
  const Pipeline pipeline(app);
  const Compute compute(pipeline.root.Get());
  auto library = library_of(app);
  ComPtr<ID3D12PipelineState> state;

  CHECK(library->LoadComputePipeline(compute_name, &compute.desc, IID_PPV_ARGS(&state)) == E_INVALIDARG);
  CHECK(library->LoadGraphicsPipeline(graphics_name, &pipeline.desc, IID_PPV_ARGS(&state)) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_LOADPIPELINE_NAMENOTFOUND, D3D12_MESSAGE_ID_LOADPIPELINE_NAMENOTFOUND});
  CHECK(library->StorePipeline(compute_name, compute.create(app).Get()) == S_OK);
  REQUIRE(pipeline.create(app, &state) == S_OK);
  CHECK(library->StorePipeline(graphics_name, state.Get()) == S_OK);
  CHECK(library->StorePipeline(compute_name, state.Get()) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_STOREPIPELINE_DUPLICATENAME});
  CHECK(library->StorePipeline(nullptr, state.Get()) == E_INVALIDARG);
  CHECK(library->StorePipeline(L"", state.Get()) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_STOREPIPELINE_NONAME, D3D12_MESSAGE_ID_STOREPIPELINE_NONAME});
  CHECK(library->StorePipeline(L"null", nullptr) == E_INVALIDARG);
  CHECK(library->LoadComputePipeline(compute_name, &compute.desc, IID_PPV_ARGS(&state)) == S_OK);
  CHECK(library->LoadGraphicsPipeline(graphics_name, &pipeline.desc, IID_PPV_ARGS(&state)) == S_OK);
  app.said_ids();

  const SIZE_T size = library->GetSerializedSize();
  std::string bytes(size, '\0');
  CHECK(library->Serialize(bytes.data(), size - 1) == E_INVALIDARG);
  CHECK(library->Serialize(nullptr, size) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_PIPELINELIBRARY_SERIALIZE_NOTENOUGHMEMORY,
                              D3D12_MESSAGE_ID_PIPELINELIBRARY_SERIALIZE_NOTENOUGHMEMORY});
  REQUIRE(library->Serialize(bytes.data(), size) == S_OK);
  library = library_of(app, bytes);
  CHECK(serialized(library.Get()) == bytes);
  CHECK(library->LoadGraphicsPipeline(graphics_name, &pipeline.desc, IID_PPV_ARGS(&state)) == S_OK);
  CHECK(library->LoadComputePipeline(compute_name, &compute.desc, IID_PPV_ARGS(&state)) == S_OK);
  CHECK(library->LoadComputePipeline(graphics_name, &compute.desc, IID_PPV_ARGS(&state)) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_LOADPIPELINE_INVALIDDESC});
  CD3DX12_PIPELINE_STATE_STREAM1 stream(pipeline.desc);
  const D3D12_PIPELINE_STATE_STREAM_DESC stream_desc{sizeof stream, &stream};
  CHECK(library->LoadPipeline(graphics_name, &stream_desc, IID_PPV_ARGS(&state)) == S_OK);
  CHECK(library->LoadPipeline(compute_name, &stream_desc, IID_PPV_ARGS(&state)) == E_INVALIDARG);
  auto other = pipeline.desc;
  other.RasterizerState.CullMode = D3D12_CULL_MODE_NONE;
  CHECK(library->LoadGraphicsPipeline(graphics_name, &other, IID_PPV_ARGS(&state)) == E_INVALIDARG);
  CHECK(app.said_ids() == Ids{D3D12_MESSAGE_ID_LOADPIPELINE_INVALIDDESC, D3D12_MESSAGE_ID_LOADPIPELINE_INVALIDDESC});
}

TEST_CASE("pipeline libraries: null pointers", "[d3d12]") {
  App app;
  const Pipeline pipeline(app);
  ComPtr<ID3D12Device1> device;
  REQUIRE(app.device.As(&device) == S_OK);
  CHECK(device->CreatePipelineLibrary(nullptr, 0, __uuidof(ID3D12PipelineLibrary), nullptr) == S_FALSE);
  CHECK(device->CreatePipelineLibrary(&app, 0, __uuidof(ID3D12PipelineLibrary), nullptr) == S_FALSE);
  void* place = &app;
  CHECK(device->CreatePipelineLibrary(nullptr, 8, __uuidof(ID3D12PipelineLibrary), &place) == E_INVALIDARG);
  CHECK(place == nullptr);
  const auto library = library_of(app);
  ComPtr<ID3D12PipelineState> state;
  REQUIRE(pipeline.create(app, &state) == S_OK);
  REQUIRE(library->StorePipeline(L"one", state.Get()) == S_OK);
  constexpr auto iid = __uuidof(ID3D12PipelineState);
  CHECK(library->LoadGraphicsPipeline(nullptr, &pipeline.desc, iid, &place) == E_INVALIDARG);
  CHECK(library->LoadGraphicsPipeline(L"one", nullptr, iid, &place) == E_INVALIDARG);
  CHECK(library->LoadGraphicsPipeline(L"one", &pipeline.desc, iid, nullptr) == S_FALSE);
  CHECK(library->LoadGraphicsPipeline(L"one", &pipeline.desc, __uuidof(ID3D12Fence), &place) == E_NOINTERFACE);
  CHECK(place == nullptr);
  CHECK(state->GetCachedBlob(nullptr) == E_INVALIDARG);
}

TEST_CASE("pipeline libraries: interfaces and references", "[d3d12]") {
  App app;
  const ULONG of_device = references(app.device.Get());
  auto library = library_of(app);
  CHECK(references(app.device.Get()) == of_device + 1);
  for (const IID& iid : {__uuidof(ID3D12PipelineLibrary), __uuidof(ID3D12PipelineLibrary1), __uuidof(ID3D12DeviceChild),
                         __uuidof(ID3D12Object), __uuidof(IUnknown)}) {
    ComPtr<IUnknown> face;
    CHECK(library->QueryInterface(iid, reinterpret_cast<void**>(face.GetAddressOf())) == S_OK);
  }
  ComPtr<ID3D12Pageable> pageable;
  CHECK(library->QueryInterface(IID_PPV_ARGS(&pageable)) == E_NOINTERFACE);
  library.Reset();
  CHECK(references(app.device.Get()) == of_device);
}

TEST_CASE("pipeline libraries: each load gives out one object, which the library keeps", "[d3d12]") {
  App app;
  const Pipeline pipeline(app);
  auto library = library_of(app);
  const ULONG of_device = references(app.device.Get());
  ComPtr<ID3D12PipelineState> stored;
  REQUIRE(pipeline.create(app, &stored) == S_OK);
  REQUIRE(stored->SetName(L"kept") == S_OK);
  REQUIRE(library->StorePipeline(graphics_name, stored.Get()) == S_OK);
  CHECK(references(stored.Get()) == 1);
  ComPtr<ID3D12PipelineState> first;
  ComPtr<ID3D12PipelineState> second;
  REQUIRE(library->LoadGraphicsPipeline(graphics_name, &pipeline.desc, IID_PPV_ARGS(&first)) == S_OK);
  REQUIRE(library->LoadGraphicsPipeline(graphics_name, &pipeline.desc, IID_PPV_ARGS(&second)) == S_OK);
  CHECK(first.Get() == stored.Get());
  CHECK(second.Get() == stored.Get());
  CHECK(references(stored.Get()) == 3);
  CHECK(references(app.device.Get()) == of_device + 1);
  ID3D12PipelineState* const address = stored.Get();
  stored.Reset();
  first.Reset();
  second.Reset();
  CHECK(references(app.device.Get()) == of_device);
  // Nobody has a reference, but the library has the object, with its name, and a reference to the device again.
  REQUIRE(library->LoadGraphicsPipeline(graphics_name, &pipeline.desc, IID_PPV_ARGS(&first)) == S_OK);
  CHECK(first.Get() == address);
  CHECK(references(first.Get()) == 1);
  CHECK(references(app.device.Get()) == of_device + 1);
  UINT bytes = 0;
  CHECK(first->GetPrivateData(WKPDID_D3DDebugObjectNameW, &bytes, nullptr) == S_OK);
  library.Reset();
  CHECK(references(first.Get()) == 1);
  CHECK(references(app.device.Get()) == of_device);

  library = library_of(app, [&] {
    auto other = library_of(app);
    REQUIRE(other->StorePipeline(graphics_name, first.Get()) == S_OK);
    return serialized(other.Get());
  }());
  ComPtr<ID3D12PipelineState> loaded;
  REQUIRE(library->LoadGraphicsPipeline(graphics_name, &pipeline.desc, IID_PPV_ARGS(&loaded)) == S_OK);
  REQUIRE(library->LoadGraphicsPipeline(graphics_name, &pipeline.desc, IID_PPV_ARGS(&second)) == S_OK);
  CHECK(loaded.Get() != first.Get());
  CHECK(loaded.Get() == second.Get());
}

TEST_CASE("pipeline libraries: threads store and load at the same time", "[d3d12]") {
  App app;
  const Pipeline pipeline(app);
  const auto library = library_of(app);
  ComPtr<ID3D12PipelineState> shared;
  REQUIRE(pipeline.create(app, &shared) == S_OK);
  REQUIRE(library->StorePipeline(graphics_name, shared.Get()) == S_OK);
  std::atomic<int> wrong{0};
  const auto work = [&](wchar_t letter) {
    const auto expect = [&](bool right) { wrong += right ? 0 : 1; };
    for (wchar_t i = 1; i <= 50; ++i) {
      const std::wstring name = {letter, i};
      ComPtr<ID3D12PipelineState> own;
      ComPtr<ID3D12PipelineState> loaded;
      expect(app.device->CreateGraphicsPipelineState(&pipeline.desc, IID_PPV_ARGS(&own)) == S_OK);
      expect(library->StorePipeline(name.c_str(), own.Get()) == S_OK);
      expect(library->LoadGraphicsPipeline(name.c_str(), &pipeline.desc, IID_PPV_ARGS(&loaded)) == S_OK);
      expect(loaded.Get() == own.Get());
      expect(library->LoadGraphicsPipeline(graphics_name, &pipeline.desc, IID_PPV_ARGS(&loaded)) == S_OK);
      expect(loaded.Get() == shared.Get());
      expect(library->GetSerializedSize() > 0);
    }
  };
  std::vector<std::thread> threads;
  for (const wchar_t letter : {L'a', L'b', L'c', L'd'}) threads.emplace_back(work, letter);
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(references(shared.Get()) == 1);
}

TEST_CASE("pipeline libraries: a blob of another adapter, another driver, or with other bytes", "[d3d12]") {
  DebuggedApp app;
  const Pipeline pipeline(app);
  ComPtr<ID3D12PipelineState> state;
  REQUIRE(pipeline.create(app, &state) == S_OK);
  const auto library = library_of(app);
  REQUIRE(library->StorePipeline(graphics_name, state.Get()) == S_OK);
  const std::string blob = serialized(library.Get());
  const auto expect = [&](const std::string& bytes, HRESULT result, int id) {
    app.said_ids();
    CHECK(make_library(app.device.Get(), bytes) == result);
    CHECK(app.said_ids() == Ids{id});
  };
  constexpr int corrupt = D3D12_MESSAGE_ID_CREATEPIPELINELIBRARY_INVALIDLIBRARYBLOB;
  expect(forged(blob, driver_at, 77), D3D12_ERROR_DRIVER_VERSION_MISMATCH,
         D3D12_MESSAGE_ID_CREATEPIPELINELIBRARY_DRIVERVERSIONMISMATCH);
  expect(forged(blob, adapter_at, 77), D3D12_ERROR_ADAPTER_NOT_FOUND,
         D3D12_MESSAGE_ID_CREATEPIPELINELIBRARY_ADAPTERVERSIONMISMATCH);
  expect(blob.substr(0, blob.size() - 1), E_INVALIDARG, corrupt);
  expect(blob + '\0', E_INVALIDARG, corrupt);
  expect("FLPL", E_INVALIDARG, corrupt);
  expect(cached_blob(state.Get()), E_INVALIDARG, corrupt);
  std::string changed = blob;
  changed.back() ^= 1;
  expect(changed, E_INVALIDARG, corrupt);
  // Forged content: more entries than there are, a name without end.
  constexpr std::size_t count_at = 48;
  expect(forged(blob, count_at, 2), E_INVALIDARG, corrupt);
  expect(forged(blob, count_at, 0), E_INVALIDARG, corrupt);
  expect(forged(blob, count_at + 4 + 16, ~0U), E_INVALIDARG, corrupt);
  expect(forged(blob, count_at + 4 + 16, 0), E_INVALIDARG, corrupt);
}

TEST_CASE("pipeline libraries: another machine's device does not take the blob, an equal machine's does", "[d3d12]") {
  App app;
  const Pipeline pipeline(app);
  ComPtr<ID3D12PipelineState> state;
  REQUIRE(pipeline.create(app, &state) == S_OK);
  const auto library = library_of(app);
  REQUIRE(library->StorePipeline(graphics_name, state.Get()) == S_OK);
  const std::string blob = serialized(library.Get());
  const auto with = [&](const std::function<void(MachineConfig&)>& change) {
    MachineConfig machine = builtin_machine("tiny");
    change(machine);
    ComPtr<ID3D12Device> device;
    REQUIRE(d3d12::create_device(machine, IID_PPV_ARGS(&device)) == S_OK);
    return make_library(device.Get(), blob);
  };
  CHECK(with([](MachineConfig&) {}) == S_OK);
  CHECK(with([](MachineConfig& machine) { machine.host.call_us *= 2; }) == S_OK);
  CHECK(with([](MachineConfig& machine) { machine.name = "other"; }) == D3D12_ERROR_ADAPTER_NOT_FOUND);
  CHECK(with([](MachineConfig& machine) { machine.shader_array.registers_per_sm *= 2; }) ==
        D3D12_ERROR_ADAPTER_NOT_FOUND);
}

TEST_CASE("cached pipelines: the blob of a pipeline state goes with its description", "[d3d12]") {
  DebuggedApp app;
  Pipeline pipeline(app);
  Compute compute(pipeline.root.Get());
  const std::string blob = cached_blob(compute.create(app).Get());
  ComPtr<ID3D12PipelineState> state;
  const auto expect = [&](const std::string& bytes, HRESULT result, const Ids& ids) {
    compute.desc.CachedPSO = {bytes.data(), bytes.size()};
    app.said_ids();
    CHECK(app.device->CreateComputePipelineState(&compute.desc, IID_PPV_ARGS(&state)) == result);
    CHECK(app.said_ids() == ids);
  };
  expect(blob, S_OK, {});
  CHECK(cached_blob(state.Get()) == blob);
  expect("", S_OK, {});
  expect("no blob", E_INVALIDARG, {D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALIDCACHEDBLOB});
  expect(forged(blob, driver_at, 77), D3D12_ERROR_DRIVER_VERSION_MISMATCH,
         {D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CACHEDBLOBDRIVERVERSIONMISMATCH});
  expect(forged(blob, adapter_at, 77), D3D12_ERROR_ADAPTER_NOT_FOUND,
         {D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CACHEDBLOBADAPTERMISMATCH});
  REQUIRE(pipeline.create(app, &state) == S_OK);
  const std::string of_graphics = cached_blob(state.Get());
  expect(of_graphics, E_INVALIDARG, {D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CACHEDBLOBDESCMISMATCH});
  pipeline.desc.CachedPSO = {of_graphics.data(), of_graphics.size()};
  CHECK(pipeline.create(app) == S_OK);
  pipeline.desc.SampleMask = 1;
  CHECK(pipeline.create(app) == E_INVALIDARG);
  pipeline.desc.CachedPSO = {nullptr, 5};
  CHECK(pipeline.create(app) == E_INVALIDARG);
}

TEST_CASE("cached pipelines: every part of a description that has an effect makes another pipeline state", "[d3d12]") {
  App app;
  const auto blob_of = [&](const std::function<void(Pipeline&)>& change) {
    Pipeline pipeline(app);
    change(pipeline);
    ComPtr<ID3D12PipelineState> state;
    REQUIRE(pipeline.create(app, &state) == S_OK);
    return cached_blob(state.Get());
  };
  const std::string same = blob_of([](Pipeline&) {});
  const std::function<void(Pipeline&)> without_effect[] = {
      [](Pipeline&) {},
      [](Pipeline& p) { p.desc.NodeMask = 1; },
      [](Pipeline& p) { p.input.SemanticName = "position"; },
      [](Pipeline& p) { p.desc.BlendState.RenderTarget[0].SrcBlend = D3D12_BLEND_ONE; },
      [](Pipeline& p) { p.desc.BlendState.RenderTarget[3].BlendEnable = TRUE; },
      [](Pipeline& p) { p.desc.BlendState.IndependentBlendEnable = TRUE; },
      [](Pipeline& p) { p.desc.DepthStencilState.DepthFunc = D3D12_COMPARISON_FUNC_EQUAL; },
      [](Pipeline& p) { p.desc.RasterizerState.DepthClipEnable = FALSE; },
      [](Pipeline& p) { p.desc.StreamOutput.NumStrides = 3; },
  };
  for (const auto& change : without_effect) CHECK(blob_of(change) == same);
  static const std::string other_vertex =
      code(vertex_kind, {element("POSITION", 0, 0)}, {element("SV_Position", 0, 0), element("MORE", 0, 1)});
  const auto other_root = root_signature(app, D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT);
  const std::function<void(Pipeline&)> with_effect[] = {
      [](Pipeline& p) { p.desc.VS = bytecode(other_vertex); },
      [](Pipeline& p) { p.desc.PS = {}; },
      [&](Pipeline& p) { p.desc.pRootSignature = other_root.Get(); },
      [](Pipeline& p) { p.desc.SampleMask = 1; },
      [](Pipeline& p) { p.desc.SampleDesc.Count = 4; },
      [](Pipeline& p) { p.desc.RTVFormats[0] = DXGI_FORMAT_B8G8R8A8_UNORM; },
      [](Pipeline& p) { p.desc.DSVFormat = DXGI_FORMAT_D32_FLOAT; },
      [](Pipeline& p) { p.desc.BlendState.AlphaToCoverageEnable = TRUE; },
      [](Pipeline& p) { p.desc.BlendState.RenderTarget[0].RenderTargetWriteMask = 3; },
      [](Pipeline& p) { p.desc.RasterizerState.FrontCounterClockwise = TRUE; },
      [](Pipeline& p) { p.desc.RasterizerState.SlopeScaledDepthBias = 0.5F; },
      [](Pipeline& p) { p.desc.RasterizerState.DepthBias = -1; },
      [](Pipeline& p) { p.input.InputSlot = 1; },
      [](Pipeline& p) { p.input.Format = DXGI_FORMAT_R32G32_FLOAT; },
      [](Pipeline& p) { p.desc.PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_LINE; },
      [](Pipeline& p) { p.desc.IBStripCutValue = D3D12_INDEX_BUFFER_STRIP_CUT_VALUE_0xFFFF; },
  };
  std::vector<std::string> seen = {same};
  for (const auto& change : with_effect) {
    const std::string blob = blob_of(change);
    CHECK(std::find(seen.begin(), seen.end(), blob) == seen.end());
    seen.push_back(blob);
  }
}

TEST_CASE("cached pipelines: CheckFeatureSupport says what there is", "[d3d12]") {
  App app;
  D3D12_FEATURE_DATA_SHADER_CACHE cache{};
  REQUIRE(app.device->CheckFeatureSupport(D3D12_FEATURE_SHADER_CACHE, &cache, sizeof cache) == S_OK);
  CHECK(cache.SupportFlags ==
        (D3D12_SHADER_CACHE_SUPPORT_SINGLE_PSO | D3D12_SHADER_CACHE_SUPPORT_LIBRARY |
         D3D12_SHADER_CACHE_SUPPORT_AUTOMATIC_INPROC_CACHE | D3D12_SHADER_CACHE_SUPPORT_SHADER_CONTROL_CLEAR |
         D3D12_SHADER_CACHE_SUPPORT_SHADER_SESSION_DELETE));
}
