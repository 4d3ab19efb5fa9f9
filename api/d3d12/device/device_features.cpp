// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/device/device_features.hpp"

#include "api/d3d12/device/device.hpp"
#include "api/d3d12/formats/format_support.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace fenceline::d3d12 {
namespace {

// What more than one struct tells, or follows from.
constexpr D3D_FEATURE_LEVEL feature_level = D3D_FEATURE_LEVEL_12_1;
constexpr D3D_SHADER_MODEL shader_model = D3D_SHADER_MODEL_6_5;  // the first with mesh shaders
constexpr D3D_ROOT_SIGNATURE_VERSION root_signature_version = D3D_ROOT_SIGNATURE_VERSION_1_1;
constexpr D3D12_TILED_RESOURCES_TIER tiled_resources = D3D12_TILED_RESOURCES_TIER_3;
constexpr D3D12_MESH_SHADER_TIER mesh_shaders = D3D12_MESH_SHADER_TIER_1;
constexpr D3D12_CROSS_NODE_SHARING_TIER cross_node_sharing = D3D12_CROSS_NODE_SHARING_TIER_NOT_SUPPORTED;
constexpr D3D12_SHARED_RESOURCE_COMPATIBILITY_TIER shared_resources = D3D12_SHARED_RESOURCE_COMPATIBILITY_TIER_0;
constexpr UINT address_bits_per_resource = 40;
constexpr UINT address_bits_per_process = 47;

HRESULT options(const MachineConfig&, D3D12_FEATURE_DATA_D3D12_OPTIONS& data) {
  data = {};
  data.DoublePrecisionFloatShaderOps = TRUE;
  data.OutputMergerLogicOp = TRUE;
  data.MinPrecisionSupport = D3D12_SHADER_MIN_PRECISION_SUPPORT_NONE;
  data.TiledResourcesTier = tiled_resources;
  data.ResourceBindingTier = D3D12_RESOURCE_BINDING_TIER_3;
  data.TypedUAVLoadAdditionalFormats = TRUE;
  data.ROVsSupported = TRUE;
  data.ConservativeRasterizationTier = D3D12_CONSERVATIVE_RASTERIZATION_TIER_3;
  data.MaxGPUVirtualAddressBitsPerResource = address_bits_per_resource;
  data.CrossNodeSharingTier = cross_node_sharing;
  data.VPAndRTArrayIndexFromAnyShaderFeedingRasterizerSupportedWithoutGSEmulation = TRUE;
  data.ResourceHeapTier = D3D12_RESOURCE_HEAP_TIER_2;
  return S_OK;
}

template <class Architecture>
HRESULT architecture(const MachineConfig& machine, Architecture& data) {
  const UINT node = data.NodeIndex;
  if (node >= machine.linked_adapters) return E_INVALIDARG;
  data = {};
  data.NodeIndex = node;
  data.UMA = data.CacheCoherentUMA = machine.video_memory.unified ? TRUE : FALSE;
  if constexpr (std::is_same_v<Architecture, D3D12_FEATURE_DATA_ARCHITECTURE1>) data.IsolatedMMU = TRUE;
  return S_OK;
}

HRESULT feature_levels(const MachineConfig&, D3D12_FEATURE_DATA_FEATURE_LEVELS& data) {
  if (data.NumFeatureLevels == 0 || data.pFeatureLevelsRequested == nullptr) return E_INVALIDARG;
  data.MaxSupportedFeatureLevel = static_cast<D3D_FEATURE_LEVEL>(0);
  for (UINT i = 0; i < data.NumFeatureLevels; ++i) {
    const D3D_FEATURE_LEVEL level = data.pFeatureLevelsRequested[i];
    if (level <= feature_level) data.MaxSupportedFeatureLevel = std::max(data.MaxSupportedFeatureLevel, level);
  }
  return S_OK;
}

HRESULT format_caps(const MachineConfig&, D3D12_FEATURE_DATA_FORMAT_SUPPORT& data) {
  return check_format_support(data);
}

HRESULT quality_levels(const MachineConfig&, D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS& data) {
  return check_multisample_quality_levels(data);
}

HRESULT format_info(const MachineConfig&, D3D12_FEATURE_DATA_FORMAT_INFO& data) { return check_format_info(data); }

HRESULT address_bits(const MachineConfig&, D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT& data) {
  data = {address_bits_per_resource, address_bits_per_process};
  return S_OK;
}

/// Asked with the highest that the program knows. A value that the header does not name is none.
HRESULT highest_shader_model(const MachineConfig&, D3D12_FEATURE_DATA_SHADER_MODEL& data) {
  const bool known =
      data.HighestShaderModel == D3D_SHADER_MODEL_5_1 ||
      (data.HighestShaderModel >= D3D_SHADER_MODEL_6_0 && data.HighestShaderModel <= D3D_HIGHEST_SHADER_MODEL);
  if (!known) return E_INVALIDARG;
  data.HighestShaderModel = std::min(data.HighestShaderModel, shader_model);
  return S_OK;
}

HRESULT highest_root_signature(const MachineConfig&, D3D12_FEATURE_DATA_ROOT_SIGNATURE& data) {
  if (data.HighestVersion < D3D_ROOT_SIGNATURE_VERSION_1_0) return E_INVALIDARG;
  data.HighestVersion = std::min(data.HighestVersion, root_signature_version);
  return S_OK;
}

HRESULT options1(const MachineConfig& machine, D3D12_FEATURE_DATA_D3D12_OPTIONS1& data) {
  data = {};
  data.WaveOps = TRUE;
  data.WaveLaneCountMin = data.WaveLaneCountMax = machine.shader_array.warp_threads;
  data.TotalLaneCount = static_cast<UINT>(machine.shader_array.sms * machine.shader_array.alu_lanes);
  data.ExpandedComputeResourceStates = TRUE;
  data.Int64ShaderOps = TRUE;
  return S_OK;
}

HRESULT options3(const MachineConfig&, D3D12_FEATURE_DATA_D3D12_OPTIONS3& data) {
  data = {};
  data.CopyQueueTimestampQueriesSupported = TRUE;
  data.CastingFullyTypedFormatSupported = TRUE;
  data.WriteBufferImmediateSupportFlags =
      D3D12_COMMAND_LIST_SUPPORT_FLAG_DIRECT | D3D12_COMMAND_LIST_SUPPORT_FLAG_BUNDLE |
      D3D12_COMMAND_LIST_SUPPORT_FLAG_COMPUTE | D3D12_COMMAND_LIST_SUPPORT_FLAG_COPY;
  return S_OK;
}

HRESULT options4(const MachineConfig&, D3D12_FEATURE_DATA_D3D12_OPTIONS4& data) {
  data = {};
  data.MSAA64KBAlignedTextureSupported = TRUE;
  data.SharedResourceCompatibilityTier = shared_resources;
  return S_OK;
}

HRESULT options5(const MachineConfig&, D3D12_FEATURE_DATA_D3D12_OPTIONS5& data) {
  data = {};
  data.SRVOnlyTiledResourceTier3 = tiled_resources >= D3D12_TILED_RESOURCES_TIER_3 ? TRUE : FALSE;
  return S_OK;
}

HRESULT options6(const MachineConfig& machine, D3D12_FEATURE_DATA_D3D12_OPTIONS6& data) {
  data = {};
  data.BackgroundProcessingSupported = machine.background_processing.supported ? TRUE : FALSE;
  return S_OK;
}

HRESULT options7(const MachineConfig&, D3D12_FEATURE_DATA_D3D12_OPTIONS7& data) {
  data = {};
  data.MeshShaderTier = mesh_shaders;
  return S_OK;
}

HRESULT options8(const MachineConfig&, D3D12_FEATURE_DATA_D3D12_OPTIONS8& data) {
  data.UnalignedBlockTexturesSupported = TRUE;
  return S_OK;
}

HRESULT options9(const MachineConfig&, D3D12_FEATURE_DATA_D3D12_OPTIONS9& data) {
  data = {};
  data.MeshShaderPipelineStatsSupported = mesh_shaders >= D3D12_MESH_SHADER_TIER_1 ? TRUE : FALSE;
  return S_OK;
}

HRESULT options12(const MachineConfig&, D3D12_FEATURE_DATA_D3D12_OPTIONS12& data) {
  data = {};
  data.MSPrimitivesPipelineStatisticIncludesCulledPrimitives = D3D12_TRI_STATE_TRUE;
  data.EnhancedBarriersSupported = TRUE;
  return S_OK;
}

HRESULT options13(const MachineConfig&, D3D12_FEATURE_DATA_D3D12_OPTIONS13& data) {
  data = {};
  data.TextureCopyBetweenDimensionsSupported = TRUE;
  data.AlphaBlendFactorSupported = TRUE;
  return S_OK;
}

HRESULT options14(const MachineConfig&, D3D12_FEATURE_DATA_D3D12_OPTIONS14& data) {
  data = {};
  data.IndependentFrontAndBackStencilRefMaskSupported = TRUE;
  return S_OK;
}

D3D12_SHADER_CACHE_SUPPORT_FLAGS implicit_support(const ImplicitCacheConfig& caches) {
  switch (caches.compilations_kept_by) {
    case CompilationsKeptBy::d3d:
      return caches.directory.empty() ? D3D12_SHADER_CACHE_SUPPORT_AUTOMATIC_INPROC_CACHE
                                      : D3D12_SHADER_CACHE_SUPPORT_AUTOMATIC_DISK_CACHE;
    case CompilationsKeptBy::driver: return D3D12_SHADER_CACHE_SUPPORT_DRIVER_MANAGED_CACHE;
    case CompilationsKeptBy::nobody: break;
  }
  return D3D12_SHADER_CACHE_SUPPORT_NONE;
}

HRESULT shader_cache(const MachineConfig& machine, D3D12_FEATURE_DATA_SHADER_CACHE& data) {
  data.SupportFlags = D3D12_SHADER_CACHE_SUPPORT_SINGLE_PSO | D3D12_SHADER_CACHE_SUPPORT_LIBRARY |
                      D3D12_SHADER_CACHE_SUPPORT_SHADER_CONTROL_CLEAR |
                      D3D12_SHADER_CACHE_SUPPORT_SHADER_SESSION_DELETE | implicit_support(machine.shader_cache);
  return S_OK;
}

HRESULT queue_priority(const MachineConfig& machine, D3D12_FEATURE_DATA_COMMAND_QUEUE_PRIORITY& data) {
  QueueType type = QueueType::direct;
  switch (data.CommandListType) {
    case D3D12_COMMAND_LIST_TYPE_DIRECT: break;
    case D3D12_COMMAND_LIST_TYPE_COMPUTE: type = QueueType::compute; break;
    case D3D12_COMMAND_LIST_TYPE_COPY: type = QueueType::copy; break;
    default: return E_INVALIDARG;
  }
  switch (data.Priority) {
    case D3D12_COMMAND_QUEUE_PRIORITY_NORMAL:
    case D3D12_COMMAND_QUEUE_PRIORITY_HIGH: data.PriorityForTypeIsSupported = TRUE; return S_OK;
    case D3D12_COMMAND_QUEUE_PRIORITY_GLOBAL_REALTIME:
      data.PriorityForTypeIsSupported = preemptible(machine, type) ? TRUE : FALSE;
      return S_OK;
    default: return E_INVALIDARG;
  }
}

HRESULT cross_node(const MachineConfig&, D3D12_FEATURE_DATA_CROSS_NODE& data) {
  data = {cross_node_sharing, FALSE};
  return S_OK;
}

HRESULT displayable(const MachineConfig&, D3D12_FEATURE_DATA_DISPLAYABLE& data) {
  data = {FALSE, shared_resources};
  return S_OK;
}

/// There is nothing on any node.
template <class Data>
HRESULT none_of_node(const MachineConfig& machine, Data& data) {
  const UINT node = data.NodeIndex;
  if (node >= machine.linked_adapters) return E_INVALIDARG;
  data = {};
  data.NodeIndex = node;
  return S_OK;
}

/// There are no types to list.
HRESULT session_types(const MachineConfig& machine, D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_TYPES& data) {
  return data.NodeIndex < machine.linked_adapters && data.Count == 0 ? S_OK : E_INVALIDARG;
}

/// No meta command is known: its output is zeros.
HRESULT meta_command(const MachineConfig&, D3D12_FEATURE_DATA_QUERY_META_COMMAND& data) {
  if (data.pQueryOutputData == nullptr && data.QueryOutputDataSizeInBytes > 0) return E_INVALIDARG;
  if (data.pQueryOutputData != nullptr) std::memset(data.pQueryOutputData, 0, data.QueryOutputDataSizeInBytes);
  return S_OK;
}

/// Nothing of it is there.
template <class Data>
HRESULT none(const MachineConfig&, Data& data) {
  data = {};
  return S_OK;
}

template <class Data>
Data data_of(HRESULT (*)(const MachineConfig&, Data&));

template <auto answer>
Feature row(D3D12_FEATURE feature, const char* name, const char* source) {
  using Data = decltype(data_of(answer));
  return {feature, name, sizeof(Data),
          [](const MachineConfig& machine, void* data) { return answer(machine, *static_cast<Data*>(data)); }, source};
}

}  // namespace

const std::vector<Feature>& features() {
  constexpr const char* not_there = "not modelled: nothing";
  static const std::vector<Feature> all = {
      row<options>(D3D12_FEATURE_D3D12_OPTIONS, "D3D12_OPTIONS",
                   "required by the feature level, or free where shaders are not executed; tiled resources tier 3 as "
                   "device_reserved.cpp has them"),
      row<architecture<D3D12_FEATURE_DATA_ARCHITECTURE>>(D3D12_FEATURE_ARCHITECTURE, "ARCHITECTURE",
                                                         "every machine is a GPU behind PCIe with its own memory"),
      row<feature_levels>(D3D12_FEATURE_FEATURE_LEVELS, "FEATURE_LEVELS", "D3D12CreateDevice takes the same"),
      row<format_caps>(D3D12_FEATURE_FORMAT_SUPPORT, "FORMAT_SUPPORT", "format_support.hpp"),
      row<quality_levels>(D3D12_FEATURE_MULTISAMPLE_QUALITY_LEVELS, "MULTISAMPLE_QUALITY_LEVELS", "format_support.hpp"),
      row<format_info>(D3D12_FEATURE_FORMAT_INFO, "FORMAT_INFO", "format.hpp"),
      row<address_bits>(D3D12_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT, "GPU_VIRTUAL_ADDRESS_SUPPORT",
                        "assumption: a usual desktop GPU"),
      row<highest_shader_model>(D3D12_FEATURE_SHADER_MODEL, "SHADER_MODEL",
                                "mesh shaders need 6_5; nothing of 6_6 is modelled"),
      row<options1>(D3D12_FEATURE_D3D12_OPTIONS1, "D3D12_OPTIONS1",
                    "shader model 6_0 has wave operations and 64-bit integers; lanes: the machine's shader_array; "
                    "compute lists take states as barrier_rules.cpp says"),
      row<none_of_node<D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_SUPPORT>>(
          D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_SUPPORT, "PROTECTED_RESOURCE_SESSION_SUPPORT", not_there),
      row<highest_root_signature>(D3D12_FEATURE_ROOT_SIGNATURE, "ROOT_SIGNATURE",
                                  "root_signature_blob.hpp reads 1.0 and 1.1"),
      row<architecture<D3D12_FEATURE_DATA_ARCHITECTURE1>>(
          D3D12_FEATURE_ARCHITECTURE1, "ARCHITECTURE1",
          "as ARCHITECTURE; hardware queues have their own address spaces"),
      row<none<D3D12_FEATURE_DATA_D3D12_OPTIONS2>>(D3D12_FEATURE_D3D12_OPTIONS2, "D3D12_OPTIONS2", not_there),
      row<shader_cache>(D3D12_FEATURE_SHADER_CACHE, "SHADER_CACHE",
                        "GetCachedBlob, pipeline_library.hpp and shader_cache_session.hpp"),
      row<queue_priority>(D3D12_FEATURE_COMMAND_QUEUE_PRIORITY, "COMMAND_QUEUE_PRIORITY",
                          "global realtime where the machine's engines can be preempted"),
      row<options3>(D3D12_FEATURE_D3D12_OPTIONS3, "D3D12_OPTIONS3", "what copy lists, views and all lists take"),
      row<none<D3D12_FEATURE_DATA_EXISTING_HEAPS>>(D3D12_FEATURE_EXISTING_HEAPS, "EXISTING_HEAPS", not_there),
      row<options4>(D3D12_FEATURE_D3D12_OPTIONS4, "D3D12_OPTIONS4",
                    "resource_desc.cpp takes 64 KiB for several samples"),
      row<none_of_node<D3D12_FEATURE_DATA_SERIALIZATION>>(D3D12_FEATURE_SERIALIZATION, "SERIALIZATION", not_there),
      row<cross_node>(D3D12_FEATURE_CROSS_NODE, "CROSS_NODE", "linked adapters have each a copy of every resource"),
      row<options5>(D3D12_FEATURE_D3D12_OPTIONS5, "D3D12_OPTIONS5",
                    "part of tiled resources tier 3; render passes work without hardware"),
      row<displayable>(D3D12_FEATURE_DISPLAYABLE, "DISPLAYABLE", not_there),
      row<options6>(D3D12_FEATURE_D3D12_OPTIONS6, "D3D12_OPTIONS6", "device_background.cpp; no variable rate shading"),
      row<meta_command>(D3D12_FEATURE_QUERY_META_COMMAND, "QUERY_META_COMMAND", "EnumerateMetaCommands lists none"),
      row<options7>(D3D12_FEATURE_D3D12_OPTIONS7, "D3D12_OPTIONS7",
                    "pipeline_stream.cpp takes mesh shaders; no sampler feedback"),
      row<none_of_node<D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_TYPE_COUNT>>(
          D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_TYPE_COUNT, "PROTECTED_RESOURCE_SESSION_TYPE_COUNT", not_there),
      row<session_types>(D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_TYPES, "PROTECTED_RESOURCE_SESSION_TYPES", not_there),
      row<options8>(D3D12_FEATURE_D3D12_OPTIONS8, "D3D12_OPTIONS8",
                    "resource_desc.cpp takes blocks that a texture cuts"),
      row<options9>(D3D12_FEATURE_D3D12_OPTIONS9, "D3D12_OPTIONS9",
                    "query heaps take them; the rest is of shader model 6_6"),
      row<none<D3D12_FEATURE_DATA_D3D12_OPTIONS10>>(D3D12_FEATURE_D3D12_OPTIONS10, "D3D12_OPTIONS10", not_there),
      row<none<D3D12_FEATURE_DATA_D3D12_OPTIONS11>>(D3D12_FEATURE_D3D12_OPTIONS11, "D3D12_OPTIONS11", not_there),
      row<options12>(D3D12_FEATURE_D3D12_OPTIONS12, "D3D12_OPTIONS12",
                     "enhanced_barrier_rules.hpp; mesh shaders' statistics count all primitives, for none is culled"),
      row<options13>(D3D12_FEATURE_D3D12_OPTIONS13, "D3D12_OPTIONS13",
                     "copy_rules.cpp asks for no equal dimensions but for aligned pitches; pipeline_output_rules.cpp "
                     "takes the factors"),
      row<options14>(D3D12_FEATURE_D3D12_OPTIONS14, "D3D12_OPTIONS14",
                     "pipeline_stream.cpp takes DEPTH_STENCIL2, lists OMSetFrontAndBackStencilRef"),
      row<none<D3D12_FEATURE_DATA_D3D12_OPTIONS15>>(D3D12_FEATURE_D3D12_OPTIONS15, "D3D12_OPTIONS15", not_there),
  };
  return all;
}

HRESULT Device::CheckFeatureSupport(D3D12_FEATURE feature, void* data, UINT bytes) {
  // Newer than the header: D3D12_FEATURE_SHADER_CACHE_ABI_SUPPORT, of drivers for precompiled shaders.
  constexpr auto shader_cache_abi_support = static_cast<D3D12_FEATURE>(61);
  if (feature == shader_cache_abi_support && data != nullptr) return E_FAIL;
  const auto found =
      std::find_if(features().begin(), features().end(), [&](const Feature& one) { return one.feature == feature; });
  if (found == features().end() || data == nullptr || bytes != found->bytes) return E_INVALIDARG;
  return found->answer(machine().config(), data);
}

}  // namespace fenceline::d3d12
