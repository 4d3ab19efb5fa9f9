// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/formats/resource_desc.hpp"
#include "api/machine_config.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

/// What heaps of an adapter go by.
struct HeapRules {
  std::uint32_t nodes = 1;
  bool unified = false;  ///< UMA: there is no L1
};

/// An adapter's.
inline HeapRules heap_rules(const MachineConfig& machine) {
  return {machine.linked_adapters, machine.video_memory.unified};
}

/// With memory of the adapter's own only L0, the system's memory, has CPU pages.
Verdict check_heap_properties(const D3D12_HEAP_PROPERTIES& properties, const HeapRules& rules = {});

/// Flags that no heap of such properties has, a committed resource's own one either: unknown ones, SHARED with memory
/// that the CPU reaches, SHARED_CROSS_ADAPTER without SHARED, HARDWARE_PROTECTED, for there are no protected sessions.
Verdict check_heap_flags(const D3D12_HEAP_PROPERTIES& properties, D3D12_HEAP_FLAGS flags);

/// May that heap be made by CreateHeap? ALLOW_DISPLAY is for committed resources alone.
Verdict check_heap_desc(const D3D12_HEAP_DESC& desc, const HeapRules& rules = {});

/// ID3D12Device::GetCustomHeapProperties: the same heap as CUSTOM says it. Unified memory is cache coherent.
D3D12_HEAP_PROPERTIES custom_heap_properties(D3D12_HEAP_TYPE type, bool unified = false);

/// The memory pool and page property that a heap really has, of CUSTOM its own.
D3D12_HEAP_PROPERTIES resolved_heap_properties(const D3D12_HEAP_PROPERTIES& properties);

/// Its bytes lie in the system's memory, on the other side of PCIe: L0, and what adapters share, which WDDM keeps in
/// the aperture. Source: windows-driver-docs, "Using cross-adapter resources in a hybrid system". Nothing does where
/// memory is unified.
bool in_system_memory(const D3D12_HEAP_PROPERTIES& properties, D3D12_HEAP_FLAGS flags, bool unified);

/// 64 KiB where the description leaves it open.
UINT64 heap_alignment(const D3D12_HEAP_DESC& desc);

/// What the heap has room for: whole pages of 64 KiB, whatever its size. 0 where that is more than 64 bits hold.
UINT64 heap_bytes(const D3D12_HEAP_DESC& desc);

}  // namespace fenceline::d3d12
