// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/heap_desc.hpp"

#include "sim/rounding.hpp"

#include <fmt/format.h>

#include <utility>

namespace fenceline::d3d12 {
namespace {

constexpr UINT known_flags = 0x1FED;  // D3D12_HEAP_FLAGS without its two holes, 0x2 and 0x10
constexpr UINT denials =
    D3D12_HEAP_FLAG_DENY_BUFFERS | D3D12_HEAP_FLAG_DENY_RT_DS_TEXTURES | D3D12_HEAP_FLAG_DENY_NON_RT_DS_TEXTURES;

}  // namespace

Verdict check_heap_properties(const D3D12_HEAP_PROPERTIES& properties, const HeapRules& rules) {
  const UINT pages = properties.CPUPageProperty;
  const UINT pool = properties.MemoryPoolPreference;
  const UINT type = properties.Type;
  if (type < D3D12_HEAP_TYPE_DEFAULT || type > D3D12_HEAP_TYPE_CUSTOM) {
    return invalid("heap Type: expected DEFAULT to CUSTOM, found {}", type);
  }
  if (pages > D3D12_CPU_PAGE_PROPERTY_WRITE_BACK || pool > D3D12_MEMORY_POOL_L1) {
    return invalid("heap CPUPageProperty and MemoryPoolPreference: found {} and {}", pages, pool);
  }
  if (type != D3D12_HEAP_TYPE_CUSTOM) {
    if (pages != D3D12_CPU_PAGE_PROPERTY_UNKNOWN || pool != D3D12_MEMORY_POOL_UNKNOWN) {
      return invalid("heap CPUPageProperty and MemoryPoolPreference: expected UNKNOWN unless CUSTOM, found {} and {}",
                     pages, pool);
    }
  } else if (pages == D3D12_CPU_PAGE_PROPERTY_UNKNOWN || pool == D3D12_MEMORY_POOL_UNKNOWN) {
    return invalid("heap of type CUSTOM: expected a CPUPageProperty and a MemoryPoolPreference, found UNKNOWN");
  } else if (pool == D3D12_MEMORY_POOL_L1 && rules.unified) {
    return invalid("heap MemoryPoolPreference: expected L0 of an adapter with unified memory, found L1");
  } else if (pool == D3D12_MEMORY_POOL_L1 && pages != D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE) {
    return invalid("heap CPUPageProperty in L1, the adapter's own memory: expected NOT_AVAILABLE, found {}", pages);
  }
  const UINT created = properties.CreationNodeMask;
  const UINT visible = properties.VisibleNodeMask;
  if (created >> rules.nodes != 0 || visible >> rules.nodes != 0) {
    return invalid("heap node masks: expected those of {} node(s), found {} and {}", rules.nodes, created, visible);
  }
  if ((created & (created - 1)) != 0) return invalid("heap CreationNodeMask: expected one node, found {}", created);
  const UINT node = created == 0 ? 1 : created;
  if (((visible == 0 ? 1 : visible) & node) == 0) {
    return invalid("heap VisibleNodeMask: expected the node of CreationNodeMask {} in it, found {}", created, visible);
  }
  return {};
}

Verdict check_heap_desc(const D3D12_HEAP_DESC& desc, const HeapRules& rules) {
  Verdict verdict = check_heap_properties(desc.Properties, rules);
  if (!verdict.ok()) return verdict;
  const UINT flags = desc.Flags;
  if (desc.SizeInBytes == 0) return invalid("heap SizeInBytes: expected at least 1, found 0");
  if (desc.Alignment != 0 && desc.Alignment != D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT &&
      desc.Alignment != D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT) {
    return invalid("heap Alignment: expected 0, 65536 or 4194304, found {}", desc.Alignment);
  }
  if (verdict = check_heap_flags(desc.Properties, desc.Flags); !verdict.ok()) return verdict;
  if ((flags & denials) == denials) return invalid("heap Flags: a heap that denies everything");
  if ((flags & D3D12_HEAP_FLAG_ALLOW_DISPLAY) != 0) {
    return invalid("heap Flags: ALLOW_DISPLAY is for committed resources");
  }
  return {};
}

Verdict check_heap_flags(const D3D12_HEAP_PROPERTIES& properties, D3D12_HEAP_FLAGS heap_flags) {
  const UINT flags = heap_flags;
  if ((flags & ~known_flags) != 0) return invalid("heap Flags: expected D3D12_HEAP_FLAGS, found {:#x}", flags);
  if ((flags & D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER) != 0 && (flags & D3D12_HEAP_FLAG_SHARED) == 0) {
    return invalid("heap Flags: SHARED_CROSS_ADAPTER without SHARED");
  }
  const bool cpu_visible =
      resolved_heap_properties(properties).CPUPageProperty != D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE;
  if ((flags & D3D12_HEAP_FLAG_SHARED) != 0 && cpu_visible) {
    return invalid("heap Flags: SHARED with memory that the CPU reaches");
  }
  if ((flags & D3D12_HEAP_FLAG_HARDWARE_PROTECTED) != 0) {
    return invalid("heap Flags: HARDWARE_PROTECTED without a protected session");
  }
  return {};
}

D3D12_HEAP_PROPERTIES custom_heap_properties(D3D12_HEAP_TYPE type, bool unified) {
  D3D12_HEAP_PROPERTIES found = {D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE, D3D12_MEMORY_POOL_L1, 1,
                                 1};
  if (type == D3D12_HEAP_TYPE_UPLOAD) {
    found.CPUPageProperty = unified ? D3D12_CPU_PAGE_PROPERTY_WRITE_BACK : D3D12_CPU_PAGE_PROPERTY_WRITE_COMBINE;
    found.MemoryPoolPreference = D3D12_MEMORY_POOL_L0;
  } else if (type == D3D12_HEAP_TYPE_READBACK) {
    found.CPUPageProperty = D3D12_CPU_PAGE_PROPERTY_WRITE_BACK;
    found.MemoryPoolPreference = D3D12_MEMORY_POOL_L0;
  }
  if (unified) found.MemoryPoolPreference = D3D12_MEMORY_POOL_L0;
  return found;
}

D3D12_HEAP_PROPERTIES resolved_heap_properties(const D3D12_HEAP_PROPERTIES& properties) {
  return properties.Type == D3D12_HEAP_TYPE_CUSTOM ? properties : custom_heap_properties(properties.Type);
}

bool in_system_memory(const D3D12_HEAP_PROPERTIES& properties, D3D12_HEAP_FLAGS flags, bool unified) {
  if (unified) return false;
  return (flags & D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER) != 0 ||
         resolved_heap_properties(properties).MemoryPoolPreference == D3D12_MEMORY_POOL_L0;
}

UINT64 heap_alignment(const D3D12_HEAP_DESC& desc) {
  return desc.Alignment == 0 ? UINT64{D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT} : desc.Alignment;
}

UINT64 heap_bytes(const D3D12_HEAP_DESC& desc) {
  constexpr UINT64 page = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
  return rounded_up(desc.SizeInBytes, page);
}

}  // namespace fenceline::d3d12
