// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/formats/allocation_info.hpp"

#include "api/d3d12/formats/resource_desc.hpp"
#include "api/d3d12/formats/resource_size.hpp"
#include "sim/rounding.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace fenceline::d3d12 {
D3D12_RESOURCE_ALLOCATION_INFO allocation_info(UINT count, const D3D12_RESOURCE_DESC* descs,
                                               D3D12_RESOURCE_ALLOCATION_INFO1* each) {
  constexpr D3D12_RESOURCE_ALLOCATION_INFO invalid = {std::numeric_limits<UINT64>::max(),
                                                      D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT};
  if (count > 0 && descs == nullptr) return invalid;
  D3D12_RESOURCE_ALLOCATION_INFO all = {0, 1};
  for (UINT i = 0; i < count; ++i) {
    if (!check_resource_desc(descs[i]).ok()) return invalid;
    const D3D12_RESOURCE_ALLOCATION_INFO one = allocation_of(descs[i]);
    const std::uint64_t offset = rounded_up(all.SizeInBytes, one.Alignment);
    if (offset < all.SizeInBytes || offset + one.SizeInBytes < offset) return invalid;
    if (each != nullptr) each[i] = {offset, one.Alignment, one.SizeInBytes};
    all.SizeInBytes = offset + one.SizeInBytes;
    all.Alignment = std::max(all.Alignment, one.Alignment);
  }
  all.SizeInBytes = rounded_up(all.SizeInBytes, all.Alignment);
  return all;
}

}  // namespace fenceline::d3d12
