// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/resources/target_view.hpp"

#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/subresource.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace fenceline::d3d12 {
namespace {

constexpr std::uint32_t all = ~std::uint32_t{0};

TargetView whole(Resource* resource) {
  TargetView view;
  view.resource = Held<Resource>(resource);
  view.slices = all;
  if (resource == nullptr) return view;
  view.format = resource->desc().Format;
  if (resource->is_buffer()) view.bytes = resource->bytes();
  view.back_buffer = resource->back_buffer();
  return view;
}

/// Elements as bytes; more than any buffer has where 64 bits do not hold them.
std::uint64_t bytes_of(std::uint64_t elements, std::uint64_t element) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return elements > most / element ? most : elements * element;
}

// What the descriptions of render target, depth stencil and unordered access views call alike; no part has all of it.
template <class Part>
auto show_mip(TargetView& view, const Part& part) -> decltype(part.MipSlice, void()) {
  view.mip = part.MipSlice;
}
template <class Part>
auto show_slices(TargetView& view, const Part& part) -> decltype(part.FirstArraySlice, void()) {
  view.first_slice = part.FirstArraySlice;
  view.slices = part.ArraySize;
}
template <class Part>
auto show_depth(TargetView& view, const Part& part) -> decltype(part.FirstWSlice, void()) {
  view.first_slice = part.FirstWSlice;
  view.slices = part.WSize;
}
template <class Part>
auto show_plane(TargetView& view, const Part& part) -> decltype(part.PlaneSlice, void()) {
  view.plane = part.PlaneSlice;
}
void show_mip(TargetView&, ...) {}
void show_slices(TargetView&, ...) {}
void show_depth(TargetView&, ...) {}
void show_plane(TargetView&, ...) {}

/// The part of a texture that a description names.
template <class Part>
void show(TargetView& view, const Part& part) {
  show_mip(view, part);
  show_slices(view, part);
  show_depth(view, part);
  show_plane(view, part);
}

/// The part of a buffer of elements of so many bytes.
template <class Part>
void show_elements(TargetView& view, const Part& part, std::uint64_t element) {
  view.first_byte = bytes_of(part.FirstElement, element);
  view.bytes = bytes_of(part.NumElements, element);
}

}  // namespace

TargetView render_target_view(Resource* resource, const D3D12_RENDER_TARGET_VIEW_DESC* desc) {
  TargetView view = whole(resource);
  if (desc == nullptr || resource == nullptr) return view;
  if (desc->Format != DXGI_FORMAT_UNKNOWN) view.format = desc->Format;
  switch (desc->ViewDimension) {
    case D3D12_RTV_DIMENSION_BUFFER: {
      const Format* const format = find_format(view.format);
      const std::uint64_t element = format != nullptr ? format->block_bytes : 1;
      show_elements(view, desc->Buffer, element);
      break;
    }
    case D3D12_RTV_DIMENSION_TEXTURE1D: show(view, desc->Texture1D); break;
    case D3D12_RTV_DIMENSION_TEXTURE1DARRAY: show(view, desc->Texture1DArray); break;
    case D3D12_RTV_DIMENSION_TEXTURE2D: show(view, desc->Texture2D); break;
    case D3D12_RTV_DIMENSION_TEXTURE2DARRAY: show(view, desc->Texture2DArray); break;
    case D3D12_RTV_DIMENSION_TEXTURE2DMSARRAY: show(view, desc->Texture2DMSArray); break;
    case D3D12_RTV_DIMENSION_TEXTURE3D: show(view, desc->Texture3D); break;
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
    case D3D12_DSV_DIMENSION_TEXTURE1D: show(view, desc->Texture1D); break;
    case D3D12_DSV_DIMENSION_TEXTURE1DARRAY: show(view, desc->Texture1DArray); break;
    case D3D12_DSV_DIMENSION_TEXTURE2D: show(view, desc->Texture2D); break;
    case D3D12_DSV_DIMENSION_TEXTURE2DARRAY: show(view, desc->Texture2DArray); break;
    case D3D12_DSV_DIMENSION_TEXTURE2DMSARRAY: show(view, desc->Texture2DMSArray); break;
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
      show_elements(view, desc->Buffer, element);
      break;
    }
    case D3D12_UAV_DIMENSION_TEXTURE1D: show(view, desc->Texture1D); break;
    case D3D12_UAV_DIMENSION_TEXTURE1DARRAY: show(view, desc->Texture1DArray); break;
    case D3D12_UAV_DIMENSION_TEXTURE2D: show(view, desc->Texture2D); break;
    case D3D12_UAV_DIMENSION_TEXTURE2DARRAY: show(view, desc->Texture2DArray); break;
    case D3D12_UAV_DIMENSION_TEXTURE3D: show(view, desc->Texture3D); break;
    default: break;
  }
  return view;
}

Verdict check_view(const TargetView& view) {
  if (!view.resource) return {};
  const Resource& resource = *view.resource;
  const D3D12_RESOURCE_DESC& desc = resource.desc();
  const auto wrong = [](const std::string& text) { return Verdict{E_INVALIDARG, text}; };
  if (find_format(view.format) == nullptr) {
    return wrong(fmt::format("expected a known format, found {}", static_cast<int>(view.format)));
  }
  if (resource.is_buffer()) {
    if (view.mip != 0 || view.plane != 0 || view.first_slice != 0) {
      return wrong("a part of a texture is viewed, and the resource is a buffer");
    }
    const std::uint64_t room = resource.bytes();
    if (view.first_byte <= room && view.bytes <= room - view.first_byte) return {};
    return wrong(
        fmt::format("the buffer has {} bytes, and {} from {} on are viewed", room, view.bytes, view.first_byte));
  }
  if (view.mip >= mip_count(desc)) {
    return wrong(fmt::format("expected a mip below {}, found {}", mip_count(desc), view.mip));
  }
  const std::uint32_t planes = plane_count(desc.Format);
  if (view.plane >= planes) return wrong(fmt::format("expected a plane below {}, found {}", planes, view.plane));
  const bool in_depth = desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D;
  const std::uint32_t layers = in_depth ? mip_extent(desc, view.mip).depth : array_size(desc);
  if (view.first_slice < layers && (view.slices == all || view.slices <= layers - view.first_slice)) return {};
  return wrong(
      fmt::format("the mip has {} slices, and {} from {} on are viewed", layers, view.slices, view.first_slice));
}

}  // namespace fenceline::d3d12
