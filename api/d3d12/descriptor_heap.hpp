// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/back_buffer.hpp"
#include "api/d3d12/device_child.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace fenceline::d3d12 {

class Resource;

/// What a render target, depth stencil or unordered access view shows: part of a mip in some slices. What only shaders
/// read is not kept.
struct TargetView {
  Resource* resource = nullptr;  ///< null: a null descriptor
  DXGI_FORMAT format = DXGI_FORMAT_UNKNOWN;
  std::uint32_t mip = 0;
  std::uint32_t first_slice = 0;  ///< of an array, or of a 3D texture's depth
  std::uint32_t slices = 0;       ///< ~0: all from the first one on
  std::uint32_t plane = 0;
  std::uint64_t first_byte = 0;  ///< of a buffer
  std::uint64_t bytes = 0;
  bool read_only_depth = false;  ///< of a depth stencil view
  bool read_only_stencil = false;
  std::shared_ptr<const BackBuffer> back_buffer;  ///< that the resource is; else null
};

/// A descriptor. A program's D3D12_CPU_DESCRIPTOR_HANDLE is the address of one.
struct Descriptor {
  TargetView view;
};

/// ID3D12DescriptorHeap.
class DescriptorHeap final
    : public DeviceChild<Face<ID3D12DescriptorHeap, ID3D12Pageable, ID3D12DeviceChild, ID3D12Object>> {
 public:
  /// `desc` is valid. The first GPU handle is where shaders would see the heap; it counts in increments, too.
  DescriptorHeap(Device& device, const D3D12_DESCRIPTOR_HEAP_DESC& desc);

  D3D12_DESCRIPTOR_HEAP_DESC STDMETHODCALLTYPE GetDesc() override { return desc_; }
  D3D12_CPU_DESCRIPTOR_HANDLE STDMETHODCALLTYPE GetCPUDescriptorHandleForHeapStart() override;
  D3D12_GPU_DESCRIPTOR_HANDLE STDMETHODCALLTYPE GetGPUDescriptorHandleForHeapStart() override;

 private:
  ~DescriptorHeap() override = default;
  D3D12_DESCRIPTOR_HEAP_DESC desc_;
  std::vector<Descriptor> descriptors_;
};

/// ID3D12Device::GetDescriptorHandleIncrementSize: the same for every type.
constexpr UINT descriptor_increment = sizeof(Descriptor);

/// The descriptor that a handle of a live heap names.
inline Descriptor& descriptor_at(D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  return *reinterpret_cast<Descriptor*>(handle.ptr);  // NOLINT(performance-no-int-to-ptr): D3D12 says so
}

HRESULT create_descriptor_heap(Device& device, const D3D12_DESCRIPTOR_HEAP_DESC* desc, REFIID iid, void** heap);

/// What ID3D12Device's functions write into descriptors. A null description is that of the whole resource.
TargetView render_target_view(Resource* resource, const D3D12_RENDER_TARGET_VIEW_DESC* desc);
TargetView depth_stencil_view(Resource* resource, const D3D12_DEPTH_STENCIL_VIEW_DESC* desc);
TargetView unordered_access_view(Resource* resource, const D3D12_UNORDERED_ACCESS_VIEW_DESC* desc);

}  // namespace fenceline::d3d12
