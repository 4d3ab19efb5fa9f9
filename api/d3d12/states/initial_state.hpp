// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/formats/resource_desc.hpp"

namespace fenceline::d3d12 {

/// May a resource of that valid description be created in that state, in a heap of that type? UPLOAD and READBACK
/// resources say nothing (COMMON), or states that they are in for ever. Of buffers in other heaps, which start in
/// COMMON whatever is asked for, only what no resource can be in is refused.
Verdict check_initial_state(const D3D12_RESOURCE_DESC& desc, D3D12_HEAP_TYPE heap, D3D12_RESOURCE_STATES state);

/// The state that resources of such a heap are in for ever; COMMON for other heaps, where they begin in it unless they
/// ask for another.
D3D12_RESOURCE_STATES state_of_heap(D3D12_HEAP_TYPE heap);

}  // namespace fenceline::d3d12
