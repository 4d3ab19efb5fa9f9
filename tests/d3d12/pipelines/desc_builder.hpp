// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

namespace fenceline::testing {

inline D3D12_RESOURCE_DESC buffer_desc(UINT64 bytes) {
  return {
      D3D12_RESOURCE_DIMENSION_BUFFER, 0, bytes, 1, 1, 1, DXGI_FORMAT_UNKNOWN, {1, 0}, D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
      D3D12_RESOURCE_FLAG_NONE};
}

inline D3D12_RESOURCE_DESC texture_desc(D3D12_RESOURCE_DIMENSION dimension, DXGI_FORMAT format, UINT64 width,
                                        UINT height, UINT16 depth_or_slices = 1, UINT16 mips = 1) {
  return {dimension,
          0,
          width,
          height,
          depth_or_slices,
          mips,
          format,
          {1, 0},
          D3D12_TEXTURE_LAYOUT_UNKNOWN,
          D3D12_RESOURCE_FLAG_NONE};
}

inline D3D12_RESOURCE_DESC texture_1d(DXGI_FORMAT format, UINT64 width, UINT16 slices = 1, UINT16 mips = 1) {
  return texture_desc(D3D12_RESOURCE_DIMENSION_TEXTURE1D, format, width, 1, slices, mips);
}
inline D3D12_RESOURCE_DESC texture_2d(DXGI_FORMAT format, UINT64 width, UINT height, UINT16 slices = 1,
                                      UINT16 mips = 1) {
  return texture_desc(D3D12_RESOURCE_DIMENSION_TEXTURE2D, format, width, height, slices, mips);
}
inline D3D12_RESOURCE_DESC texture_3d(DXGI_FORMAT format, UINT64 width, UINT height, UINT16 depth, UINT16 mips = 1) {
  return texture_desc(D3D12_RESOURCE_DIMENSION_TEXTURE3D, format, width, height, depth, mips);
}

}  // namespace fenceline::testing
