// SPDX-License-Identifier: Apache-2.0
// Device, the functions that write descriptors. Of what only shaders read the resource is kept: they are not executed.
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/device/device.hpp"
#include "api/d3d12/resources/descriptor_heaps.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace fenceline::d3d12 {

UINT Device::GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE type) {
  return static_cast<unsigned>(type) < D3D12_DESCRIPTOR_HEAP_TYPE_NUM_TYPES ? descriptor_increment : 0;
}

void Device::tell_no_descriptor(const char* method, UINT64 handle) {
  message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE,
          fmt::format("ID3D12Device::{}: {}", method, no_descriptor(handle)));
}

void Device::write_view(const char* method, D3D12_MESSAGE_ID wrong, D3D12_CPU_DESCRIPTOR_HANDLE handle,
                        const TargetView& view) {
  const Verdict verdict = check_view(view);
  if (!verdict.ok()) {
    message(D3D12_MESSAGE_SEVERITY_ERROR, wrong,
            fmt::format("ID3D12Device::{}: {}: the descriptor becomes null", method, verdict.message));
  }
  if (!descriptor_heaps_->set(handle.ptr, verdict.ok() ? view : TargetView{})) tell_no_descriptor(method, handle.ptr);
}

void Device::CreateConstantBufferView(const D3D12_CONSTANT_BUFFER_VIEW_DESC* desc, D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Host::spend(costs().record_ps);
  constexpr UINT alignment = D3D12_CONSTANT_BUFFER_DATA_PLACEMENT_ALIGNMENT;
  TargetView view;
  if (desc != nullptr) view.address = desc->BufferLocation;
  if (desc != nullptr && (desc->BufferLocation % alignment != 0 || desc->SizeInBytes % alignment != 0)) {
    message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CREATE_CONSTANT_BUFFER_VIEW_INVALID_DESC,
            "ID3D12Device::CreateConstantBufferView: expected an address and a size that are multiples of 256: the "
            "descriptor becomes null");
    view = {};
  }
  if (!descriptor_heaps_->set(handle.ptr, view)) tell_no_descriptor("CreateConstantBufferView", handle.ptr);
}

void Device::CreateShaderResourceView(ID3D12Resource* resource, const D3D12_SHADER_RESOURCE_VIEW_DESC*,
                                      D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Host::spend(costs().record_ps);
  TargetView view;
  view.resource = Held<Resource>(com_cast<Resource>(resource));
  if (!descriptor_heaps_->set(handle.ptr, view)) tell_no_descriptor("CreateShaderResourceView", handle.ptr);
}

void Device::CreateUnorderedAccessView(ID3D12Resource* resource, ID3D12Resource* counter,
                                       const D3D12_UNORDERED_ACCESS_VIEW_DESC* desc,
                                       D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Host::spend(costs().record_ps);
  TargetView view = unordered_access_view(com_cast<Resource>(resource), desc);
  view.counter = Held<Resource>(com_cast<Resource>(counter));
  write_view("CreateUnorderedAccessView", D3D12_MESSAGE_ID_CREATEUNORDEREDACCESSVIEW_INVALIDDESC, handle, view);
}

void Device::CreateRenderTargetView(ID3D12Resource* resource, const D3D12_RENDER_TARGET_VIEW_DESC* desc,
                                    D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Host::spend(costs().record_ps);
  write_view("CreateRenderTargetView", D3D12_MESSAGE_ID_CREATERENDERTARGETVIEW_INVALIDDESC, handle,
             render_target_view(com_cast<Resource>(resource), desc));
}

void Device::CreateDepthStencilView(ID3D12Resource* resource, const D3D12_DEPTH_STENCIL_VIEW_DESC* desc,
                                    D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Host::spend(costs().record_ps);
  write_view("CreateDepthStencilView", D3D12_MESSAGE_ID_CREATEDEPTHSTENCILVIEW_INVALIDDESC, handle,
             depth_stencil_view(com_cast<Resource>(resource), desc));
}

void Device::CreateSampler(const D3D12_SAMPLER_DESC*, D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Host::spend(costs().record_ps);
  if (!descriptor_heaps_->names(handle.ptr)) tell_no_descriptor("CreateSampler", handle.ptr);
}
void Device::CreateSampler2(const D3D12_SAMPLER_DESC2*, D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Host::spend(costs().record_ps);
  if (!descriptor_heaps_->names(handle.ptr)) tell_no_descriptor("CreateSampler2", handle.ptr);
}
void Device::CreateSamplerFeedbackUnorderedAccessView(ID3D12Resource*, ID3D12Resource*,
                                                      D3D12_CPU_DESCRIPTOR_HANDLE handle) {
  Host::spend(costs().record_ps);
  if (!descriptor_heaps_->names(handle.ptr)) tell_no_descriptor("CreateSamplerFeedbackUnorderedAccessView", handle.ptr);
}

namespace {

/// Null sizes are ranges of one descriptor each.
std::vector<DescriptorHeaps::Range> ranges_of(UINT count, const D3D12_CPU_DESCRIPTOR_HANDLE* starts,
                                              const UINT* sizes) {
  std::vector<DescriptorHeaps::Range> ranges;
  ranges.reserve(count);
  for (UINT i = 0; i < count; ++i) ranges.push_back({starts[i].ptr, sizes != nullptr ? sizes[i] : 1});
  return ranges;
}

}  // namespace

void Device::CopyDescriptors(UINT to_count, const D3D12_CPU_DESCRIPTOR_HANDLE* to, const UINT* to_sizes,
                             UINT from_count, const D3D12_CPU_DESCRIPTOR_HANDLE* from, const UINT* from_sizes,
                             D3D12_DESCRIPTOR_HEAP_TYPE) {
  Host::spend(costs().record_ps);
  const auto wrong = [&](const char* text) {
    message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_COPY_DESCRIPTORS_INVALID_RANGES,
            fmt::format("ID3D12Device::CopyDescriptors: {}", text));
  };
  if ((to_count > 0 && to == nullptr) || (from_count > 0 && from == nullptr)) {
    return wrong("expected ranges, found null");
  }
  switch (descriptor_heaps_->copy(ranges_of(to_count, to, to_sizes), ranges_of(from_count, from, from_sizes))) {
    case DescriptorHeaps::Copied::all: return;
    case DescriptorHeaps::Copied::no_range: return wrong("a range is not within a heap: nothing is copied");
    case DescriptorHeaps::Copied::unequal_counts:
      return wrong("expected as many descriptors on both sides: nothing is copied");
  }
}

void Device::CopyDescriptorsSimple(UINT count, D3D12_CPU_DESCRIPTOR_HANDLE to, D3D12_CPU_DESCRIPTOR_HANDLE from,
                                   D3D12_DESCRIPTOR_HEAP_TYPE type) {
  CopyDescriptors(1, &to, &count, 1, &from, &count, type);
}

}  // namespace fenceline::d3d12
