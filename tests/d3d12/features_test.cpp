// SPDX-License-Identifier: Apache-2.0
// CheckFeatureSupport: every question of the header has a row with a source, what several structs tell agrees, and what
// they tell is what the methods do.
#include "api/d3d12/device/device_features.hpp"
#include "tests/d3d12/pipelines/desc_builder.hpp"
#include "tests/d3d12/pipelines/pipelines.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using d3d12::Feature;

namespace {

template <class Data>
Data ask(ID3D12Device* device, D3D12_FEATURE feature, Data data = {}) {
  REQUIRE(device->CheckFeatureSupport(feature, &data, sizeof data) == S_OK);
  return data;
}

/// All that a device says of itself without being asked for something.
struct Answers {
  explicit Answers(ID3D12Device* device)
      : options(ask<decltype(options)>(device, D3D12_FEATURE_D3D12_OPTIONS)),
        options1(ask<decltype(options1)>(device, D3D12_FEATURE_D3D12_OPTIONS1)),
        options3(ask<decltype(options3)>(device, D3D12_FEATURE_D3D12_OPTIONS3)),
        options4(ask<decltype(options4)>(device, D3D12_FEATURE_D3D12_OPTIONS4)),
        options5(ask<decltype(options5)>(device, D3D12_FEATURE_D3D12_OPTIONS5)),
        options6(ask<decltype(options6)>(device, D3D12_FEATURE_D3D12_OPTIONS6)),
        options7(ask<decltype(options7)>(device, D3D12_FEATURE_D3D12_OPTIONS7)),
        options9(ask<decltype(options9)>(device, D3D12_FEATURE_D3D12_OPTIONS9)),
        options10(ask<decltype(options10)>(device, D3D12_FEATURE_D3D12_OPTIONS10)),
        options11(ask<decltype(options11)>(device, D3D12_FEATURE_D3D12_OPTIONS11)),
        options12(ask<decltype(options12)>(device, D3D12_FEATURE_D3D12_OPTIONS12)),
        options14(ask<decltype(options14)>(device, D3D12_FEATURE_D3D12_OPTIONS14)),
        architecture(ask<decltype(architecture)>(device, D3D12_FEATURE_ARCHITECTURE)),
        architecture1(ask<decltype(architecture1)>(device, D3D12_FEATURE_ARCHITECTURE1)),
        addresses(ask<decltype(addresses)>(device, D3D12_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT)),
        cross_node(ask<decltype(cross_node)>(device, D3D12_FEATURE_CROSS_NODE)),
        displayable(ask<decltype(displayable)>(device, D3D12_FEATURE_DISPLAYABLE)),
        shader_model(ask<decltype(shader_model)>(device, D3D12_FEATURE_SHADER_MODEL, {D3D_HIGHEST_SHADER_MODEL})) {}

  D3D12_FEATURE_DATA_D3D12_OPTIONS options;
  D3D12_FEATURE_DATA_D3D12_OPTIONS1 options1;
  D3D12_FEATURE_DATA_D3D12_OPTIONS3 options3;
  D3D12_FEATURE_DATA_D3D12_OPTIONS4 options4;
  D3D12_FEATURE_DATA_D3D12_OPTIONS5 options5;
  D3D12_FEATURE_DATA_D3D12_OPTIONS6 options6;
  D3D12_FEATURE_DATA_D3D12_OPTIONS7 options7;
  D3D12_FEATURE_DATA_D3D12_OPTIONS9 options9;
  D3D12_FEATURE_DATA_D3D12_OPTIONS10 options10;
  D3D12_FEATURE_DATA_D3D12_OPTIONS11 options11;
  D3D12_FEATURE_DATA_D3D12_OPTIONS12 options12;
  D3D12_FEATURE_DATA_D3D12_OPTIONS14 options14;
  D3D12_FEATURE_DATA_ARCHITECTURE architecture;
  D3D12_FEATURE_DATA_ARCHITECTURE1 architecture1;
  D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT addresses;
  D3D12_FEATURE_DATA_CROSS_NODE cross_node;
  D3D12_FEATURE_DATA_DISPLAYABLE displayable;
  D3D12_FEATURE_DATA_SHADER_MODEL shader_model;
};

bool at_least(const Answers& of, D3D_SHADER_MODEL model) { return of.shader_model.HighestShaderModel >= model; }

}  // namespace

TEST_CASE("features: every question of the header has one row, a source and one size", "[d3d12][features]") {
  const App app;
  // The numbers that the header names.
  const std::vector<int> header = {0,  1,  2,  3,  4,  5,  6,  7,  8,  10, 12, 16, 18, 19, 20, 21, 22, 23,
                                   24, 25, 27, 28, 30, 31, 32, 33, 34, 36, 37, 39, 40, 41, 42, 43, 44};
  std::vector<int> known;
  for (const Feature& feature : d3d12::features()) {
    INFO(feature.name);
    known.push_back(feature.feature);
    CHECK(std::string(feature.source).size() > 5);
    std::vector<std::byte> data(feature.bytes + 8);
    CHECK(app.device->CheckFeatureSupport(feature.feature, nullptr, feature.bytes) == E_INVALIDARG);
    CHECK(app.device->CheckFeatureSupport(feature.feature, data.data(), feature.bytes - 1) == E_INVALIDARG);
    CHECK(app.device->CheckFeatureSupport(feature.feature, data.data(), feature.bytes + 1) == E_INVALIDARG);
  }
  CHECK(known == header);
  std::vector<std::byte> data(64);
  for (const int unknown : {9, 11, 26, 45, 99, -1}) {
    CHECK(app.device->CheckFeatureSupport(static_cast<D3D12_FEATURE>(unknown), data.data(), 4) == E_INVALIDARG);
  }
}

TEST_CASE("features: what follows from what holds among the structs", "[d3d12][features]") {
  const App app;
  const Answers of(app.device.Get());
  const struct {
    const char* rule;
    bool holds;
  } rules[] = {
      {"shader model 6_0 has wave operations and 64-bit integers",
       !at_least(of, D3D_SHADER_MODEL_6_0) || (of.options1.WaveOps == TRUE && of.options1.Int64ShaderOps == TRUE)},
      {"wave operations have lanes, a power of two from 4 to 128",
       of.options1.WaveOps == FALSE ||
           (of.options1.WaveLaneCountMin >= 4 && of.options1.WaveLaneCountMin <= of.options1.WaveLaneCountMax &&
            of.options1.WaveLaneCountMax <= 128 && of.options1.TotalLaneCount >= of.options1.WaveLaneCountMax)},
      {"mesh shaders need shader model 6_5", of.options7.MeshShaderTier == 0 || at_least(of, D3D_SHADER_MODEL_6_5)},
      {"16-bit operations need shader model 6_2",
       of.options4.Native16BitShaderOpsSupported == FALSE || at_least(of, D3D_SHADER_MODEL_6_2)},
      {"barycentrics need shader model 6_1",
       of.options3.BarycentricsSupported == FALSE || at_least(of, D3D_SHADER_MODEL_6_1)},
      {"ray tracing 1.1 and sampler feedback need shader model 6_5",
       (of.options5.RaytracingTier < D3D12_RAYTRACING_TIER_1_1 && of.options7.SamplerFeedbackTier == 0) ||
           at_least(of, D3D_SHADER_MODEL_6_5)},
      {"64-bit atomics, derivatives in mesh shaders and wave matrices need shader model 6_6",
       (of.options9.AtomicInt64OnTypedResourceSupported == FALSE &&
        of.options9.AtomicInt64OnGroupSharedSupported == FALSE &&
        of.options9.DerivativesInMeshAndAmplificationShadersSupported == FALSE && of.options9.WaveMMATier == 0 &&
        of.options11.AtomicInt64OnDescriptorHeapResourceSupported == FALSE) ||
           at_least(of, D3D_SHADER_MODEL_6_6)},
      {"advanced texture operations and writeable multisampled textures need shader model 6_7",
       (of.options14.AdvancedTextureOpsSupported == FALSE && of.options14.WriteableMSAATexturesSupported == FALSE) ||
           at_least(of, D3D_SHADER_MODEL_6_7)},
      {"mesh shaders' statistics and shading rates need mesh shaders",
       (of.options9.MeshShaderPipelineStatsSupported == FALSE &&
        of.options9.MeshShaderSupportsFullRangeRenderTargetArrayIndex == FALSE &&
        of.options10.MeshShaderPerPrimitiveShadingRateSupported == FALSE) ||
           of.options7.MeshShaderTier > 0},
      {"shading rates beyond the basic ones need a tier",
       of.options6.VariableShadingRateTier > 0 ||
           (of.options6.AdditionalShadingRatesSupported == FALSE && of.options6.ShadingRateImageTileSize == 0 &&
            of.options10.VariableRateShadingSumCombinerSupported == FALSE)},
      {"3D textures that only shaders read are tiled as part of tier 3",
       (of.options.TiledResourcesTier >= D3D12_TILED_RESOURCES_TIER_3) ==
           (of.options5.SRVOnlyTiledResourceTier3 == TRUE)},
      {"feature level 12_1 needs ordered views, conservative rasterization, tiles and bindings of tier 2, typed loads",
       of.options.ROVsSupported == TRUE && of.options.ConservativeRasterizationTier >= 1 &&
           of.options.TiledResourcesTier >= D3D12_TILED_RESOURCES_TIER_2 &&
           of.options.ResourceBindingTier >= D3D12_RESOURCE_BINDING_TIER_2 &&
           of.options.TypedUAVLoadAdditionalFormats == TRUE && of.options.OutputMergerLogicOp == TRUE},
      {"addresses of a resource have as many bits in both structs, and fit into a process",
       of.options.MaxGPUVirtualAddressBitsPerResource == of.addresses.MaxGPUVirtualAddressBitsPerResource &&
           of.addresses.MaxGPUVirtualAddressBitsPerResource <= of.addresses.MaxGPUVirtualAddressBitsPerProcess},
      {"both architectures are one", of.architecture.UMA == of.architecture1.UMA &&
                                         of.architecture.CacheCoherentUMA == of.architecture1.CacheCoherentUMA &&
                                         of.architecture.TileBasedRenderer == of.architecture1.TileBasedRenderer},
      {"a coherent cache needs one memory", of.architecture.UMA == TRUE || of.architecture.CacheCoherentUMA == FALSE},
      {"nodes share the same in both structs", of.options.CrossNodeSharingTier == of.cross_node.SharingTier},
      {"shared resources have one tier",
       of.options4.SharedResourceCompatibilityTier == of.displayable.SharedResourceCompatibilityTier},
  };
  for (const auto& rule : rules) {
    INFO(rule.rule);
    CHECK(rule.holds);
  }
}

TEST_CASE("features: lanes are the machine's", "[d3d12][features]") {
  const auto row = std::find_if(d3d12::features().begin(), d3d12::features().end(),
                                [](const Feature& one) { return one.feature == D3D12_FEATURE_D3D12_OPTIONS1; });
  for (const std::string& name : builtin_machine_names()) {
    MachineConfig machine = builtin_machine(name);
    for (const std::uint32_t warp : {machine.shader_array.warp_threads, 16U, 64U}) {
      machine.shader_array.warp_threads = warp;
      D3D12_FEATURE_DATA_D3D12_OPTIONS1 options1{};
      REQUIRE(row->answer(machine, &options1) == S_OK);
      CHECK(options1.WaveLaneCountMin == warp);
      CHECK(options1.WaveLaneCountMax == warp);
      CHECK(options1.TotalLaneCount == machine.shader_array.sms * machine.shader_array.alu_lanes);
    }
  }
}

TEST_CASE("features: what is told to be there works", "[d3d12][features]") {
  App app;
  const Answers of(app.device.Get());
  SECTION("enhanced barriers") {
    CHECK(of.options12.EnhancedBarriersSupported == TRUE);
    const auto buffer = app.buffer(4096);
    const auto list = app.list(app.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT).Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
    ComPtr<ID3D12GraphicsCommandList7> newest;
    REQUIRE(list.As(&newest) == S_OK);
    D3D12_BUFFER_BARRIER barrier{};
    barrier.SyncBefore = D3D12_BARRIER_SYNC_COPY;
    barrier.SyncAfter = D3D12_BARRIER_SYNC_COMPUTE_SHADING;
    barrier.AccessBefore = D3D12_BARRIER_ACCESS_COPY_DEST;
    barrier.AccessAfter = D3D12_BARRIER_ACCESS_SHADER_RESOURCE;
    barrier.pResource = buffer.Get();
    barrier.Size = UINT64_MAX;
    D3D12_BARRIER_GROUP group{};
    group.Type = D3D12_BARRIER_TYPE_BUFFER;
    group.NumBarriers = 1;
    group.pBufferBarriers = &barrier;
    newest->Barrier(1, &group);
    CHECK(list->Close() == S_OK);
  }
  SECTION("mesh shaders") {
    CHECK(of.options7.MeshShaderTier == D3D12_MESH_SHADER_TIER_1);
    CHECK(mesh_pipeline(app).Get() != nullptr);
  }
  SECTION("multisampled textures at 64 KiB") {
    CHECK(of.options4.MSAA64KBAlignedTextureSupported == TRUE);
    D3D12_RESOURCE_DESC desc = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 1920, 1080);
    desc.SampleDesc.Count = 4;
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
    desc.Alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
    CHECK(app.device->GetResourceAllocationInfo(0, 1, &desc).Alignment == D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT);
  }
  SECTION("compute lists take the expanded states") {
    CHECK(of.options1.ExpandedComputeResourceStates == TRUE);
    const auto list = app.list(app.allocator(D3D12_COMMAND_LIST_TYPE_COMPUTE).Get(), D3D12_COMMAND_LIST_TYPE_COMPUTE);
    const auto buffer = app.buffer(4096);
    for (const auto state : {D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT, D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER}) {
      D3D12_RESOURCE_BARRIER barrier{};
      barrier.Transition = {buffer.Get(), 0, D3D12_RESOURCE_STATE_COMMON, state};
      list->ResourceBarrier(1, &barrier);
    }
    CHECK(list->Close() == S_OK);
  }
  SECTION("copies between a 2D and a 3D texture") {
    const auto options13 = ask<D3D12_FEATURE_DATA_D3D12_OPTIONS13>(app.device.Get(), D3D12_FEATURE_D3D12_OPTIONS13);
    CHECK(options13.TextureCopyBetweenDimensionsSupported == TRUE);
    const auto flat = app.texture(DXGI_FORMAT_R8G8B8A8_UNORM, 16, 16);
    const auto deep = app.resource(texture_3d(DXGI_FORMAT_R8G8B8A8_UNORM, 16, 16, 4), D3D12_HEAP_TYPE_DEFAULT);
    const auto list = app.list(app.allocator(D3D12_COMMAND_LIST_TYPE_DIRECT).Get(), D3D12_COMMAND_LIST_TYPE_DIRECT);
    D3D12_TEXTURE_COPY_LOCATION from{};
    from.pResource = flat.Get();
    D3D12_TEXTURE_COPY_LOCATION to{};
    to.pResource = deep.Get();
    list->CopyTextureRegion(&to, 0, 0, 2, &from, nullptr);
    CHECK(list->Close() == S_OK);
  }
}

TEST_CASE("features: what is told to be missing answers none, and S_OK", "[d3d12][features]") {
  const App app;
  ID3D12Device* const device = app.device.Get();
  const auto session = ask<D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_SUPPORT>(
      device, D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_SUPPORT);
  CHECK(session.Support == D3D12_PROTECTED_RESOURCE_SESSION_SUPPORT_FLAG_NONE);
  const auto count = ask<D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_TYPE_COUNT>(
      device, D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_TYPE_COUNT, {0, 77});
  CHECK(count.Count == 0);
  ask<D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_TYPES>(device, D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_TYPES);
  const auto displayable = ask<D3D12_FEATURE_DATA_DISPLAYABLE>(device, D3D12_FEATURE_DISPLAYABLE);
  CHECK(displayable.DisplayableTexture == FALSE);
  std::uint32_t output = 7;
  D3D12_FEATURE_DATA_QUERY_META_COMMAND meta{};
  meta.pQueryOutputData = &output;
  meta.QueryOutputDataSizeInBytes = sizeof output;
  ask(device, D3D12_FEATURE_QUERY_META_COMMAND, meta);
  CHECK(output == 0);
  CHECK(ask<D3D12_FEATURE_DATA_SERIALIZATION>(device, D3D12_FEATURE_SERIALIZATION).HeapSerializationTier ==
        D3D12_HEAP_SERIALIZATION_TIER_0);
  CHECK(ask<D3D12_FEATURE_DATA_EXISTING_HEAPS>(device, D3D12_FEATURE_EXISTING_HEAPS).Supported == FALSE);
  // Of a node that is not there, nothing is told.
  D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_SUPPORT other{1, {}};
  CHECK(device->CheckFeatureSupport(D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_SUPPORT, &other, sizeof other) ==
        E_INVALIDARG);
}

TEST_CASE("features: shader models that no header knows are refused, others answered with the highest",
          "[d3d12][features]") {
  const App app;
  const auto highest = [&](int asked) {
    D3D12_FEATURE_DATA_SHADER_MODEL model{static_cast<D3D_SHADER_MODEL>(asked)};
    const HRESULT result = app.device->CheckFeatureSupport(D3D12_FEATURE_SHADER_MODEL, &model, sizeof model);
    return result == S_OK ? static_cast<int>(model.HighestShaderModel) : 0;
  };
  CHECK(highest(0x51) == 0x51);
  for (int model = 0x60; model <= 0x65; ++model) CHECK(highest(model) == model);
  for (int model = 0x66; model <= D3D_HIGHEST_SHADER_MODEL; ++model) CHECK(highest(model) == 0x65);
  for (const int unknown : {0, 1, 0x50, 0x52, 0x5f, D3D_HIGHEST_SHADER_MODEL + 1, 0x70, 0xffff}) {
    CHECK(highest(unknown) == 0);
  }
}
