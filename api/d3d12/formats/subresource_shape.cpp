// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/subresource_shape.hpp"

#include "sim/rounding.hpp"

namespace fenceline::d3d12 {
SubresourceShape subresource_shape(const D3D12_RESOURCE_DESC& desc, std::uint32_t index) {
  const Format& format = *find_format(desc.Format);
  const Subresource at = subresource_at(desc, index);
  const Extent mip = mip_extent(desc, at.mip);
  SubresourceShape shape;
  shape.plane = plane_of(format, at.plane);
  const std::uint64_t width = divided_up(mip.width, format.block_width) * format.block_width;
  const std::uint32_t height = divided_up(mip.height, format.block_height) * format.block_height;
  shape.texels = {divided_up(width, shape.plane.width_divisor), divided_up(height, shape.plane.height_divisor),
                  mip.depth};
  if (format.planes == PlaneScheme::one || format.planes == PlaneScheme::opaque) {
    shape.block_width = format.block_width;
    shape.block_height = format.block_height;
  }
  const std::uint64_t element = std::uint64_t{shape.plane.block_bytes} * desc.SampleDesc.Count;
  shape.rows = shape.texels.height / shape.block_height;
  shape.row_bytes = shape.texels.width / shape.block_width * element;
  shape.pitch_row_bytes = divided_up(width, shape.plane.pitch_divisor) / shape.block_width * element;
  return shape;
}

std::uint64_t row_major_pitch(const SubresourceShape& shape) {
  constexpr std::uint64_t pitch_alignment = 128;
  return divided_up(shape.row_bytes, pitch_alignment) * pitch_alignment;
}

}  // namespace fenceline::d3d12
