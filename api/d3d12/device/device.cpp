// SPDX-License-Identifier: Apache-2.0
// Device, its life and what it answers itself.
#include "api/d3d12/device/device.hpp"

#include "api/d3d12/bytes/heap_desc.hpp"
#include "api/d3d12/bytes/video_memory.hpp"
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/core/device_registry.hpp"
#include "api/d3d12/core/node_mask.hpp"
#include "api/d3d12/core/run_output.hpp"
#include "api/d3d12/formats/allocation_info.hpp"
#include "api/d3d12/formats/footprint.hpp"
#include "api/d3d12/formats/subresource.hpp"
#include "api/d3d12/hazards/hazards.hpp"
#include "api/d3d12/queues/fence.hpp"
#include "api/d3d12/resources/descriptor_heaps.hpp"
#include "api/d3d12/resources/heap.hpp"
#include "api/d3d12/resources/resource.hpp"
#include "api/d3d12/root/root_signature.hpp"

#include <fmt/format.h>

#include <wrl/client.h>

#include <utility>
#include <vector>

namespace fenceline::d3d12 {
namespace {

using Microsoft::WRL::ComPtr;

/// What GetResourceAllocationInfo says of something that cannot be made.
constexpr D3D12_RESOURCE_ALLOCATION_INFO no_allocation = {~UINT64{0}, D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT};

std::vector<D3D12_RESOURCE_DESC> plain(UINT count, const D3D12_RESOURCE_DESC1* descs) {
  std::vector<D3D12_RESOURCE_DESC> result;
  for (UINT i = 0; i < count; ++i) result.push_back(without_feedback(descs[i]));
  return result;
}

}  // namespace

Device::Device(const MachineConfig& config, LUID luid, std::shared_ptr<VideoMemory> video_memory)
    : DeviceCore(config, std::move(video_memory)),
      luid_(luid),
      descriptor_heaps_(std::make_unique<DescriptorHeaps>()),
      root_signatures_(std::make_unique<RootSignatures>()) {
  if (debug_layer()) hazards_ = std::make_unique<Hazards>(machine(), [this](const Hazard& hazard) { tell(hazard); });
  join_host();
  const BudgetPeers peers = this->video_memory()->peers();  // as an earlier device of the adapter was told
  if (peers.count == 0) return;
  const Host::Lock lock = Host::instance().lock();
  machine().set_background_processes({}, peers.count, !peers.have_focus);
}

Device::~Device() { leave_host(); }

void Device::on_last_release() { forget(*this); }

/// Found during a simulation: it goes straight to the log, at the machine's time.
void Device::tell(const Hazard& hazard) {
  if (!debug_layer() || removed()) return;  // a removed device's fences order nothing
  EventLog& log = machine().log();
  if (output() != nullptr) {
    const LogName track = log.name("d3d12");
    log.instant({track, log.name(hazard.kind), machine().now_ps(), hazard.packet});
    log.message({Severity::warning, track, machine().now_ps(),
                 fmt::format("{} [{}]", hazard.text, static_cast<int>(hazard.id))});
  }
  info_queue().add({category_of(hazard.id), D3D12_MESSAGE_SEVERITY_ERROR, hazard.id, hazard.text});
}

UINT Device::GetNodeCount() { return machine().config().linked_adapters; }
LUID Device::GetAdapterLuid() { return luid_; }
HRESULT Device::GetDeviceRemovedReason() { return removed_reason(); }
HRESULT Device::EnumerateMetaCommands(UINT* count, D3D12_META_COMMAND_DESC*) {
  if (count == nullptr) return E_INVALIDARG;
  *count = 0;  // there are none
  return S_OK;
}
HRESULT Device::SetStablePowerState(BOOL) { return S_OK; }

void Device::RemoveDevice() {
  const Host::Lock lock = enter(costs().call_ps);
  remove(DXGI_ERROR_DEVICE_REMOVED);
}

D3D12_RESOURCE_ALLOCATION_INFO Device::GetResourceAllocationInfo(UINT visible_mask, UINT count,
                                                                 const D3D12_RESOURCE_DESC* descs) {
  if (check_nodes(*this, visible_mask, "ID3D12Device::GetResourceAllocationInfo") != S_OK) return no_allocation;
  return allocation_info(count, descs, nullptr);
}

D3D12_RESOURCE_ALLOCATION_INFO Device::GetResourceAllocationInfo1(UINT visible_mask, UINT count,
                                                                  const D3D12_RESOURCE_DESC* descs,
                                                                  D3D12_RESOURCE_ALLOCATION_INFO1* each) {
  if (check_nodes(*this, visible_mask, "ID3D12Device4::GetResourceAllocationInfo1") != S_OK) return no_allocation;
  return allocation_info(count, descs, each);
}

D3D12_RESOURCE_ALLOCATION_INFO Device::GetResourceAllocationInfo2(UINT visible_mask, UINT count,
                                                                  const D3D12_RESOURCE_DESC1* descs,
                                                                  D3D12_RESOURCE_ALLOCATION_INFO1* each) {
  if (check_nodes(*this, visible_mask, "ID3D12Device8::GetResourceAllocationInfo2") != S_OK) return no_allocation;
  return allocation_info(count, descs != nullptr ? plain(count, descs).data() : nullptr, each);
}

D3D12_HEAP_PROPERTIES Device::GetCustomHeapProperties(UINT node_mask, D3D12_HEAP_TYPE type) {
  if (check_one_node(*this, node_mask, "ID3D12Device::GetCustomHeapProperties") != S_OK) return {};
  D3D12_HEAP_PROPERTIES found = custom_heap_properties(type, machine().config().video_memory.unified);
  found.CreationNodeMask = found.VisibleNodeMask = nodes_of(node_mask);
  return found;
}

void Device::GetCopyableFootprints(const D3D12_RESOURCE_DESC* desc, UINT first, UINT count, UINT64 base_offset,
                                   D3D12_PLACED_SUBRESOURCE_FOOTPRINT* layouts, UINT* rows, UINT64* row_bytes,
                                   UINT64* total_bytes) {
  const D3D12_RESOURCE_DESC found = desc != nullptr ? *desc : D3D12_RESOURCE_DESC{};  // which is none
  copyable_footprints(found, first, count, base_offset, {layouts, rows, row_bytes, total_bytes});
}

void Device::GetCopyableFootprints1(const D3D12_RESOURCE_DESC1* desc, UINT first, UINT count, UINT64 base_offset,
                                    D3D12_PLACED_SUBRESOURCE_FOOTPRINT* layouts, UINT* rows, UINT64* row_bytes,
                                    UINT64* total_bytes) {
  const D3D12_RESOURCE_DESC found = desc != nullptr ? without_feedback(*desc) : D3D12_RESOURCE_DESC{};
  copyable_footprints(found, first, count, base_offset, {layouts, rows, row_bytes, total_bytes});
}

HRESULT Device::CreateFence(UINT64 initial_value, D3D12_FENCE_FLAGS flags, REFIID iid, void** fence) {
  if (fence != nullptr) *fence = nullptr;
  return create_fence(*this, initial_value, flags, iid, fence);
}

HRESULT Device::SetEventOnMultipleFenceCompletion(ID3D12Fence* const* fences, const UINT64* values, UINT count,
                                                  D3D12_MULTIPLE_FENCE_WAIT_FLAGS flags, HANDLE event) {
  if (count == 0 || fences == nullptr || values == nullptr) return E_INVALIDARG;
  if (flags != D3D12_MULTIPLE_FENCE_WAIT_FLAG_NONE && flags != D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY) {
    message(
        D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_SETEVENTONMULTIPLEFENCECOMPLETION_INVALIDFLAGS,
        fmt::format("ID3D12Device1::SetEventOnMultipleFenceCompletion: expected flags NONE (0) or ANY (1), found {}",
                    static_cast<unsigned>(flags)));
    return E_INVALIDARG;
  }
  std::vector<Fence*> ours;
  for (UINT i = 0; i < count; ++i) {
    if (fences[i] == nullptr) return E_INVALIDARG;
    ours.push_back(fence_of(*this, fences[i], "ID3D12Device1::SetEventOnMultipleFenceCompletion"));
    if (ours.back() == nullptr) return E_INVALIDARG;
  }
  return set_event_on_completion(*this, ours, values, flags == D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY, event);
}

}  // namespace fenceline::d3d12
