// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, the functions that make one sample of many.
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/com/not_modelled.hpp"
#include "api/d3d12/formats/subresource.hpp"
#include "api/d3d12/lists/graphics_command_list.hpp"
#include "api/d3d12/resources/accessed_part.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace fenceline::d3d12 {
namespace {

bool same_family(DXGI_FORMAT a, DXGI_FORMAT b) {
  const Format* const one = find_format(a);
  const Format* const other = find_format(b);
  return one != nullptr && other != nullptr && one->family == other->family;
}

/// What the rectangle covers of the source, or all of it; nothing if it does not lie within both sides.
std::optional<D3D12_BOX> box_of(const D3D12_RECT* rect, const TexelGrid& from, const TexelGrid& to, UINT x, UINT y) {
  const D3D12_BOX whole = whole_box(from);
  const D3D12_RECT all{0, 0, static_cast<LONG>(whole.right), static_cast<LONG>(whole.bottom)};
  const D3D12_RECT& part = rect != nullptr ? *rect : all;
  const bool inside = part.left >= 0 && part.top >= 0 && part.left < part.right && part.top < part.bottom &&
                      part.right <= all.right && part.bottom <= all.bottom;
  if (!inside) return std::nullopt;
  const D3D12_BOX box{static_cast<UINT>(part.left),  static_cast<UINT>(part.top),    0,
                      static_cast<UINT>(part.right), static_cast<UINT>(part.bottom), 1};
  const bool fits = std::uint64_t{x} + box.right - box.left <= to.texels.width &&
                    std::uint64_t{y} + box.bottom - box.top <= to.texels.height;
  return fits ? std::optional(box) : std::nullopt;
}

}  // namespace

std::string GraphicsCommandList::ResolveSide::problem(DXGI_FORMAT format) const {
  if (resource == nullptr) return "expected a resource, found null";
  const D3D12_RESOURCE_DESC& desc = resource->desc();
  if (desc.Dimension != D3D12_RESOURCE_DIMENSION_TEXTURE2D) return "expected 2D textures";
  if (subresource >= subresource_count(desc)) {
    return fmt::format("the resource has {} subresources, found {}", subresource_count(desc), subresource);
  }
  if (same_family(desc.Format, format)) return {};
  return fmt::format("format {} is not of the family of {}, the resource's", static_cast<int>(format),
                     static_cast<int>(desc.Format));
}

void GraphicsCommandList::watch_resolve(const char* method, const ResolveSide& to, const TexelGrid& to_grid,
                                        const ResolveSide& from, const TexelGrid& from_grid, const D3D12_BOX& box) {
  writes(method, [&] {
    const D3D12_BOX at{to.x, to.y, 0, to.x + box.right - box.left, to.y + box.bottom - box.top, 1};
    return texel_part(*to.resource, to_grid, at, to.subresource);
  });
  reads(method, [&] { return texel_part(*from.resource, from_grid, box, from.subresource); });
}

void GraphicsCommandList::resolve(const ResolveSide& to, const ResolveSide& from, const D3D12_RECT* rect,
                                  DXGI_FORMAT format, D3D12_RESOLVE_MODE mode, const char* method) {
  for (const ResolveSide* side : {&to, &from}) {
    if (const std::string problem = side->problem(format); !problem.empty()) return invalid(method, problem);
  }
  const D3D12_RESOURCE_DESC& destination = to.resource->desc();
  const D3D12_RESOURCE_DESC& source = from.resource->desc();
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
  const auto box = box_of(rect, resolve.from_grid, resolve.to_grid, to.x, to.y);
  if (!box) return invalid(method, "the texels are not all in source and destination");
  resolve.box = *box;
  watch_resolve(method, to, resolve.to_grid, from, resolve.from_grid, *box);
  const Resolve command{
      std::uint64_t{box->right - box->left} * (box->bottom - box->top) * resolve.to_grid.element_bytes,
      resolve.samples};
  needs(*to.resource, D3D12_RESOURCE_STATE_RESOLVE_DEST, to.subresource);
  needs(*from.resource, from.state, from.subresource);
  recording_->add(command, std::move(resolve));
}

/// Every sample goes where it is, or to its place in another texture of as many.
void GraphicsCommandList::decompress(const ResolveSide& to, const ResolveSide& from, const D3D12_RECT* rect,
                                     DXGI_FORMAT format, const char* method) {
  for (const ResolveSide* side : {&to, &from}) {
    if (const std::string problem = side->problem(format); !problem.empty()) return invalid(method, problem);
  }
  const D3D12_RESOURCE_DESC& destination = to.resource->desc();
  const D3D12_RESOURCE_DESC& source = from.resource->desc();
  if (source.SampleDesc.Count != destination.SampleDesc.Count) {
    return invalid(method, fmt::format("expected as many samples on both sides, found {} and {}",
                                       source.SampleDesc.Count, destination.SampleDesc.Count));
  }
  if (subresource_at(source, from.subresource).plane != subresource_at(destination, to.subresource).plane) {
    return invalid(method, "the subresources are of different planes");
  }
  CopyTexels copy;
  copy.to = to.resource->at(0);
  copy.from = from.resource->at(0);
  copy.to_grid = grid_of(to.resource->layout(), to.subresource);
  copy.from_grid = grid_of(from.resource->layout(), from.subresource);
  copy.x = to.x;
  copy.y = to.y;
  const auto box = box_of(rect, copy.from_grid, copy.to_grid, to.x, to.y);
  if (!box) return invalid(method, "the texels are not all in source and destination");
  copy.box = *box;
  if (to.resource == from.resource && to.subresource == from.subresource) {
    if (box->left == to.x && box->top == to.y) return;  // their values are what they are
    if (overlap(to.x, to.y, 0, *box)) return invalid(method, "source and destination overlap");
  }
  if (to.resource != from.resource) needs(*to.resource, D3D12_RESOURCE_STATE_RESOLVE_DEST, to.subresource);
  needs(*from.resource, from.state, from.subresource);
  watch_resolve(method, to, copy.to_grid, from, copy.from_grid, *box);
  const Resolve command{copied_bytes(copy.from_grid, copy.box), 1};
  recording_->add(command, std::move(copy));
}

/// In any of the modes that D3D12 has.
void GraphicsCommandList::resolve_region(const ResolveSide& to, const ResolveSide& from, const D3D12_RECT* rect,
                                         DXGI_FORMAT format, D3D12_RESOLVE_MODE mode, const char* method) {
  switch (mode) {
    case D3D12_RESOLVE_MODE_MIN:
    case D3D12_RESOLVE_MODE_MAX:
    case D3D12_RESOLVE_MODE_AVERAGE: break;
    case D3D12_RESOLVE_MODE_DECOMPRESS: return decompress(to, from, rect, format, method);
    case D3D12_RESOLVE_MODE_ENCODE_SAMPLER_FEEDBACK:
    case D3D12_RESOLVE_MODE_DECODE_SAMPLER_FEEDBACK:
      not_modelled("ID3D12GraphicsCommandList1::ResolveSubresourceRegion of sampler feedback");
      return;
    default: return invalid(method, fmt::format("expected mode 0 to 5, found {}", static_cast<int>(mode)));
  }
  const Format* const known = find_format(format);
  if (mode == D3D12_RESOLVE_MODE_AVERAGE && known != nullptr && is_integer(*known)) {
    return invalid(method, "integers have no average");
  }
  resolve(to, from, rect, format, mode, method);
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
  const ResolveSide destination{com_cast<Resource>(to), to_subresource, x, y};
  const ResolveSide source{com_cast<Resource>(from), from_subresource, 0, 0};
  resolve_region(destination, source, rect, format, mode, method);
}

}  // namespace fenceline::d3d12
