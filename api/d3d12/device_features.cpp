// SPDX-License-Identifier: Apache-2.0
// Device, CheckFeatureSupport: what a desktop GPU of feature level 12_1 says, as far as Fenceline models it.
#include "api/d3d12/device.hpp"
#include "api/d3d12/format_support.hpp"

#include <algorithm>

namespace fenceline::d3d12 {
namespace {

/// Calls `answer` with the data where its size is right; E_INVALIDARG otherwise.
template <class Data, class Answer>
HRESULT answer(void* data, UINT bytes, Answer&& answer) {
  if (bytes != sizeof(Data)) return E_INVALIDARG;
  return answer(*static_cast<Data*>(data));
}

template <class Data>
HRESULT none(void* data, UINT bytes) {
  return answer<Data>(data, bytes, [](Data& all) {
    all = {};
    return S_OK;
  });
}

HRESULT feature_levels(D3D12_FEATURE_DATA_FEATURE_LEVELS& data) {
  if (data.NumFeatureLevels == 0 || data.pFeatureLevelsRequested == nullptr) return E_INVALIDARG;
  data.MaxSupportedFeatureLevel = static_cast<D3D_FEATURE_LEVEL>(0);
  for (UINT i = 0; i < data.NumFeatureLevels; ++i) {
    const D3D_FEATURE_LEVEL level = data.pFeatureLevelsRequested[i];
    if (level <= D3D_FEATURE_LEVEL_12_1) data.MaxSupportedFeatureLevel = std::max(data.MaxSupportedFeatureLevel, level);
  }
  return S_OK;
}

HRESULT options(D3D12_FEATURE_DATA_D3D12_OPTIONS& data) {
  data = {};
  data.DoublePrecisionFloatShaderOps = TRUE;
  data.OutputMergerLogicOp = TRUE;
  data.MinPrecisionSupport = D3D12_SHADER_MIN_PRECISION_SUPPORT_NONE;
  data.TiledResourcesTier = D3D12_TILED_RESOURCES_TIER_3;
  data.ResourceBindingTier = D3D12_RESOURCE_BINDING_TIER_3;
  data.PSSpecifiedStencilRefSupported = FALSE;
  data.TypedUAVLoadAdditionalFormats = TRUE;
  data.ROVsSupported = TRUE;
  data.ConservativeRasterizationTier = D3D12_CONSERVATIVE_RASTERIZATION_TIER_3;
  data.MaxGPUVirtualAddressBitsPerResource = 40;
  data.CrossNodeSharingTier = D3D12_CROSS_NODE_SHARING_TIER_NOT_SUPPORTED;
  data.VPAndRTArrayIndexFromAnyShaderFeedingRasterizerSupportedWithoutGSEmulation = TRUE;
  data.ResourceHeapTier = D3D12_RESOURCE_HEAP_TIER_2;
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

}  // namespace

HRESULT Device::CheckFeatureSupport(D3D12_FEATURE feature, void* data, UINT bytes) {
  if (data == nullptr) return E_INVALIDARG;
  switch (feature) {
    case D3D12_FEATURE_D3D12_OPTIONS: return answer<D3D12_FEATURE_DATA_D3D12_OPTIONS>(data, bytes, options);
    case D3D12_FEATURE_ARCHITECTURE:
      return answer<D3D12_FEATURE_DATA_ARCHITECTURE>(data, bytes, [](auto& architecture) {
        if (architecture.NodeIndex != 0) return E_INVALIDARG;
        architecture.TileBasedRenderer = architecture.UMA = architecture.CacheCoherentUMA = FALSE;
        return S_OK;
      });
    case D3D12_FEATURE_ARCHITECTURE1:
      return answer<D3D12_FEATURE_DATA_ARCHITECTURE1>(data, bytes, [](auto& architecture) {
        if (architecture.NodeIndex != 0) return E_INVALIDARG;
        architecture.TileBasedRenderer = architecture.UMA = architecture.CacheCoherentUMA = FALSE;
        architecture.IsolatedMMU = TRUE;
        return S_OK;
      });
    case D3D12_FEATURE_FEATURE_LEVELS: return answer<D3D12_FEATURE_DATA_FEATURE_LEVELS>(data, bytes, feature_levels);
    case D3D12_FEATURE_FORMAT_SUPPORT:
      return answer<D3D12_FEATURE_DATA_FORMAT_SUPPORT>(data, bytes, check_format_support);
    case D3D12_FEATURE_MULTISAMPLE_QUALITY_LEVELS:
      return answer<D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS>(data, bytes, check_multisample_quality_levels);
    case D3D12_FEATURE_FORMAT_INFO: return answer<D3D12_FEATURE_DATA_FORMAT_INFO>(data, bytes, check_format_info);
    case D3D12_FEATURE_GPU_VIRTUAL_ADDRESS_SUPPORT:
      return answer<D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT>(data, bytes, [](auto& support) {
        support.MaxGPUVirtualAddressBitsPerResource = 40;
        support.MaxGPUVirtualAddressBitsPerProcess = 47;
        return S_OK;
      });
    case D3D12_FEATURE_SHADER_MODEL:
      return answer<D3D12_FEATURE_DATA_SHADER_MODEL>(data, bytes, [](auto& model) {
        model.HighestShaderModel = std::min(model.HighestShaderModel, D3D_SHADER_MODEL_6_5);
        return S_OK;
      });
    case D3D12_FEATURE_ROOT_SIGNATURE:
      return answer<D3D12_FEATURE_DATA_ROOT_SIGNATURE>(data, bytes, [](auto& root) {
        if (root.HighestVersion < D3D_ROOT_SIGNATURE_VERSION_1_0) return E_INVALIDARG;
        root.HighestVersion = std::min(root.HighestVersion, D3D_ROOT_SIGNATURE_VERSION_1_1);
        return S_OK;
      });
    case D3D12_FEATURE_COMMAND_QUEUE_PRIORITY:
      return answer<D3D12_FEATURE_DATA_COMMAND_QUEUE_PRIORITY>(
          data, bytes, [this](auto& asked) { return queue_priority(machine().config(), asked); });
    case D3D12_FEATURE_D3D12_OPTIONS3:
      return answer<D3D12_FEATURE_DATA_D3D12_OPTIONS3>(data, bytes, [](auto& options3) {
        options3 = {};
        options3.CopyQueueTimestampQueriesSupported = TRUE;
        options3.CastingFullyTypedFormatSupported = TRUE;
        options3.WriteBufferImmediateSupportFlags =
            D3D12_COMMAND_LIST_SUPPORT_FLAG_DIRECT | D3D12_COMMAND_LIST_SUPPORT_FLAG_BUNDLE |
            D3D12_COMMAND_LIST_SUPPORT_FLAG_COMPUTE | D3D12_COMMAND_LIST_SUPPORT_FLAG_COPY;
        return S_OK;
      });
    case D3D12_FEATURE_D3D12_OPTIONS7:
      return answer<D3D12_FEATURE_DATA_D3D12_OPTIONS7>(data, bytes, [](auto& options7) {
        options7 = {};
        options7.MeshShaderTier = D3D12_MESH_SHADER_TIER_1;
        return S_OK;
      });
    case D3D12_FEATURE_D3D12_OPTIONS9:
      return answer<D3D12_FEATURE_DATA_D3D12_OPTIONS9>(data, bytes, [](auto& options9) {
        options9 = {};
        options9.MeshShaderPipelineStatsSupported = TRUE;
        return S_OK;
      });
    case D3D12_FEATURE_SHADER_CACHE:
      return answer<D3D12_FEATURE_DATA_SHADER_CACHE>(data, bytes, [](auto& cache) {
        cache.SupportFlags = D3D12_SHADER_CACHE_SUPPORT_SINGLE_PSO | D3D12_SHADER_CACHE_SUPPORT_LIBRARY;
        return S_OK;
      });
    case D3D12_FEATURE_D3D12_OPTIONS5:
      return answer<D3D12_FEATURE_DATA_D3D12_OPTIONS5>(data, bytes, [](auto& options5) {
        options5 = {};
        options5.SRVOnlyTiledResourceTier3 = TRUE;  // as part of the whole tier 3
        return S_OK;
      });
    case D3D12_FEATURE_D3D12_OPTIONS8:
      return answer<D3D12_FEATURE_DATA_D3D12_OPTIONS8>(data, bytes, [](auto& options8) {
        options8.UnalignedBlockTexturesSupported = TRUE;
        return S_OK;
      });
    // What these add Fenceline does not have: nothing is supported.
    case D3D12_FEATURE_D3D12_OPTIONS1: return none<D3D12_FEATURE_DATA_D3D12_OPTIONS1>(data, bytes);
    case D3D12_FEATURE_D3D12_OPTIONS2: return none<D3D12_FEATURE_DATA_D3D12_OPTIONS2>(data, bytes);
    case D3D12_FEATURE_D3D12_OPTIONS4: return none<D3D12_FEATURE_DATA_D3D12_OPTIONS4>(data, bytes);
    case D3D12_FEATURE_D3D12_OPTIONS6: return none<D3D12_FEATURE_DATA_D3D12_OPTIONS6>(data, bytes);
    case D3D12_FEATURE_D3D12_OPTIONS10: return none<D3D12_FEATURE_DATA_D3D12_OPTIONS10>(data, bytes);
    case D3D12_FEATURE_D3D12_OPTIONS11: return none<D3D12_FEATURE_DATA_D3D12_OPTIONS11>(data, bytes);
    case D3D12_FEATURE_D3D12_OPTIONS12: return none<D3D12_FEATURE_DATA_D3D12_OPTIONS12>(data, bytes);
    case D3D12_FEATURE_D3D12_OPTIONS13: return none<D3D12_FEATURE_DATA_D3D12_OPTIONS13>(data, bytes);
    case D3D12_FEATURE_D3D12_OPTIONS14: return none<D3D12_FEATURE_DATA_D3D12_OPTIONS14>(data, bytes);
    case D3D12_FEATURE_D3D12_OPTIONS15: return none<D3D12_FEATURE_DATA_D3D12_OPTIONS15>(data, bytes);
    case D3D12_FEATURE_EXISTING_HEAPS: return none<D3D12_FEATURE_DATA_EXISTING_HEAPS>(data, bytes);
    case D3D12_FEATURE_SERIALIZATION: return none<D3D12_FEATURE_DATA_SERIALIZATION>(data, bytes);
    case D3D12_FEATURE_CROSS_NODE: return none<D3D12_FEATURE_DATA_CROSS_NODE>(data, bytes);
    default: return E_INVALIDARG;
  }
}

}  // namespace fenceline::d3d12
