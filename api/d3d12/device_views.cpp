// SPDX-License-Identifier: Apache-2.0
// Device, the functions that write descriptors. What shaders read is not kept: they are not executed.
#include "api/d3d12/com_cast.hpp"
#include "api/d3d12/descriptor_heap.hpp"
#include "api/d3d12/device.hpp"
#include "api/d3d12/resource.hpp"

#include <algorithm>

namespace fenceline::d3d12 {

UINT Device::GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE type) {
  return static_cast<unsigned>(type) < D3D12_DESCRIPTOR_HEAP_TYPE_NUM_TYPES ? descriptor_increment : 0;
}

void Device::CreateConstantBufferView(const D3D12_CONSTANT_BUFFER_VIEW_DESC* desc, D3D12_CPU_DESCRIPTOR_HANDLE) {
  Host::spend(costs_.record_ps);
  constexpr UINT alignment = D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT;
  if (desc == nullptr) return;
  if (desc->BufferLocation % alignment != 0 || desc->SizeInBytes % alignment != 0) {
    message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CREATE_CONSTANT_BUFFER_VIEW_INVALID_DESC,
            "ID3D12Device::CreateConstantBufferView: expected an address and a size that are multiples of 256");
  }
}

void Device::CreateShaderResourceView(ID3D12Resource* resource, const D3D12_SHADER_RESOURCE_VIEW_DESC*,
                                      D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Host::spend(costs_.record_ps);
  descriptor_at(handle).view = {};
  descriptor_at(handle).view.resource = com_cast<Resource>(resource);
}

void Device::CreateUnorderedAccessView(ID3D12Resource* resource, ID3D12Resource*,
                                       const D3D12_UNORDERED_ACCESS_VIEW_DESC* desc,
                                       D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Host::spend(costs_.record_ps);
  descriptor_at(handle).view = unordered_access_view(com_cast<Resource>(resource), desc);
}

void Device::CreateRenderTargetView(ID3D12Resource* resource, const D3D12_RENDER_TARGET_VIEW_DESC* desc,
                                    D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Host::spend(costs_.record_ps);
  descriptor_at(handle).view = render_target_view(com_cast<Resource>(resource), desc);
}

void Device::CreateDepthStencilView(ID3D12Resource* resource, const D3D12_DEPTH_STENCIL_VIEW_DESC* desc,
                                    D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Host::spend(costs_.record_ps);
  descriptor_at(handle).view = depth_stencil_view(com_cast<Resource>(resource), desc);
}

void Device::CreateSampler(const D3D12_SAMPLER_DESC*, D3D12_CPU_DESCRIPTOR_HANDLE) { Host::spend(costs_.record_ps); }
void Device::CreateSampler2(const D3D12_SAMPLER_DESC2*, D3D12_CPU_DESCRIPTOR_HANDLE) { Host::spend(costs_.record_ps); }
void Device::CreateSamplerFeedbackUnorderedAccessView(ID3D12Resource*, ID3D12Resource*, D3D12_CPU_DESCRIPTOR_HANDLE) {
  Host::spend(costs_.record_ps);
}

void Device::CopyDescriptors(UINT to_count, const D3D12_CPU_DESCRIPTOR_HANDLE* to, const UINT* to_sizes,
                             UINT from_count, const D3D12_CPU_DESCRIPTOR_HANDLE* from, const UINT* from_sizes,
                             D3D12_DESCRIPTOR_HEAP_TYPE) {
  Host::spend(costs_.record_ps);
  // Null sizes are ranges of one descriptor each.
  const auto size = [](const UINT* sizes, UINT range) { return sizes != nullptr ? sizes[range] : 1; };
  UINT from_range = 0;
  UINT from_at = 0;
  for (UINT to_range = 0; to_range < to_count; ++to_range) {
    for (UINT at = 0; at < size(to_sizes, to_range); ++at, ++from_at) {
      while (from_range < from_count && from_at == size(from_sizes, from_range)) {
        ++from_range;
        from_at = 0;
      }
      if (from_range == from_count) return;
      (&descriptor_at(to[to_range]))[at] = (&descriptor_at(from[from_range]))[from_at];
    }
  }
}

void Device::CopyDescriptorsSimple(UINT count, D3D12_CPU_DESCRIPTOR_HANDLE to, D3D12_CPU_DESCRIPTOR_HANDLE from,
                                   D3D12_DESCRIPTOR_HEAP_TYPE) {
  Host::spend(costs_.record_ps);
  std::copy_n(&descriptor_at(from), count, &descriptor_at(to));
}

}  // namespace fenceline::d3d12
