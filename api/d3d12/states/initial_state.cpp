// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/states/initial_state.hpp"

#include "api/d3d12/states/barrier_rules.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {
namespace {

/// A resource that was not made for it is in none of those states.
Verdict check_flags(const D3D12_RESOURCE_DESC& desc, unsigned state) {
  const bool texture = desc.Dimension != D3D12_RESOURCE_DIMENSION_BUFFER;
  const struct {
    unsigned states;
    D3D12_RESOURCE_FLAGS flag;
    bool asked;
    const char* name;
  } needs[] = {
      {D3D12_RESOURCE_STATE_RENDER_TARGET, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET, true, "ALLOW_RENDER_TARGET"},
      {D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS, texture,
       "ALLOW_UNORDERED_ACCESS"},
      {D3D12_RESOURCE_STATE_DEPTH_WRITE, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL, texture, "ALLOW_DEPTH_STENCIL"},
  };
  for (const auto& need : needs) {
    if (need.asked && (state & need.states) != 0 && (desc.Flags & need.flag) == 0) {
      return {E_INVALIDARG, fmt::format("initial state {:#x}: expected {} in the flags", state, need.name)};
    }
  }
  return {};
}

}  // namespace

Verdict check_initial_state(const D3D12_RESOURCE_DESC& desc, D3D12_HEAP_TYPE heap, D3D12_RESOURCE_STATES state) {
  const auto bits = static_cast<unsigned>(state);
  // COMMON and parts of what the heap stands for are allowed since the Agility SDK 1.606.
  if (heap == D3D12_HEAP_TYPE_UPLOAD || heap == D3D12_HEAP_TYPE_READBACK) {
    const bool upload = heap == D3D12_HEAP_TYPE_UPLOAD;
    const unsigned resolve = upload ? D3D12_RESOURCE_STATE_RESOLVE_SOURCE : D3D12_RESOURCE_STATE_RESOLVE_DEST;
    const bool fits = (bits & ~static_cast<unsigned>(state_of_heap(heap))) == 0 || bits == resolve;
    if (fits) return {};
    return {E_INVALIDARG,
            fmt::format("initial state in an {} heap: expected COMMON or of {}, found {:#x}",
                        upload ? "UPLOAD" : "READBACK", upload ? "GENERIC_READ (0xac3)" : "COPY_DEST (0x400)", bits)};
  }
  const Verdict verdict = check_state_bits(bits);
  return verdict.ok() ? check_flags(desc, bits) : verdict;
}

D3D12_RESOURCE_STATES state_of_heap(D3D12_HEAP_TYPE heap) {
  return heap == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
         : heap == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                            : D3D12_RESOURCE_STATE_COMMON;
}

}  // namespace fenceline::d3d12
