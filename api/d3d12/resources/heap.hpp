// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/heap_memory.hpp"
#include "api/d3d12/core/device_child.hpp"
#include "api/d3d12/host/shared_handle.hpp"

#include <memory>

namespace fenceline::d3d12 {

/// ID3D12Heap1.
class Heap final : public DeviceChild<Face<ID3D12Heap1, ID3D12Heap, ID3D12Pageable, ID3D12DeviceChild, ID3D12Object>> {
 public:
  Heap(DeviceCore& device, const D3D12_HEAP_DESC& desc, std::shared_ptr<HeapMemory> memory)
      : DeviceChild(device), desc_(desc), memory_(std::move(memory)) {
    memory_->belongs_to(this, {[this] { return name(); }, "heap", desc_.Properties, desc_.SizeInBytes});
  }

  D3D12_HEAP_DESC STDMETHODCALLTYPE GetDesc() override { return desc_; }
  HRESULT STDMETHODCALLTYPE GetProtectedResourceSession(REFIID iid, void** session) override;

  const D3D12_HEAP_DESC& desc() const { return desc_; }
  const std::shared_ptr<HeapMemory>& memory() const { return memory_; }
  /// What MakeResident counts.
  PageableMemory* pageable() const { return memory_->pageable().get(); }
  /// What devices share of it; null: it was not created to be shared.
  std::shared_ptr<SharedObject> shared() const;

 private:
  ~Heap() override { memory_->left_by(this); }
  D3D12_HEAP_DESC desc_;
  std::shared_ptr<HeapMemory> memory_;
};

/// May the device open what was created on the other one's adapter? Another adapter's only where the heap is
/// SHARED_CROSS_ADAPTER.
bool may_open(DeviceCore& device, LUID created_on, D3D12_HEAP_FLAGS heap_flags);

HRESULT create_heap(DeviceCore& device, const D3D12_HEAP_DESC* desc, REFIID iid, void** heap);

}  // namespace fenceline::d3d12
