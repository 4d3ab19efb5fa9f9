// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, the functions that make one sample of many.
#include "api/d3d12/com_cast.hpp"
#include "api/d3d12/graphics_command_list.hpp"
#include "api/d3d12/not_modelled.hpp"
#include "api/d3d12/resource.hpp"
#include "api/d3d12/subresource.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {
namespace {

bool same_family(DXGI_FORMAT a, DXGI_FORMAT b) {
  const Format* const one = find_format(a);
  const Format* const other = find_format(b);
  return one != nullptr && other != nullptr && one->family == other->family;
}

}  // namespace

void GraphicsCommandList::resolve(const ResolveSide& to, const ResolveSide& from, const D3D12_RECT* rect,
                                  DXGI_FORMAT format, D3D12_RESOLVE_MODE mode, const char* method) {
  if (to.resource == nullptr || from.resource == nullptr) return invalid(method, "expected a resource, found null");
  const D3D12_RESOURCE_DESC& destination = to.resource->desc();
  const D3D12_RESOURCE_DESC& source = from.resource->desc();
  for (const ResolveSide* side : {&to, &from}) {
    const D3D12_RESOURCE_DESC& desc = side->resource->desc();
    if (desc.Dimension != D3D12_RESOURCE_DIMENSION_TEXTURE2D) return invalid(method, "expected 2D textures");
    if (side->subresource >= subresource_count(desc)) {
      return invalid(method, fmt::format("the resource has {} subresources, found {}", subresource_count(desc),
                                         side->subresource));
    }
    if (!same_family(desc.Format, format)) {
      return invalid(method, fmt::format("format {} is not of the family of {}, the resource's",
                                         static_cast<int>(format), static_cast<int>(desc.Format)));
    }
  }
  if (source.SampleDesc.Count < 2 || destination.SampleDesc.Count != 1) {
    return invalid(method, fmt::format("expected several samples to become one, found {} and {}",
                                       source.SampleDesc.Count, destination.SampleDesc.Count));
  }
  ResolveTexels resolve;
  const std::uint32_t plane = subresource_at(source, from.subresource).plane;
  resolve.format = sample_format(format, plane);
  if (resolve.format.kind == ComponentKind::none || subresource_at(destination, to.subresource).plane != plane) {
    return invalid(method, fmt::format("format {} cannot be resolved so", static_cast<int>(format)));
  }
  resolve.to = to.resource->at(0);
  resolve.from = from.resource->at(0);
  resolve.to_grid = grid_of(to.resource->layout(), to.subresource);
  resolve.from_grid = grid_of(from.resource->layout(), from.subresource);
  resolve.samples = source.SampleDesc.Count;
  resolve.mode = mode;
  resolve.x = to.x;
  resolve.y = to.y;
  const D3D12_BOX whole = whole_box(resolve.from_grid);
  const D3D12_RECT all{0, 0, static_cast<LONG>(whole.right), static_cast<LONG>(whole.bottom)};
  const D3D12_RECT& part = rect != nullptr ? *rect : all;
  const bool inside = part.left >= 0 && part.top >= 0 && part.left < part.right && part.top < part.bottom &&
                      part.right <= all.right && part.bottom <= all.bottom;
  const auto width = static_cast<std::uint64_t>(part.right) - static_cast<std::uint64_t>(part.left);
  const auto height = static_cast<std::uint64_t>(part.bottom) - static_cast<std::uint64_t>(part.top);
  if (!inside || to.x + width > resolve.to_grid.texels.width || to.y + height > resolve.to_grid.texels.height) {
    return invalid(method, fmt::format("the texels from ({}, {}) to ({}, {}) are not all in source and destination",
                                       part.left, part.top, part.right, part.bottom));
  }
  resolve.box = {static_cast<UINT>(part.left),  static_cast<UINT>(part.top),    0,
                 static_cast<UINT>(part.right), static_cast<UINT>(part.bottom), 1};
  const Resolve command{width * height * resolve.to_grid.element_bytes, resolve.samples};
  recording_->add(command, std::move(resolve));
}

void GraphicsCommandList::ResolveSubresource(ID3D12Resource* to, UINT to_subresource, ID3D12Resource* from,
                                             UINT from_subresource, DXGI_FORMAT format) {
  const char* const method = "ResolveSubresource";
  if (!begin(direct_only, method)) return;
  const ResolveSide destination{com_cast<Resource>(to), to_subresource, 0, 0};
  const ResolveSide source{com_cast<Resource>(from), from_subresource, 0, 0};
  resolve(destination, source, nullptr, format, D3D12_RESOLVE_MODE_AVERAGE, method);
}

void GraphicsCommandList::ResolveSubresourceRegion(ID3D12Resource* to, UINT to_subresource, UINT x, UINT y,
                                                   ID3D12Resource* from, UINT from_subresource, D3D12_RECT* rect,
                                                   DXGI_FORMAT format, D3D12_RESOLVE_MODE mode) {
  const char* const method = "ResolveSubresourceRegion";
  if (!begin(direct_only, method)) return;
  switch (mode) {
    case D3D12_RESOLVE_MODE_MIN:
    case D3D12_RESOLVE_MODE_MAX:
    case D3D12_RESOLVE_MODE_AVERAGE: break;
    case D3D12_RESOLVE_MODE_DECOMPRESS:
    case D3D12_RESOLVE_MODE_ENCODE_SAMPLER_FEEDBACK:
    case D3D12_RESOLVE_MODE_DECODE_SAMPLER_FEEDBACK:
      not_modelled("ID3D12GraphicsCommandList1::ResolveSubresourceRegion of other modes than MIN, MAX and AVERAGE");
      return;
    default: return invalid(method, fmt::format("expected mode 0 to 5, found {}", static_cast<int>(mode)));
  }
  const Format* const known = find_format(format);
  if (mode == D3D12_RESOLVE_MODE_AVERAGE && known != nullptr && is_integer(*known)) {
    return invalid(method, "integers have no average");
  }
  const ResolveSide destination{com_cast<Resource>(to), to_subresource, x, y};
  const ResolveSide source{com_cast<Resource>(from), from_subresource, 0, 0};
  resolve(destination, source, rect, format, mode, method);
}

}  // namespace fenceline::d3d12
