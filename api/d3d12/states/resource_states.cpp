// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/states/resource_states.hpp"

#include "api/d3d12/formats/resource_desc.hpp"
#include "api/d3d12/formats/subresource.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {
namespace {

constexpr unsigned copy_states = D3D12_RESOURCE_STATE_COPY_SOURCE | D3D12_RESOURCE_STATE_COPY_DEST;
constexpr unsigned depth_states = D3D12_RESOURCE_STATE_DEPTH_READ | D3D12_RESOURCE_STATE_DEPTH_WRITE;
constexpr unsigned promotable_for_textures =
    D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE | D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE | copy_states;

bool reads_alone(unsigned state) { return (state & write_states) == 0; }

StateProblem wrong_state(UINT subresource, unsigned state, unsigned needed) {
  return {D3D12_MESSAGE_ID_INVALID_SUBRESOURCE_STATE,
          fmt::format("subresource {} is in state {:#x}, and {:#x} is needed", subresource, state, needed)};
}

}  // namespace

TypeClass type_class_of(D3D12_COMMAND_LIST_TYPE type) {
  return type == D3D12_COMMAND_LIST_TYPE_COPY ? TypeClass::copy : TypeClass::graphics;
}

ResourceStates::ResourceStates(const D3D12_RESOURCE_DESC& desc, D3D12_RESOURCE_STATES state, D3D12_HEAP_TYPE heap)
    : fixed_(heap == D3D12_HEAP_TYPE_UPLOAD || heap == D3D12_HEAP_TYPE_READBACK),
      simultaneous_(desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER || is_simultaneous(desc)),
      subresources_(subresource_count(desc)) {
  // Buffers are created in COMMON, whatever state was asked for.
  const bool common = desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER && !fixed_;
  for (Subresource& one : subresources_) one.state = common ? 0U : static_cast<unsigned>(state);
}

bool ResourceStates::may_promote(unsigned to) const {
  const unsigned allowed = simultaneous_ ? ~depth_states : promotable_for_textures;
  return (to & ~allowed) == 0;
}

std::optional<StateProblem> ResourceStates::access(UINT index, D3D12_RESOURCE_STATES wanted, TypeClass by) {
  if (!tracked_) return {};
  Subresource& one = subresources_[index];
  const auto needed = static_cast<unsigned>(wanted);
  if (fixed_) {
    if ((needed & ~one.state) == 0) return {};
    return wrong_state(index, one.state, needed);
  }
  if (one.split_after) {
    return StateProblem{D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_SPLIT_BARRIER,
                        fmt::format("subresource {} is used within a split barrier", index)};
  }
  const bool in_copy_state = (one.state & copy_states) != 0;
  const bool other_class = in_copy_state && one.type_class != by;
  const bool covered = one.state != 0 && (needed & ~one.state) == 0 && !other_class;
  if (!covered) {
    // From COMMON, or further reading on top of what an access has promoted to reading.
    const bool free = one.state == 0 || (one.promoted && reads_alone(one.state) && reads_alone(needed) && !other_class);
    if (by == TypeClass::copy && one.state != 0 && !one.promoted) {
      return StateProblem{
          non_common_resource_in_copy_queue,
          fmt::format("subresource {} comes to a copy queue in state {:#x}, not in COMMON", index, one.state)};
    }
    if (!free || !may_promote(needed)) return wrong_state(index, one.state, needed);
    one.promoted = true;
    one.state |= needed;
    one.type_class = by;
  }
  one.used_by_copy_queue = one.used_by_copy_queue || by == TypeClass::copy;
  return {};
}

std::optional<StateProblem> ResourceStates::transition(const D3D12_RESOURCE_TRANSITION_BARRIER& barrier,
                                                       D3D12_RESOURCE_BARRIER_FLAGS flags, TypeClass by) {
  if (!tracked_) return {};
  if (fixed_) {
    return StateProblem{D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_HEAP,
                        "resources in UPLOAD and READBACK heaps keep their state"};
  }
  if (barrier.Subresource != D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES) {
    return transition_one(subresources_[barrier.Subresource], barrier.Subresource, barrier, flags, by);
  }
  for (UINT i = 0; i < subresources_.size(); ++i) {
    if (auto problem = transition_one(subresources_[i], i, barrier, flags, by)) return problem;
  }
  return {};
}

std::optional<StateProblem> ResourceStates::transition_one(Subresource& one, UINT index,
                                                           const D3D12_RESOURCE_TRANSITION_BARRIER& barrier,
                                                           D3D12_RESOURCE_BARRIER_FLAGS flags, TypeClass by) const {
  const auto before = static_cast<unsigned>(barrier.StateBefore);
  const auto after = static_cast<unsigned>(barrier.StateAfter);
  if (flags == D3D12_RESOURCE_BARRIER_FLAG_END_ONLY) {
    if (!one.split_after || *one.split_after != after || one.state != before) {
      return StateProblem{
          D3D12_MESSAGE_ID_RESOURCE_BARRIER_UNMATCHED_END,
          fmt::format("no split barrier of subresource {} from {:#x} to {:#x} has begun", index, before, after)};
    }
  } else if (one.split_after) {
    return StateProblem{D3D12_MESSAGE_ID_RESOURCE_BARRIER_UNMATCHED_BEGIN,
                        fmt::format("a split barrier of subresource {} has begun and not ended", index)};
  }
  // On a COMMON resource a barrier may name what an access would promote it to.
  const bool from_common = one.state == 0 && may_promote(before);
  // What was promoted to reading is still COMMON in a way, and shaders may have read it, too, of which nobody tells.
  const bool read_alone = one.promoted && reads_alone(one.state);
  const bool from_reading =
      read_alone && (before == 0 || (reads_alone(before) && (one.state & ~before) == 0 && may_promote(before)));
  if (one.state != before && !from_common && !from_reading) {
    return StateProblem{
        D3D12_MESSAGE_ID_RESOURCE_BARRIER_BEFORE_AFTER_MISMATCH,
        fmt::format("subresource {} is in state {:#x}, and the barrier says {:#x}", index, one.state, before)};
  }
  if (flags == D3D12_RESOURCE_BARRIER_FLAG_BEGIN_ONLY) {
    one.state = before;
    one.split_after = after;
    return {};
  }
  one = {};
  one.state = after;
  one.type_class = by;
  one.used_by_copy_queue = by == TypeClass::copy;
  return {};
}

void ResourceStates::decay() {
  if (fixed_) return;
  for (Subresource& one : subresources_) {
    const bool promoted_to_reading = one.promoted && reads_alone(one.state);
    const bool decays = one.used_by_copy_queue || simultaneous_ || promoted_to_reading;
    one.used_by_copy_queue = false;
    if (!decays || one.split_after) continue;
    one.state = D3D12_RESOURCE_STATE_COMMON;
    one.promoted = false;
  }
}

}  // namespace fenceline::d3d12
