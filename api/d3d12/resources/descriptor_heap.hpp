// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/pageable_memory.hpp"
#include "api/d3d12/core/device_child.hpp"

namespace fenceline::d3d12 {

/// ID3D12DescriptorHeap: its descriptors lie in the device's DescriptorHeaps.
class DescriptorHeap final
    : public DeviceChild<Face<ID3D12DescriptorHeap, ID3D12Pageable, ID3D12DeviceChild, ID3D12Object>> {
 public:
  /// `desc` is valid, and the device's heaps have given out `first`, the handle of the first descriptor. The first GPU
  /// handle is where shaders would see the heap; it is the same, and counts in increments, too.
  DescriptorHeap(DeviceCore& device, const D3D12_DESCRIPTOR_HEAP_DESC& desc, UINT64 first);

  D3D12_DESCRIPTOR_HEAP_DESC STDMETHODCALLTYPE GetDesc() override { return desc_; }
  D3D12_CPU_DESCRIPTOR_HANDLE STDMETHODCALLTYPE GetCPUDescriptorHandleForHeapStart() override;
  D3D12_GPU_DESCRIPTOR_HANDLE STDMETHODCALLTYPE GetGPUDescriptorHandleForHeapStart() override;

  /// What MakeResident counts.
  PageableMemory* pageable() { return &pageable_; }

 private:
  ~DescriptorHeap() override;
  D3D12_DESCRIPTOR_HEAP_DESC desc_;
  UINT64 first_;
  PageableMemory pageable_;
};

HRESULT create_descriptor_heap(DeviceCore& device, const D3D12_DESCRIPTOR_HEAP_DESC* desc, REFIID iid, void** heap);

}  // namespace fenceline::d3d12
