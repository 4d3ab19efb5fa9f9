// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/formats/resource_desc.hpp"

namespace fenceline::d3d12 {

/// E_INVALIDARG for reserved bits and for a write state together with others.
Verdict check_state_bits(unsigned state);

/// What D3D12 checks of a barrier when it is recorded: E_INVALIDARG, which Close returns, for a null resource, a
/// subresource that is none, a write state together with others, equal states, reserved bits, and states that the
/// resource's flags or the list's type do not allow. That the state before fits the one that the resource is in is not
/// among that. `desc` is null where there is no resource.
Verdict check_transition(const D3D12_RESOURCE_TRANSITION_BARRIER& barrier, const D3D12_RESOURCE_DESC* desc,
                         D3D12_COMMAND_LIST_TYPE list_type);
/// Resources of upload and readback heaps stay in the state in which they were created.
Verdict check_heap_transition(D3D12_HEAP_TYPE heap);

}  // namespace fenceline::d3d12
