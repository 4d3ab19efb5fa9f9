// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/heap.hpp"

#include "api/d3d12/heap_desc.hpp"
#include "api/d3d12/host.hpp"

namespace fenceline::d3d12 {

HRESULT Heap::GetProtectedResourceSession(REFIID, void** session) {
  if (session != nullptr) *session = nullptr;
  return DXGI_ERROR_NOT_FOUND;
}

HRESULT create_heap(Device& device, const D3D12_HEAP_DESC* desc, REFIID iid, void** heap) {
  Host::spend(device.costs().call_ps);
  if (desc == nullptr) return E_INVALIDARG;
  const Verdict verdict = check_heap_desc(*desc);
  if (!verdict.ok()) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CREATEHEAP_INVALIDPROPERTIES,
                   "ID3D12Device::CreateHeap: " + verdict.message);
    return verdict.result;
  }
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  if (heap == nullptr) return S_FALSE;
  D3D12_HEAP_DESC made = *desc;
  made.Alignment = heap_alignment(*desc);
  if (made.Properties.CreationNodeMask == 0) made.Properties.CreationNodeMask = 1;
  if (made.Properties.VisibleNodeMask == 0) made.Properties.VisibleNodeMask = 1;
  auto memory =
      HeapMemory::make(heap_bytes(made), true, {device.video_memory(), group_of(made.Properties), heap_bytes(made)});
  if (memory == nullptr) return E_OUTOFMEMORY;
  return give_out(new Heap(device, made, std::move(memory)), iid, heap);
}

}  // namespace fenceline::d3d12
