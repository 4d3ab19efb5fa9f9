// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/resources/descriptor_heap.hpp"

#include "api/d3d12/core/node_mask.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/resources/descriptor_heaps.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {

DescriptorHeap::DescriptorHeap(DeviceCore& device, const D3D12_DESCRIPTOR_HEAP_DESC& desc, UINT64 first)
    : DeviceChild(device), desc_(desc), first_(first), pageable_(device) {
  desc_.NodeMask = nodes_of(desc_.NodeMask);
}

DescriptorHeap::~DescriptorHeap() { device().descriptor_heaps().remove(first_); }

D3D12_CPU_DESCRIPTOR_HANDLE DescriptorHeap::GetCPUDescriptorHandleForHeapStart() { return {first_}; }

D3D12_GPU_DESCRIPTOR_HANDLE DescriptorHeap::GetGPUDescriptorHandleForHeapStart() {
  return {(desc_.Flags & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) != 0 ? first_ : 0};
}

HRESULT create_descriptor_heap(DeviceCore& device, const D3D12_DESCRIPTOR_HEAP_DESC* desc, REFIID iid, void** heap) {
  Host::spend(device.costs().call_ps);
  if (desc == nullptr) return E_INVALIDARG;
  const auto refuse = [&](const std::string& text) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CREATE_DESCRIPTOR_HEAP_INVALID_DESC,
                   "ID3D12Device::CreateDescriptorHeap: " + text);
    return E_INVALIDARG;
  };
  if (desc->Type < 0 || desc->Type >= D3D12_DESCRIPTOR_HEAP_TYPE_NUM_TYPES) {
    return refuse(fmt::format("expected a type from 0 to 3, found {}", static_cast<int>(desc->Type)));
  }
  const bool visible = (desc->Flags & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) != 0;
  const bool target = desc->Type == D3D12_DESCRIPTOR_HEAP_TYPE_RTV || desc->Type == D3D12_DESCRIPTOR_HEAP_TYPE_DSV;
  if (visible && target) return refuse("render target and depth stencil views are not shader visible");
  if ((desc->Flags & ~D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) != 0) return refuse("unknown flags");
  constexpr UINT most_samplers = D3D12_MAX_SHADER_VISIBLE_SAMPLER_HEAP_SIZE;
  if (visible && desc->Type == D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER && desc->NumDescriptors > most_samplers) {
    return refuse(
        fmt::format("expected at most {} shader visible samplers, found {}", most_samplers, desc->NumDescriptors));
  }
  if (const HRESULT nodes = check_one_node(device, desc->NodeMask, "ID3D12Device::CreateDescriptorHeap");
      nodes != S_OK) {
    return nodes;
  }
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  constexpr UINT most_descriptors = DescriptorHeaps::most_descriptors;
  if (desc->NumDescriptors > most_descriptors) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CREATE_DESCRIPTOR_HEAP_LARGE_NUM_DESCRIPTORS,
                   fmt::format("ID3D12Device::CreateDescriptorHeap: expected at most {} descriptors, found {}",
                               most_descriptors, desc->NumDescriptors));
    return E_OUTOFMEMORY;
  }
  const UINT64 first = device.descriptor_heaps().add(desc->NumDescriptors, visible);
  if (first == 0) return E_OUTOFMEMORY;
  return give_out(new DescriptorHeap(device, *desc, first), iid, heap);
}

}  // namespace fenceline::d3d12
