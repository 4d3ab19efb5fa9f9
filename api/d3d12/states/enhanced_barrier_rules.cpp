// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/states/enhanced_barrier_rules.hpp"

#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/subresource.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {
namespace {

bool is_within(D3D12_BARRIER_LAYOUT layout, D3D12_BARRIER_LAYOUT first, D3D12_BARRIER_LAYOUT last) {
  return layout >= first && layout <= last;
}

bool has_layout(D3D12_COMMAND_LIST_TYPE list_type, D3D12_BARRIER_LAYOUT layout) {
  if (layout == D3D12_BARRIER_LAYOUT_UNDEFINED || layout == D3D12_BARRIER_LAYOUT_COMMON) return true;
  const bool any_shader = layout == D3D12_BARRIER_LAYOUT_GENERIC_READ ||
                          layout == D3D12_BARRIER_LAYOUT_UNORDERED_ACCESS ||
                          is_within(layout, D3D12_BARRIER_LAYOUT_SHADER_RESOURCE, D3D12_BARRIER_LAYOUT_COPY_DEST);
  switch (list_type) {
    case D3D12_COMMAND_LIST_TYPE_DIRECT:
      return is_within(layout, D3D12_BARRIER_LAYOUT_GENERIC_READ, D3D12_BARRIER_LAYOUT_SHADING_RATE_SOURCE) ||
             is_within(layout, D3D12_BARRIER_LAYOUT_DIRECT_QUEUE_COMMON, D3D12_BARRIER_LAYOUT_DIRECT_QUEUE_COPY_DEST);
    case D3D12_COMMAND_LIST_TYPE_COMPUTE:
      return any_shader ||
             is_within(layout, D3D12_BARRIER_LAYOUT_COMPUTE_QUEUE_COMMON, D3D12_BARRIER_LAYOUT_COMPUTE_QUEUE_COPY_DEST);
    default: return false;
  }
}

Verdict outside(const char* what, UINT first, UINT count) {
  return {E_INVALIDARG, fmt::format("expected {} below {}, found {}", what, count, first)};
}

Verdict check_range(const D3D12_BARRIER_SUBRESOURCE_RANGE& range, const D3D12_RESOURCE_DESC& desc) {
  if (range.NumMipLevels == 0) {
    const UINT count = subresource_count(desc);
    const bool all = range.IndexOrFirstMipLevel == D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
    return all || range.IndexOrFirstMipLevel < count ? Verdict{}
                                                     : outside("a subresource", range.IndexOrFirstMipLevel, count);
  }
  if (range.IndexOrFirstMipLevel >= mip_count(desc))
    return outside("a mip", range.IndexOrFirstMipLevel, mip_count(desc));
  if (range.FirstArraySlice >= array_size(desc)) return outside("a slice", range.FirstArraySlice, array_size(desc));
  const UINT planes = plane_count(desc.Format);
  return range.FirstPlane < planes ? Verdict{} : outside("a plane", range.FirstPlane, planes);
}

}  // namespace

Verdict check_texture_barrier(const D3D12_TEXTURE_BARRIER& barrier, const D3D12_RESOURCE_DESC* desc,
                              D3D12_COMMAND_LIST_TYPE list_type) {
  if (desc == nullptr) return {E_INVALIDARG, "expected a resource, found null"};
  if (desc->Dimension == D3D12_RESOURCE_DIMENSION_BUFFER) return {E_INVALIDARG, "expected a texture, found a buffer"};
  for (const D3D12_BARRIER_LAYOUT layout : {barrier.LayoutBefore, barrier.LayoutAfter}) {
    if (has_layout(list_type, layout)) continue;
    return {E_INVALIDARG, fmt::format("layout {:#x} is not one of the list's type", static_cast<unsigned>(layout))};
  }
  if ((barrier.Flags & ~D3D12_TEXTURE_BARRIER_FLAG_DISCARD) != 0) {
    return {E_INVALIDARG,
            fmt::format("expected flags NONE or DISCARD, found {:#x}", static_cast<unsigned>(barrier.Flags))};
  }
  return check_range(barrier.Subresources, *desc);
}

Verdict check_buffer_barrier(const D3D12_BUFFER_BARRIER& barrier, const D3D12_RESOURCE_DESC* desc) {
  if (desc == nullptr) return {E_INVALIDARG, "expected a resource, found null"};
  if (desc->Dimension != D3D12_RESOURCE_DIMENSION_BUFFER) return {E_INVALIDARG, "expected a buffer, found a texture"};
  if (barrier.Offset == 0 && (barrier.Size == UINT64_MAX || barrier.Size == desc->Width)) return {};
  return {E_INVALIDARG, fmt::format("expected all {} bytes from 0 on, found {} from {} on", desc->Width, barrier.Size,
                                    barrier.Offset)};
}

}  // namespace fenceline::d3d12
