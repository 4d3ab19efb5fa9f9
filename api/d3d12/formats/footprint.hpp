// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

/// Where the results of ID3D12Device::GetCopyableFootprints go; each may be null.
struct FootprintResults {
  D3D12_PLACED_SUBRESOURCE_FOOTPRINT* layouts = nullptr;  ///< one of each subresource
  UINT* row_counts = nullptr;                             ///< rows of blocks in a slice
  UINT64* row_bytes = nullptr;                            ///< of a row without its padding
  UINT64* total_bytes = nullptr;  ///< up to the end of the last row; the base offset not counted
};

/// ID3D12Device::GetCopyableFootprints: how these subresources lie in a buffer from `base_offset` bytes on. Row pitches
/// are multiples of 256 (of 512 for formats of several planes, which D3D12 does not document), each subresource starts
/// at a multiple of 512 from the base offset. A description that is not valid, subresources that it has not, and a
/// format whose bytes cannot be copied fill all results with ones.
void copyable_footprints(const D3D12_RESOURCE_DESC& desc, UINT first, UINT count, UINT64 base_offset,
                         const FootprintResults& results);

}  // namespace fenceline::d3d12
