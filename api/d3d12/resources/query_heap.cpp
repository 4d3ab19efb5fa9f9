// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/resources/query_heap.hpp"

#include "api/d3d12/core/node_mask.hpp"
#include "api/d3d12/host/host.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {

std::uint32_t QueryHeap::result_bytes(D3D12_QUERY_HEAP_TYPE type) {
  switch (type) {
    case D3D12_QUERY_HEAP_TYPE_OCCLUSION:
    case D3D12_QUERY_HEAP_TYPE_TIMESTAMP:
    case D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP: return sizeof(UINT64);
    case D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS: return sizeof(D3D12_QUERY_DATA_PIPELINE_STATISTICS);
    case D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS1: return sizeof(D3D12_QUERY_DATA_PIPELINE_STATISTICS1);
    case D3D12_QUERY_HEAP_TYPE_SO_STATISTICS: return sizeof(D3D12_QUERY_DATA_SO_STATISTICS);
    default: return 0;  // of video decoders, which are not modelled
  }
}

HRESULT create_query_heap(DeviceCore& device, const D3D12_QUERY_HEAP_DESC* desc, REFIID iid, void** heap) {
  Host::spend(device.costs().call_ps);
  if (heap != nullptr) *heap = nullptr;
  const std::uint32_t bytes = desc != nullptr ? QueryHeap::result_bytes(desc->Type) : 0;
  if (desc == nullptr || bytes == 0 || desc->Count == 0) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CREATEQUERY_HEAP_INVALID_PARAMETERS,
                   desc == nullptr ? "ID3D12Device::CreateQueryHeap: expected a description, found null"
                                   : fmt::format("ID3D12Device::CreateQueryHeap: expected a known type and a count, "
                                                 "found type {} and count {}",
                                                 static_cast<int>(desc->Type), desc->Count));
    return E_INVALIDARG;
  }
  if (const HRESULT nodes = check_one_node(device, desc->NodeMask, "ID3D12Device::CreateQueryHeap"); nodes != S_OK) {
    return nodes;
  }
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  if (heap == nullptr) return S_FALSE;
  auto memory = HeapMemory::make(std::uint64_t{bytes} * desc->Count, false, std::make_shared<PageableMemory>(device));
  if (memory == nullptr) return E_OUTOFMEMORY;
  return give_out(new QueryHeap(device, *desc, std::move(memory)), iid, heap);
}

}  // namespace fenceline::d3d12
