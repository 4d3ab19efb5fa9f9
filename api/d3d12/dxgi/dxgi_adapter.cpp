// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxgi/dxgi_adapter.hpp"

#include "api/d3d12/bytes/video_memory.hpp"
#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/dxgi/dxgi_output.hpp"
#include "api/d3d12/host/event_handle.hpp"
#include "api/d3d12/host/host.hpp"

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
  desc.DedicatedVideoMemory = adapter.video_memory->info(VideoMemory::Group::local).bytes;
  desc.SharedSystemMemory = adapter.video_memory->info(VideoMemory::Group::non_local).bytes;
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

DxgiAdapter::DxgiAdapter(IDXGIFactory7& factory, const Adapter& adapter) : factory_(factory), adapter_(adapter) {
  factory_.AddRef();
}

void DxgiAdapter::on_last_release() { factory_.Release(); }

HRESULT DxgiAdapter::GetParent(REFIID iid, void** parent) { return factory_.QueryInterface(iid, parent); }

HRESULT DxgiAdapter::EnumOutputs(UINT index, IDXGIOutput** output) {
  return give_output(*this, adapter_, index, output);
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

namespace {

/// What is there is there on each of linked adapters: each has a copy of it.
bool is_group(const Adapter& adapter, UINT node, DXGI_MEMORY_SEGMENT_GROUP group) {
  return node < adapter.machine.linked_adapters &&
         (group == DXGI_MEMORY_SEGMENT_GROUP_LOCAL || group == DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL);
}

VideoMemory::Group ours(DXGI_MEMORY_SEGMENT_GROUP group) {
  return group == DXGI_MEMORY_SEGMENT_GROUP_LOCAL ? VideoMemory::Group::local : VideoMemory::Group::non_local;
}

}  // namespace

HRESULT DxgiAdapter::QueryVideoMemoryInfo(UINT node, DXGI_MEMORY_SEGMENT_GROUP group,
                                          DXGI_QUERY_VIDEO_MEMORY_INFO* info) {
  if (info == nullptr) return E_INVALIDARG;
  *info = {};
  if (!is_group(adapter_, node, group)) return E_INVALIDARG;
  const VideoMemory::Info of = adapter_.video_memory->info(ours(group));
  *info = {of.budget, of.usage, of.available, of.reservation};
  return S_OK;
}

HRESULT DxgiAdapter::SetVideoMemoryReservation(UINT node, DXGI_MEMORY_SEGMENT_GROUP group, UINT64 bytes) {
  return is_group(adapter_, node, group) && adapter_.video_memory->reserve(ours(group), bytes) ? S_OK : E_INVALIDARG;
}

HRESULT DxgiAdapter::RegisterVideoMemoryBudgetChangeNotificationEvent(HANDLE event, DWORD* cookie) {
  if (cookie == nullptr) return E_INVALIDARG;
  *cookie = 0;
  const Host::Lock lock = Host::instance().lock();
  if (!is_event(event)) return E_INVALIDARG;
  *cookie = adapter_.video_memory->listeners().add_event(event);
  return S_OK;
}

void DxgiAdapter::UnregisterVideoMemoryBudgetChangeNotification(DWORD cookie) {
  const Host::Lock lock = Host::instance().lock();
  adapter_.video_memory->listeners().remove_event(cookie);
}

}  // namespace fenceline::d3d12
