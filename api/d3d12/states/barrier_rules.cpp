// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/states/barrier_rules.hpp"

#include "api/d3d12/formats/subresource.hpp"
#include "api/d3d12/states/resource_states.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {
namespace {

constexpr unsigned read_states = D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER | D3D12_RESOURCE_STATE_INDEX_BUFFER |
                                 D3D12_RESOURCE_STATE_DEPTH_READ | D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE |
                                 D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE | D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT |
                                 D3D12_RESOURCE_STATE_COPY_SOURCE | D3D12_RESOURCE_STATE_RESOLVE_SOURCE |
                                 D3D12_RESOURCE_STATE_SHADING_RATE_SOURCE;
constexpr unsigned other_states = D3D12_RESOURCE_STATE_RAYTRACING_ACCELERATION_STRUCTURE |
                                  D3D12_RESOURCE_STATE_VIDEO_DECODE_READ | D3D12_RESOURCE_STATE_VIDEO_DECODE_WRITE |
                                  D3D12_RESOURCE_STATE_VIDEO_PROCESS_READ | D3D12_RESOURCE_STATE_VIDEO_PROCESS_WRITE |
                                  D3D12_RESOURCE_STATE_VIDEO_ENCODE_READ | D3D12_RESOURCE_STATE_VIDEO_ENCODE_WRITE;

/// States that only direct lists know. Source: DirectX-Specs, D3D12EnhancedBarriers.
constexpr unsigned direct_states = D3D12_RESOURCE_STATE_INDEX_BUFFER | D3D12_RESOURCE_STATE_RENDER_TARGET |
                                   D3D12_RESOURCE_STATE_DEPTH_WRITE | D3D12_RESOURCE_STATE_DEPTH_READ |
                                   D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE | D3D12_RESOURCE_STATE_STREAM_OUT |
                                   D3D12_RESOURCE_STATE_RESOLVE_DEST | D3D12_RESOURCE_STATE_RESOLVE_SOURCE;
constexpr unsigned copy_list_states = D3D12_RESOURCE_STATE_COPY_DEST | D3D12_RESOURCE_STATE_COPY_SOURCE;

Verdict wrong(unsigned state, const char* why) { return {E_INVALIDARG, fmt::format("state {:#x} {}", state, why)}; }

Verdict check_state(unsigned state, const D3D12_RESOURCE_DESC& desc, D3D12_COMMAND_LIST_TYPE list_type) {
  if (Verdict verdict = check_state_bits(state); !verdict.ok()) return verdict;
  const struct {
    unsigned states;
    bool allowed;
    const char* why;
  } needs[] = {
      {D3D12_RESOURCE_STATE_RENDER_TARGET, (desc.Flags & D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET) != 0,
       "needs ALLOW_RENDER_TARGET"},
      {D3D12_RESOURCE_STATE_UNORDERED_ACCESS, (desc.Flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) != 0,
       "needs ALLOW_UNORDERED_ACCESS"},
      {D3D12_RESOURCE_STATE_DEPTH_WRITE | D3D12_RESOURCE_STATE_DEPTH_READ,
       (desc.Flags & D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL) != 0, "needs ALLOW_DEPTH_STENCIL"},
      {D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE | D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE,
       (desc.Flags & D3D12_RESOURCE_FLAG_DENY_SHADER_RESOURCE) == 0, "contradicts DENY_SHADER_RESOURCE"},
      {D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER | D3D12_RESOURCE_STATE_INDEX_BUFFER |
           D3D12_RESOURCE_STATE_STREAM_OUT | D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT,
       desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER || state == D3D12_RESOURCE_STATE_GENERIC_READ,
       "is for buffers"},
      {direct_states, list_type == D3D12_COMMAND_LIST_TYPE_DIRECT, "is for direct lists"},
      {~copy_list_states, list_type != D3D12_COMMAND_LIST_TYPE_COPY, "is not for copy lists"},
  };
  for (const auto& need : needs) {
    if ((state & need.states) != 0 && !need.allowed) return wrong(state, need.why);
  }
  return {};
}

}  // namespace

Verdict check_state_bits(unsigned state) {
  if ((state & ~(write_states | read_states | other_states)) != 0) return wrong(state, "has reserved bits");
  const unsigned writes = state & write_states;
  if (writes != 0 && (state & (state - 1)) != 0) return wrong(state, "has a write state together with others");
  return {};
}

Verdict check_transition(const D3D12_RESOURCE_TRANSITION_BARRIER& barrier, const D3D12_RESOURCE_DESC* desc,
                         D3D12_COMMAND_LIST_TYPE list_type) {
  if (desc == nullptr) return {E_INVALIDARG, "expected a resource, found null"};
  const bool all = barrier.Subresource == D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
  if (!all && barrier.Subresource >= subresource_count(*desc)) {
    return {E_INVALIDARG,
            fmt::format("the resource has {} subresources, found {}", subresource_count(*desc), barrier.Subresource)};
  }
  if (barrier.StateBefore == barrier.StateAfter) {
    return {E_INVALIDARG, fmt::format("state {:#x} before and after", static_cast<unsigned>(barrier.StateBefore))};
  }
  const Verdict before = check_state(static_cast<unsigned>(barrier.StateBefore), *desc, list_type);
  return before.ok() ? check_state(static_cast<unsigned>(barrier.StateAfter), *desc, list_type) : before;
}

Verdict check_heap_transition(D3D12_HEAP_TYPE heap) {
  if (heap != D3D12_HEAP_TYPE_UPLOAD && heap != D3D12_HEAP_TYPE_READBACK) return {};
  return {E_INVALIDARG, fmt::format("a resource of {} heap stays in its state",
                                    heap == D3D12_HEAP_TYPE_UPLOAD ? "an upload" : "a readback")};
}

}  // namespace fenceline::d3d12
