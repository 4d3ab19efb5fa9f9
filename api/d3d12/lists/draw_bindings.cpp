// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/lists/draw_bindings.hpp"

#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/resource_desc.hpp"
#include "api/d3d12/formats/subresource.hpp"
#include "api/d3d12/resources/accessed_part.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {
namespace {

bool same(const D3D12_RECT& one, const D3D12_RECT& other) {
  return one.left == other.left && one.top == other.top && one.right == other.right && one.bottom == other.bottom;
}

}  // namespace

std::optional<DrawBindings::Target> DrawBindings::target(const TargetView& view, std::uint32_t plane) {
  if (!view.resource || view.resource->accessed() == nullptr || view.resource->is_buffer()) return {};
  const Resource& resource = *view.resource;
  const D3D12_RESOURCE_DESC& desc = resource.desc();
  if (is_simultaneous(desc)) return {};
  const bool in_depth = desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D;
  const std::uint32_t layers = in_depth ? mip_extent(desc, view.mip).depth : array_size(desc);
  if (view.first_slice >= layers || std::min(view.slices, layers - view.first_slice) != 1) return {};
  const std::uint32_t index = subresource_index(desc, {view.mip, in_depth ? 0 : view.first_slice, plane});
  if (index >= resource.layout().subresources().size()) return {};
  Target made{{resource.accessed(), resource.name(), {}, index, 1}, resource.at(0).offset, {}};
  made.grid = grid_of(resource.layout(), index);
  if (in_depth) made.grid.offset += view.first_slice * made.grid.slice_pitch;
  return made;
}

void DrawBindings::set_targets(const std::vector<TargetView>& colors, const TargetView& depth_stencil) {
  last_.reset();
  for (std::size_t i = 0; i < colors_.size(); ++i) {
    colors_[i] = i < colors.size() ? target(colors[i], colors[i].plane) : std::nullopt;
  }
  depth_ = target(depth_stencil, 0);
  if (depth_) depth_->read_only = depth_stencil.read_only_depth;
  const bool two_planes = depth_stencil.resource && plane_count(depth_stencil.resource->desc().Format) > 1;
  stencil_ = two_planes ? target(depth_stencil, 1) : std::nullopt;
  if (stencil_) stencil_->read_only = depth_stencil.read_only_stencil;
}

void DrawBindings::set_index_buffer(const D3D12_INDEX_BUFFER_VIEW* view) {
  index_memory_.reset();
  if (view == nullptr || view->SizeInBytes == 0) return;
  index_memory_ = memory_at(view->BufferLocation);
  if (index_memory_ == nullptr) return;
  index_offset_ = view->BufferLocation - index_memory_->address();
  index_bytes_ = std::min<std::uint64_t>(view->SizeInBytes, index_memory_->bytes() - index_offset_);
  index_size_ = view->Format == DXGI_FORMAT_R16_UINT ? 2 : 4;
}

void DrawBindings::access(Accesses& accesses, std::size_t command, const char* name,
                          const std::optional<Target>& target, bool writes, const D3D12_RECT& area) {
  if (!target) return;
  const auto within = [](LONG at, std::uint64_t extent) {
    return static_cast<UINT>(std::clamp<std::int64_t>(at, 0, static_cast<std::int64_t>(extent)));
  };
  const Extent& texels = target->grid.texels;
  const D3D12_BOX box{within(area.left, texels.width),  within(area.top, texels.height),    0,
                      within(area.right, texels.width), within(area.bottom, texels.height), 1};
  if (box.left >= box.right || box.top >= box.bottom) return;
  AccessedPart part = target->part;
  part.region = region_of(target->grid, box, target->base);
  accesses.add_draw(command, name, writes, std::move(part));
}

void DrawBindings::draw(Accesses& accesses, std::size_t command, const char* name, const DrawOutputs& outputs,
                        const D3D12_RECT& area) {
  if (last_ && last_->outputs == outputs && same(last_->area, area) && last_->name == name) {
    return accesses.extend_draws(last_->first, last_->count, command);
  }
  const std::size_t first = accesses.size();
  for (std::size_t i = 0; i < colors_.size(); ++i) {
    if ((outputs.colors >> i & 1U) != 0) access(accesses, command, name, colors_[i], true, area);
  }
  if (outputs.reads_depth) {
    access(accesses, command, name, depth_, outputs.writes_depth && depth_ && !depth_->read_only, area);
  }
  if (outputs.reads_stencil) {
    access(accesses, command, name, stencil_, outputs.writes_stencil && stencil_ && !stencil_->read_only, area);
  }
  last_ = Last{outputs, area, name, first, accesses.size() - first};
}

void DrawBindings::read_indices(Accesses& accesses, std::size_t command, std::uint64_t first,
                                std::uint64_t count) const {
  if (index_memory_ == nullptr) return;
  const std::uint64_t begin = std::min(first * index_size_, index_bytes_);
  const std::uint64_t bytes = std::min(count * index_size_, index_bytes_ - begin);
  if (bytes == 0) return;
  accesses.add(command, "DrawIndexedInstanced", false, memory_part(index_memory_, index_offset_ + begin, bytes));
}

void DrawBindings::take_index_buffer(const DrawBindings& bundle) {
  index_memory_ = bundle.index_memory_;
  index_offset_ = bundle.index_offset_;
  index_bytes_ = bundle.index_bytes_;
  index_size_ = bundle.index_size_;
}

void DrawBindings::draw_bundle(Accesses& accesses, std::size_t first, const DrawBindings& bundle,
                               const D3D12_RECT& area) {
  for (const BundleDraw& one : bundle.bundle_draws) {
    draw(accesses, first + one.command, one.name, one.outputs, area);
    if (one.indexed) read_indices(accesses, first + one.command, one.first_index, one.indices);
  }
  if (bundle.has_index_buffer()) take_index_buffer(bundle);
}

}  // namespace fenceline::d3d12
