// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, barriers. Each call is one barrier of the machine, however many it names.
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/lists/graphics_command_list.hpp"
#include "api/d3d12/resources/resource.hpp"
#include "api/d3d12/states/barrier_rules.hpp"
#include "api/d3d12/states/enhanced_barrier_rules.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {
namespace {

const D3D12_RESOURCE_DESC* desc_of(ID3D12Resource* resource) {
  const auto* const known = com_cast<Resource>(resource);
  return known != nullptr ? &known->desc() : nullptr;
}

Verdict check_group(const D3D12_BARRIER_GROUP& group, D3D12_COMMAND_LIST_TYPE list_type) {
  if (group.Type < D3D12_BARRIER_TYPE_GLOBAL || group.Type > D3D12_BARRIER_TYPE_BUFFER) {
    return {E_INVALIDARG, fmt::format("expected type 0, 1 or 2, found {}", static_cast<int>(group.Type))};
  }
  if (group.NumBarriers > 0 && group.pGlobalBarriers == nullptr) return {E_INVALIDARG, "expected barriers, found null"};
  for (UINT32 i = 0; i < group.NumBarriers; ++i) {
    Verdict verdict;
    if (group.Type == D3D12_BARRIER_TYPE_TEXTURE) {
      const D3D12_TEXTURE_BARRIER& barrier = group.pTextureBarriers[i];
      verdict = check_texture_barrier(barrier, desc_of(barrier.pResource), list_type);
    } else if (group.Type == D3D12_BARRIER_TYPE_BUFFER) {
      const D3D12_BUFFER_BARRIER& barrier = group.pBufferBarriers[i];
      verdict = check_buffer_barrier(barrier, desc_of(barrier.pResource));
    }
    if (!verdict.ok()) return {verdict.result, fmt::format("barrier {}: {}", i, verdict.message)};
  }
  return {};
}

}  // namespace

void GraphicsCommandList::ResourceBarrier(UINT count, const D3D12_RESOURCE_BARRIER* barriers) {
  const char* const method = "ResourceBarrier";
  if (!begin(not_in_bundles, method) || count == 0) return;
  if (barriers == nullptr) {
    return error(E_INVALIDARG, D3D12_MESSAGE_ID_RESOURCE_BARRIER_NULL_POINTER, method, "expected barriers, found null");
  }
  bool waits = false;
  for (UINT i = 0; i < count; ++i) {
    const D3D12_RESOURCE_BARRIER& barrier = barriers[i];
    constexpr UINT split = D3D12_RESOURCE_BARRIER_FLAG_BEGIN_ONLY | D3D12_RESOURCE_BARRIER_FLAG_END_ONLY;
    const UINT flags = static_cast<UINT>(barrier.Flags);
    if ((flags & ~split) != 0 || flags == split) {
      return error(E_INVALIDARG, D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_FLAG, method,
                   fmt::format("barrier {}: expected flags NONE, BEGIN_ONLY or END_ONLY, found {:#x}", i, flags));
    }
    // What a split barrier begins needs not wait for what is before it.
    waits = waits || barrier.Flags != D3D12_RESOURCE_BARRIER_FLAG_BEGIN_ONLY;
    switch (barrier.Type) {
      case D3D12_RESOURCE_BARRIER_TYPE_TRANSITION: {
        const auto* const resource = com_cast<Resource>(barrier.Transition.pResource);
        Verdict verdict =
            check_transition(barrier.Transition, resource != nullptr ? &resource->desc() : nullptr, type_);
        if (verdict.ok()) verdict = check_heap_transition(resource->heap_type());
        if (verdict.ok()) {
          StateSteps* const steps = recording_->states();
          if (steps != nullptr) {
            steps->add_transition(resource->states(), resource->name(), barrier.Transition, barrier.Flags);
          }
          watch_transition(*resource, barrier.Transition.Subresource);
          break;
        }
        return error(verdict.result, D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_COMBINATION, method,
                     fmt::format("barrier {}: {}", i, verdict.message));
      }
      case D3D12_RESOURCE_BARRIER_TYPE_ALIASING:
      case D3D12_RESOURCE_BARRIER_TYPE_UAV: break;
      default:
        return error(E_INVALIDARG, D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_TYPE, method,
                     fmt::format("barrier {}: expected type 0, 1 or 2, found {}", i, static_cast<int>(barrier.Type)));
    }
  }
  if (waits) recording_->add(fenceline::Barrier{});
}

void GraphicsCommandList::Barrier(UINT32 count, const D3D12_BARRIER_GROUP* groups) {
  if (!begin(not_in_bundles, "Barrier") || count == 0) return;
  if (groups == nullptr) return invalid("Barrier", "expected groups, found null");
  for (UINT32 i = 0; i < count; ++i) {
    if (const Verdict verdict = check_group(groups[i], type_); !verdict.ok()) {
      return invalid("Barrier", fmt::format("group {}: {}", i, verdict.message));
    }
  }
  StateSteps* const steps = recording_->states();
  for (UINT32 i = 0; steps != nullptr && i < count; ++i) {
    for (UINT32 j = 0; groups[i].Type == D3D12_BARRIER_TYPE_TEXTURE && j < groups[i].NumBarriers; ++j) {
      const auto* const resource = com_cast<Resource>(groups[i].pTextureBarriers[j].pResource);
      if (resource == nullptr) continue;
      steps->add_end(resource->states());
      watch_barrier(groups[i].pTextureBarriers[j], *resource);
    }
  }
  recording_->add(fenceline::Barrier{});
}

}  // namespace fenceline::d3d12
