// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/subresource.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

/// The elements of a subresource: what is left of its format, its plane and its mip once only bytes count.
struct SubresourceShape {
  FormatPlane plane{};
  std::uint8_t block_width = 1;  ///< texels of the plane that share an element
  std::uint8_t block_height = 1;
  Extent texels;                      ///< of the plane, rounded up to whole blocks
  std::uint32_t rows = 0;             ///< of blocks, in a slice
  std::uint64_t row_bytes = 0;        ///< of one row
  std::uint64_t pitch_row_bytes = 0;  ///< what a row pitch has to hold: more than row_bytes for the chroma of NV11
};

/// The shape of a subresource of a valid description; `index` is less than subresource_count.
SubresourceShape subresource_shape(const D3D12_RESOURCE_DESC& desc, std::uint32_t index);

/// Of a ROW_MAJOR texture, which adapters share: the smallest multiple of 128 bytes that holds a row. Source:
/// windows-driver-docs, D3DKMT_CROSS_ADAPTER_RESOURCE_PITCH_ALIGNMENT.
std::uint64_t row_major_pitch(const SubresourceShape& shape);

}  // namespace fenceline::d3d12
