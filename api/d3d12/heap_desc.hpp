// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/resource_desc.hpp"

namespace fenceline::d3d12 {

/// Of an adapter of one node with its own memory (not UMA): only L0, the system's memory, has CPU pages.
Verdict check_heap_properties(const D3D12_HEAP_PROPERTIES& properties);

/// May that heap be made by CreateHeap? ALLOW_DISPLAY is for committed resources alone.
Verdict check_heap_desc(const D3D12_HEAP_DESC& desc);

/// ID3D12Device::GetCustomHeapProperties: the same heap as CUSTOM says it.
D3D12_HEAP_PROPERTIES custom_heap_properties(D3D12_HEAP_TYPE type);

/// The memory pool and page property that a heap really has, of CUSTOM its own.
D3D12_HEAP_PROPERTIES resolved_heap_properties(const D3D12_HEAP_PROPERTIES& properties);

/// 64 KiB where the description leaves it open.
UINT64 heap_alignment(const D3D12_HEAP_DESC& desc);

}  // namespace fenceline::d3d12
