// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// Queues share the state of a resource within their type class.
enum class TypeClass : std::uint8_t {
  graphics,  ///< 3D and compute
  copy,      ///< COPY_SOURCE and COPY_DEST are other states here than there
};
TypeClass type_class_of(D3D12_COMMAND_LIST_TYPE type);

/// States in which a subresource is written; such a state is alone.
constexpr unsigned write_states = D3D12_RESOURCE_STATE_RENDER_TARGET | D3D12_RESOURCE_STATE_UNORDERED_ACCESS |
                                  D3D12_RESOURCE_STATE_DEPTH_WRITE | D3D12_RESOURCE_STATE_STREAM_OUT |
                                  D3D12_RESOURCE_STATE_COPY_DEST | D3D12_RESOURCE_STATE_RESOLVE_DEST;

/// D3D12_MESSAGE_ID_NON_COMMON_RESOURCE_IN_COPY_QUEUE, of later headers.
constexpr auto non_common_resource_in_copy_queue = static_cast<D3D12_MESSAGE_ID>(1431);

/// What is wrong with an access or a barrier.
struct StateProblem {
  D3D12_MESSAGE_ID id;
  std::string text;
};

/// The states of a resource's subresources, in the order in which queues execute. Rules: D3D12's "Using resource
/// barriers to synchronize resource states", and D3D12_RESOURCE_STATES.
///
/// A subresource in COMMON is promoted by its first access, freely, to a write state or to cumulative read states;
/// buffers and simultaneous-access textures to any but those of depth, other textures to shader resource and copy
/// states. At the end of an ExecuteCommandLists call what a copy queue has used, buffers, simultaneous-access textures,
/// and what was promoted to reading alone decay to COMMON.
class ResourceStates {
 public:
  /// `state` is the one it was created in. Resources in UPLOAD and READBACK heaps keep theirs for ever.
  ResourceStates(const D3D12_RESOURCE_DESC& desc, D3D12_RESOURCE_STATES state, D3D12_HEAP_TYPE heap);

  /// A command needs the subresource in that state, one bit or several read bits.
  std::optional<StateProblem> access(UINT subresource, D3D12_RESOURCE_STATES needed, TypeClass by);
  /// A transition of one or all subresources, whole or one half of a split one.
  std::optional<StateProblem> transition(const D3D12_RESOURCE_TRANSITION_BARRIER& barrier,
                                         D3D12_RESOURCE_BARRIER_FLAGS flags, TypeClass by);
  /// The ExecuteCommandLists call ends.
  void decay();
  /// Nothing is wrong any more, whatever happens.
  void end_tracking() { tracked_ = false; }

  D3D12_RESOURCE_STATES state_of(UINT subresource) const {
    return static_cast<D3D12_RESOURCE_STATES>(subresources_[subresource].state);
  }

 private:
  struct Subresource {
    unsigned state = D3D12_RESOURCE_STATE_COMMON;
    TypeClass type_class = TypeClass::graphics;  ///< whose COPY_SOURCE or COPY_DEST it is
    bool promoted = false;                       ///< by an access, since it was in COMMON
    bool used_by_copy_queue = false;             ///< in this ExecuteCommandLists call
    std::optional<unsigned> split_after;         ///< a split transition has begun: to which state
  };
  std::optional<StateProblem> transition_one(Subresource& subresource, UINT index,
                                             const D3D12_RESOURCE_TRANSITION_BARRIER& barrier,
                                             D3D12_RESOURCE_BARRIER_FLAGS flags, TypeClass by) const;
  bool may_promote(unsigned to) const;

  bool tracked_ = true;
  bool fixed_;         ///< in an UPLOAD or READBACK heap
  bool simultaneous_;  ///< a buffer, or a texture with ALLOW_SIMULTANEOUS_ACCESS
  std::vector<Subresource> subresources_;
};

}  // namespace fenceline::d3d12
