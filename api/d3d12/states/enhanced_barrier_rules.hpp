// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/formats/resource_desc.hpp"

namespace fenceline::d3d12 {

// What ID3D12GraphicsCommandList7::Barrier checks of a barrier when it is recorded: E_INVALIDARG, which Close returns.
// Which accesses and synchronisation scopes fit each other and the layouts is not among that. `desc` is null where
// there is no resource. Source: DirectX-Specs, D3D12EnhancedBarriers.

/// A texture, subresources that it has, and layouts that the list's type has.
Verdict check_texture_barrier(const D3D12_TEXTURE_BARRIER& barrier, const D3D12_RESOURCE_DESC* desc,
                              D3D12_COMMAND_LIST_TYPE list_type);
/// A whole buffer: from 0 on all its bytes, or UINT64_MAX of them.
Verdict check_buffer_barrier(const D3D12_BUFFER_BARRIER& barrier, const D3D12_RESOURCE_DESC* desc);

}  // namespace fenceline::d3d12
