// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

namespace fenceline::d3d12 {

/// ID3D12Device::GetResourceAllocationInfo and GetResourceAllocationInfo1, whose `each`, of `count`, may be null: the
/// resources one behind the other. UINT64_MAX bytes when one of them is not valid.
D3D12_RESOURCE_ALLOCATION_INFO allocation_info(UINT count, const D3D12_RESOURCE_DESC* descs,
                                               D3D12_RESOURCE_ALLOCATION_INFO1* each);

}  // namespace fenceline::d3d12
