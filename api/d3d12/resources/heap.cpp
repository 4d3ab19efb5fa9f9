// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/resources/heap.hpp"

#include "api/d3d12/bytes/heap_desc.hpp"
#include "api/d3d12/host/host.hpp"

#include <utility>

namespace fenceline::d3d12 {
namespace {

/// The same bytes for every device.
class SharedHeap final : public SharedObject {
 public:
  SharedHeap(const D3D12_HEAP_DESC& desc, std::shared_ptr<HeapMemory> memory, LUID created_on)
      : desc_(desc), memory_(std::move(memory)), created_on_(created_on) {}
  HRESULT open(DeviceCore& device, REFIID iid, void** heap) override {
    if (!may_open(device, created_on_, desc_.Flags)) return E_INVALIDARG;
    return give_out(new Heap(device, desc_, memory_), iid, heap);
  }

 private:
  D3D12_HEAP_DESC desc_;
  std::shared_ptr<HeapMemory> memory_;
  LUID created_on_;
};

}  // namespace

bool may_open(DeviceCore& device, LUID created_on, D3D12_HEAP_FLAGS heap_flags) {
  const LUID luid = device.GetAdapterLuid();
  const bool same = luid.LowPart == created_on.LowPart && luid.HighPart == created_on.HighPart;
  if (same || (heap_flags & D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER) != 0) return true;
  device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CREATEHEAP_INVALIDMISCFLAGS,
                 "ID3D12Device::OpenSharedHandle: a heap of another adapter: expected D3D12_HEAP_FLAG_"
                 "SHARED_CROSS_ADAPTER among its flags, found none");
  return false;
}

std::shared_ptr<SharedObject> Heap::shared() const {
  if ((desc_.Flags & D3D12_HEAP_FLAG_SHARED) == 0) return nullptr;
  return std::make_shared<SharedHeap>(desc_, memory_, device().GetAdapterLuid());
}

HRESULT Heap::GetProtectedResourceSession(REFIID, void** session) {
  if (session != nullptr) *session = nullptr;
  return DXGI_ERROR_NOT_FOUND;
}

HRESULT create_heap(DeviceCore& device, const D3D12_HEAP_DESC* desc, REFIID iid, void** heap) {
  Host::spend(device.costs().call_ps);
  if (desc == nullptr) return E_INVALIDARG;
  const Verdict verdict = check_heap_desc(*desc, heap_rules(device.machine().config()));
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
  const PageableMemory::Desc pageable{made.Properties, made.Flags, heap_bytes(made), normal_residency_priority};
  auto memory = HeapMemory::make(heap_bytes(made), true, std::make_shared<PageableMemory>(device, pageable));
  if (memory == nullptr) return E_OUTOFMEMORY;
  return give_out(new Heap(device, made, std::move(memory)), iid, heap);
}

}  // namespace fenceline::d3d12
