// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/descriptor_heap.hpp"

#include "api/d3d12/format.hpp"
#include "api/d3d12/host.hpp"
#include "api/d3d12/resource.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {
namespace {

constexpr std::uint32_t all = ~std::uint32_t{0};

TargetView whole(Resource* resource) {
  TargetView view;
  view.resource = resource;
  view.slices = all;
  if (resource == nullptr) return view;
  view.format = resource->desc().Format;
  if (resource->is_buffer()) view.bytes = resource->bytes();
  view.back_buffer = resource->back_buffer();
  return view;
}

}  // namespace

DescriptorHeap::DescriptorHeap(Device& device, const D3D12_DESCRIPTOR_HEAP_DESC& desc)
    : DeviceChild(device), desc_(desc), descriptors_(desc.NumDescriptors) {
  if (desc_.NodeMask == 0) desc_.NodeMask = 1;
}

D3D12_CPU_DESCRIPTOR_HANDLE DescriptorHeap::GetCPUDescriptorHandleForHeapStart() {
  return {reinterpret_cast<SIZE_T>(descriptors_.data())};
}

D3D12_GPU_DESCRIPTOR_HANDLE DescriptorHeap::GetGPUDescriptorHandleForHeapStart() {
  const bool visible = (desc_.Flags & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) != 0;
  return {visible ? reinterpret_cast<UINT64>(descriptors_.data()) : 0};
}

HRESULT create_descriptor_heap(Device& device, const D3D12_DESCRIPTOR_HEAP_DESC* desc, REFIID iid, void** heap) {
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
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  constexpr UINT most_descriptors = 1U << 24;  // what no GPU has room for; D3D12 promises a million
  if (desc->NumDescriptors > most_descriptors) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CREATE_DESCRIPTOR_HEAP_LARGE_NUM_DESCRIPTORS,
                   fmt::format("ID3D12Device::CreateDescriptorHeap: expected at most {} descriptors, found {}",
                               most_descriptors, desc->NumDescriptors));
    return E_OUTOFMEMORY;
  }
  return give_out(new DescriptorHeap(device, *desc), iid, heap);
}

TargetView render_target_view(Resource* resource, const D3D12_RENDER_TARGET_VIEW_DESC* desc) {
  TargetView view = whole(resource);
  if (desc == nullptr || resource == nullptr) return view;
  if (desc->Format != DXGI_FORMAT_UNKNOWN) view.format = desc->Format;
  switch (desc->ViewDimension) {
    case D3D12_RTV_DIMENSION_BUFFER: {
      const Format* const format = find_format(view.format);
      const std::uint64_t element = format != nullptr ? format->block_bytes : 1;
      view.first_byte = desc->Buffer.FirstElement * element;
      view.bytes = desc->Buffer.NumElements * element;
      break;
    }
    case D3D12_RTV_DIMENSION_TEXTURE1D: view.mip = desc->Texture1D.MipSlice; break;
    case D3D12_RTV_DIMENSION_TEXTURE1DARRAY:
      view.mip = desc->Texture1DArray.MipSlice;
      view.first_slice = desc->Texture1DArray.FirstArraySlice;
      view.slices = desc->Texture1DArray.ArraySize;
      break;
    case D3D12_RTV_DIMENSION_TEXTURE2D:
      view.mip = desc->Texture2D.MipSlice;
      view.plane = desc->Texture2D.PlaneSlice;
      break;
    case D3D12_RTV_DIMENSION_TEXTURE2DARRAY:
      view.mip = desc->Texture2DArray.MipSlice;
      view.plane = desc->Texture2DArray.PlaneSlice;
      view.first_slice = desc->Texture2DArray.FirstArraySlice;
      view.slices = desc->Texture2DArray.ArraySize;
      break;
    case D3D12_RTV_DIMENSION_TEXTURE2DMSARRAY:
      view.first_slice = desc->Texture2DMSArray.FirstArraySlice;
      view.slices = desc->Texture2DMSArray.ArraySize;
      break;
    case D3D12_RTV_DIMENSION_TEXTURE3D:
      view.mip = desc->Texture3D.MipSlice;
      view.first_slice = desc->Texture3D.FirstWSlice;
      view.slices = desc->Texture3D.WSize;
      break;
    default: break;
  }
  return view;
}

TargetView depth_stencil_view(Resource* resource, const D3D12_DEPTH_STENCIL_VIEW_DESC* desc) {
  TargetView view = whole(resource);
  if (desc == nullptr || resource == nullptr) return view;
  view.read_only_depth = (desc->Flags & D3D12_DSV_FLAG_READ_ONLY_DEPTH) != 0;
  view.read_only_stencil = (desc->Flags & D3D12_DSV_FLAG_READ_ONLY_STENCIL) != 0;
  if (desc->Format != DXGI_FORMAT_UNKNOWN) view.format = desc->Format;
  switch (desc->ViewDimension) {
    case D3D12_DSV_DIMENSION_TEXTURE1D: view.mip = desc->Texture1D.MipSlice; break;
    case D3D12_DSV_DIMENSION_TEXTURE1DARRAY:
      view.mip = desc->Texture1DArray.MipSlice;
      view.first_slice = desc->Texture1DArray.FirstArraySlice;
      view.slices = desc->Texture1DArray.ArraySize;
      break;
    case D3D12_DSV_DIMENSION_TEXTURE2D: view.mip = desc->Texture2D.MipSlice; break;
    case D3D12_DSV_DIMENSION_TEXTURE2DARRAY:
      view.mip = desc->Texture2DArray.MipSlice;
      view.first_slice = desc->Texture2DArray.FirstArraySlice;
      view.slices = desc->Texture2DArray.ArraySize;
      break;
    case D3D12_DSV_DIMENSION_TEXTURE2DMSARRAY:
      view.first_slice = desc->Texture2DMSArray.FirstArraySlice;
      view.slices = desc->Texture2DMSArray.ArraySize;
      break;
    default: break;
  }
  return view;
}

TargetView unordered_access_view(Resource* resource, const D3D12_UNORDERED_ACCESS_VIEW_DESC* desc) {
  TargetView view = whole(resource);
  if (desc == nullptr || resource == nullptr) return view;
  if (desc->Format != DXGI_FORMAT_UNKNOWN) view.format = desc->Format;
  switch (desc->ViewDimension) {
    case D3D12_UAV_DIMENSION_BUFFER: {
      const bool raw = (desc->Buffer.Flags & D3D12_BUFFER_UAV_FLAG_RAW) != 0;
      const Format* const format = find_format(desc->Format);
      std::uint64_t element = desc->Buffer.StructureByteStride;
      if (raw) element = 4;
      if (element == 0) element = format != nullptr && desc->Format != DXGI_FORMAT_UNKNOWN ? format->block_bytes : 1;
      if (raw || desc->Buffer.StructureByteStride > 0) view.format = DXGI_FORMAT_R32_UINT;
      view.first_byte = desc->Buffer.FirstElement * element;
      view.bytes = desc->Buffer.NumElements * element;
      break;
    }
    case D3D12_UAV_DIMENSION_TEXTURE1D: view.mip = desc->Texture1D.MipSlice; break;
    case D3D12_UAV_DIMENSION_TEXTURE1DARRAY:
      view.mip = desc->Texture1DArray.MipSlice;
      view.first_slice = desc->Texture1DArray.FirstArraySlice;
      view.slices = desc->Texture1DArray.ArraySize;
      break;
    case D3D12_UAV_DIMENSION_TEXTURE2D:
      view.mip = desc->Texture2D.MipSlice;
      view.plane = desc->Texture2D.PlaneSlice;
      break;
    case D3D12_UAV_DIMENSION_TEXTURE2DARRAY:
      view.mip = desc->Texture2DArray.MipSlice;
      view.plane = desc->Texture2DArray.PlaneSlice;
      view.first_slice = desc->Texture2DArray.FirstArraySlice;
      view.slices = desc->Texture2DArray.ArraySize;
      break;
    case D3D12_UAV_DIMENSION_TEXTURE3D:
      view.mip = desc->Texture3D.MipSlice;
      view.first_slice = desc->Texture3D.FirstWSlice;
      view.slices = desc->Texture3D.WSize;
      break;
    default: break;
  }
  return view;
}

}  // namespace fenceline::d3d12
