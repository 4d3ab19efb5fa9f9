// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxgi_adapter.hpp"

#include "api/d3d12/dxcore_adapter.hpp"
#include "api/d3d12/dxgi_factory.hpp"
#include "api/d3d12/not_modelled.hpp"

#include <algorithm>
#include <iterator>

namespace fenceline::d3d12 {
namespace {

/// What all descriptions begin with.
template <class Desc>
Desc described(const Adapter& adapter) {
  Desc desc{};
  const std::string& name = adapter.machine.name;
  const std::size_t length = std::min(name.size(), std::size(desc.Description) - 1);
  std::transform(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(length), std::begin(desc.Description),
                 [](unsigned char letter) { return letter < 0x80 ? static_cast<WCHAR>(letter) : L'?'; });
  desc.DedicatedVideoMemory = DxcoreAdapter::assumed_memory_bytes;
  desc.SharedSystemMemory = DxcoreAdapter::assumed_memory_bytes;
  desc.AdapterLuid = adapter.luid;
  return desc;
}

/// DXGI counts the levels from DMA buffers on, D3DKMDT in hundreds from none on. DXGI has no name for none.
template <class Granularity, class Ours>
Granularity dxgi_level(Ours level) {
  const int hundreds = static_cast<int>(level) / 100;
  return static_cast<Granularity>(std::max(hundreds, 1) - 1);
}

template <class Desc>
void describe_preemption(const Adapter& adapter, Desc& desc) {
  const PreemptionCaps caps = preemption_caps(adapter.machine);
  desc.GraphicsPreemptionGranularity = dxgi_level<DXGI_GRAPHICS_PREEMPTION_GRANULARITY>(caps.graphics);
  desc.ComputePreemptionGranularity = dxgi_level<DXGI_COMPUTE_PREEMPTION_GRANULARITY>(caps.compute);
}

}  // namespace

DxgiAdapter::DxgiAdapter(DxgiFactory& factory, const Adapter& adapter) : factory_(factory), adapter_(adapter) {
  factory_.AddRef();
}

void DxgiAdapter::on_last_release() { factory_.Release(); }

HRESULT DxgiAdapter::GetParent(REFIID iid, void** parent) { return factory_.QueryInterface(iid, parent); }

HRESULT DxgiAdapter::EnumOutputs(UINT, IDXGIOutput** output) {
  if (output == nullptr) return DXGI_ERROR_INVALID_CALL;
  *output = nullptr;
  not_modelled("IDXGIAdapter::EnumOutputs");
  return DXGI_ERROR_NOT_FOUND;
}

HRESULT DxgiAdapter::GetDesc(DXGI_ADAPTER_DESC* desc) {
  if (desc == nullptr) return E_INVALIDARG;
  *desc = described<DXGI_ADAPTER_DESC>(adapter_);
  return S_OK;
}

HRESULT DxgiAdapter::CheckInterfaceSupport(REFGUID, LARGE_INTEGER*) { return DXGI_ERROR_UNSUPPORTED; }

HRESULT DxgiAdapter::GetDesc1(DXGI_ADAPTER_DESC1* desc) {
  if (desc == nullptr) return E_INVALIDARG;
  *desc = described<DXGI_ADAPTER_DESC1>(adapter_);
  return S_OK;
}

HRESULT DxgiAdapter::GetDesc2(DXGI_ADAPTER_DESC2* desc) {
  if (desc == nullptr) return E_INVALIDARG;
  *desc = described<DXGI_ADAPTER_DESC2>(adapter_);
  describe_preemption(adapter_, *desc);
  return S_OK;
}

HRESULT DxgiAdapter::GetDesc3(DXGI_ADAPTER_DESC3* desc) {
  if (desc == nullptr) return E_INVALIDARG;
  *desc = described<DXGI_ADAPTER_DESC3>(adapter_);
  describe_preemption(adapter_, *desc);
  desc->Flags = static_cast<DXGI_ADAPTER_FLAG3>(DXGI_ADAPTER_FLAG3_SUPPORT_MONITORED_FENCES |
                                                DXGI_ADAPTER_FLAG3_SUPPORT_NON_MONITORED_FENCES);
  return S_OK;
}

HRESULT DxgiAdapter::RegisterHardwareContentProtectionTeardownStatusEvent(HANDLE, DWORD* cookie) {
  if (cookie != nullptr) *cookie = 0;
  return not_modelled("IDXGIAdapter3::RegisterHardwareContentProtectionTeardownStatusEvent");
}

HRESULT DxgiAdapter::QueryVideoMemoryInfo(UINT, DXGI_MEMORY_SEGMENT_GROUP, DXGI_QUERY_VIDEO_MEMORY_INFO* info) {
  if (info != nullptr) *info = {};
  return not_modelled("IDXGIAdapter3::QueryVideoMemoryInfo");
}

HRESULT DxgiAdapter::SetVideoMemoryReservation(UINT, DXGI_MEMORY_SEGMENT_GROUP, UINT64) {
  return not_modelled("IDXGIAdapter3::SetVideoMemoryReservation");
}

HRESULT DxgiAdapter::RegisterVideoMemoryBudgetChangeNotificationEvent(HANDLE, DWORD* cookie) {
  if (cookie != nullptr) *cookie = 0;
  return not_modelled("IDXGIAdapter3::RegisterVideoMemoryBudgetChangeNotificationEvent");
}

}  // namespace fenceline::d3d12
