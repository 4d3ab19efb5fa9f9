// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, what its draws are bound to and access: where the debug layer watches.
#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/resource_desc.hpp"
#include "api/d3d12/formats/subresource.hpp"
#include "api/d3d12/lists/graphics_command_list.hpp"
#include "api/d3d12/pipelines/pipeline_state.hpp"
#include "api/d3d12/resources/accessed_part.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {

void GraphicsCommandList::add_access(void (Accesses::*add)(std::size_t, const char*, bool, AccessedPart),
                                     const char* method, bool writes, AccessedPart part) {
  if (part.resource == nullptr) return;  // made while the debug layer was off
  (recording_->accesses()->*add)(recording_->stream().commands.size(), method, writes, std::move(part));
}

void GraphicsCommandList::watch_draw(const char* method, std::uint64_t count, bool indexed, std::uint64_t first_index,
                                     std::uint64_t indices) {
  if (count == 0) return;
  Accesses& accesses = *recording_->accesses();
  const std::size_t command = recording_->stream().commands.size();
  const DrawOutputs& outputs = state_.pipeline->outputs();
  const bool own_indices = indexed && bindings_->has_index_buffer();
  if (own_indices) bindings_->read_indices(accesses, command, first_index, indices);
  if (type_ == D3D12_COMMAND_LIST_TYPE_BUNDLE) {
    bindings_->bundle_draws.push_back({command, method, outputs, indexed && !own_indices, first_index, indices});
  } else {
    bindings_->draw(accesses, command, method, outputs, state_.area.scissored());
  }
}

void GraphicsCommandList::watch_transition(const Resource& resource, UINT subresource) {
  if (resource.is_buffer() || is_simultaneous(resource.desc())) return;  // they have no layout
  const bool all = subresource == D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
  writes_between("ResourceBarrier",
                 [&] { return all ? whole_part(resource) : subresource_part(resource, subresource, 1); });
}

void GraphicsCommandList::watch_barrier(const D3D12_TEXTURE_BARRIER& barrier, const Resource& resource) {
  if (barrier.LayoutBefore == barrier.LayoutAfter) return;
  const D3D12_BARRIER_SUBRESOURCE_RANGE& range = barrier.Subresources;
  if (range.NumMipLevels == 0) return watch_transition(resource, range.IndexOrFirstMipLevel);
  const D3D12_RESOURCE_DESC& desc = resource.desc();
  const auto end = [](UINT first, UINT count, UINT most) {
    return std::min(count, most - std::min(first, most)) + first;
  };
  const UINT mips = end(range.IndexOrFirstMipLevel, range.NumMipLevels, mip_count(desc));
  const UINT slices = end(range.FirstArraySlice, std::max(range.NumArraySlices, 1U), array_size(desc));
  const UINT planes = end(range.FirstPlane, std::max(range.NumPlanes, 1U), plane_count(desc.Format));
  for (UINT plane = range.FirstPlane; plane < planes; ++plane) {
    for (UINT slice = range.FirstArraySlice; slice < slices; ++slice) {
      for (UINT mip = range.IndexOrFirstMipLevel; mip < mips; ++mip) {
        watch_transition(resource, subresource_index(desc, {mip, slice, plane}));
      }
    }
  }
}

}  // namespace fenceline::d3d12
