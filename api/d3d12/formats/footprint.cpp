// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/footprint.hpp"

#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/resource_desc.hpp"
#include "api/d3d12/formats/resource_layout.hpp"
#include "sim/rounding.hpp"

#include <algorithm>
#include <limits>

namespace fenceline::d3d12 {
namespace {

bool has_footprints(const D3D12_RESOURCE_DESC& desc, UINT first, UINT count) {
  if (!check_resource_desc(desc).ok() || is_opaque(*find_format(desc.Format))) return false;
  if (desc.Width > std::numeric_limits<UINT>::max()) return false;  // a footprint's width has 32 bits
  const UINT all = subresource_count(desc);
  return first < all && count <= all - first;
}

void fill_with_ones(UINT count, const FootprintResults& results) {
  constexpr auto ones32 = std::numeric_limits<UINT>::max();
  constexpr auto ones64 = std::numeric_limits<UINT64>::max();
  const D3D12_PLACED_SUBRESOURCE_FOOTPRINT none = {ones64,
                                                   {static_cast<DXGI_FORMAT>(ones32), ones32, ones32, ones32, ones32}};
  if (results.layouts != nullptr) std::fill_n(results.layouts, count, none);
  if (results.row_counts != nullptr) std::fill_n(results.row_counts, count, ones32);
  if (results.row_bytes != nullptr) std::fill_n(results.row_bytes, count, ones64);
  if (results.total_bytes != nullptr) *results.total_bytes = ones64;
}

}  // namespace

void copyable_footprints(const D3D12_RESOURCE_DESC& desc, UINT first, UINT count, UINT64 base_offset,
                         const FootprintResults& results) {
  if (!has_footprints(desc, first, count)) {
    fill_with_ones(count, results);
    return;
  }
  // Multisampled textures have no copyable form; D3D12 answers as for one sample.
  D3D12_RESOURCE_DESC single = desc;
  single.SampleDesc.Count = 1;
  const std::uint64_t pitch_alignment =
      plane_count(desc.Format) > 1 ? D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT : D3D12_TEXTURE_DATA_PITCH_ALIGNMENT;
  std::uint64_t total = 0;
  for (UINT i = 0; i < count; ++i) {
    const SubresourceShape shape = subresource_shape(single, first + i);
    const std::uint64_t pitch = rounded_up(shape.pitch_row_bytes, pitch_alignment);
    total = rounded_up(total, D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT);
    if (results.layouts != nullptr) {
      results.layouts[i] = {base_offset + total,
                            {shape.plane.format, static_cast<UINT>(shape.texels.width), shape.texels.height,
                             shape.texels.depth, static_cast<UINT>(pitch)}};
    }
    if (results.row_counts != nullptr) results.row_counts[i] = shape.rows;
    if (results.row_bytes != nullptr) results.row_bytes[i] = shape.row_bytes;
    total += (std::uint64_t{shape.rows} * shape.texels.depth - 1) * pitch + shape.pitch_row_bytes;
  }
  if (results.total_bytes != nullptr) *results.total_bytes = total;
}

}  // namespace fenceline::d3d12
