// SPDX-License-Identifier: Apache-2.0
// GraphicsCommandList, the family of functions that move and clear bytes.
#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/formats/clear_value.hpp"
#include "api/d3d12/formats/format.hpp"
#include "api/d3d12/formats/subresource.hpp"
#include "api/d3d12/lists/graphics_command_list.hpp"
#include "api/d3d12/resources/accessed_part.hpp"
#include "api/d3d12/resources/resource.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace fenceline::d3d12 {
namespace {

CopySide side_of(const Resource& resource, const D3D12_TEXTURE_COPY_LOCATION& location) {
  CopySide side = resource.copy_side();
  side.type = location.Type;
  if (location.Type == D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT) {
    side.footprint = location.PlacedFootprint;
  } else {
    side.subresource = location.SubresourceIndex;
  }
  return side;
}

TexelGrid grid_of_side(const Resource& resource, const CopySide& side) {
  if (side.type == D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT) return grid_of(side.footprint);
  return grid_of(resource.layout(), side.subresource);
}

/// The depth plane whose 24 bits lie in 32.
bool is_24_bit_depth(DXGI_FORMAT format, const CopySide& to) {
  return find_format(format)->family == DXGI_FORMAT_R24G8_TYPELESS &&
         subresource_at(*to.desc, to.subresource).plane == 0;
}

/// Where a copy's box comes to lie: as many blocks, which may be of another size.
D3D12_BOX destination_box(const CopyTexels& copy) {
  const auto extent = [](UINT from, UINT to, std::uint32_t from_block, std::uint32_t to_block) {
    return ((to + from_block - 1) / from_block - from / from_block) * to_block;
  };
  const UINT width = extent(copy.box.left, copy.box.right, copy.from_grid.block_width, copy.to_grid.block_width);
  const UINT height = extent(copy.box.top, copy.box.bottom, copy.from_grid.block_height, copy.to_grid.block_height);
  const UINT depth = copy.box.back - copy.box.front;
  return {copy.x, copy.y, copy.z, copy.x + width, copy.y + height, copy.z + depth};
}

bool is_empty(const D3D12_BOX& box) { return box.left >= box.right || box.top >= box.bottom || box.front >= box.back; }

/// The command: rows and their bytes.
CopyTexture texture_command(CopyRoute route, const TexelGrid& from, const D3D12_BOX& box) {
  const std::uint64_t rows =
      (box.bottom - box.top + from.block_height - 1) / from.block_height * std::uint64_t{box.back - box.front};
  return {route, copied_bytes(from, box) / std::max<std::uint64_t>(rows, 1), rows};
}

}  // namespace

void GraphicsCommandList::copy_buffer(Resource* to, UINT64 to_offset, Resource* from, UINT64 from_offset, UINT64 bytes,
                                      const char* method, bool atomic) {
  if (to == nullptr || from == nullptr) {
    return error(E_INVALIDARG,
                 to == nullptr ? D3D12_MESSAGE_ID_COPYBUFFERREGION_NULLDST : D3D12_MESSAGE_ID_COPYBUFFERREGION_NULLSRC,
                 method, "expected a buffer, found null");
  }
  const Verdict verdict = check_buffer_copy(to->copy_side(), to_offset, from->copy_side(), from_offset, bytes);
  if (!verdict.ok()) {
    return error(verdict.result, D3D12_MESSAGE_ID_COPYBUFFERREGION_DSTRANGEOUTOFBOUNDS, method, verdict.message);
  }
  if (bytes == 0) return;
  needs(*to, D3D12_RESOURCE_STATE_COPY_DEST);
  needs(*from, D3D12_RESOURCE_STATE_COPY_SOURCE);
  if (!atomic) {
    writes(method, [&] { return buffer_part(*to, to_offset, bytes); });
    reads(method, [&] { return buffer_part(*from, from_offset, bytes); });
  }
  recording_->add(CopyBuffer{route_between(*from, *to), bytes},
                  CopyBytes{to->at(to_offset), from->at(from_offset), bytes});
}

void GraphicsCommandList::CopyBufferRegion(ID3D12Resource* to, UINT64 to_offset, ID3D12Resource* from,
                                           UINT64 from_offset, UINT64 bytes) {
  if (!begin(not_in_bundles, "CopyBufferRegion")) return;
  copy_buffer(com_cast<Resource>(to), to_offset, com_cast<Resource>(from), from_offset, bytes, "CopyBufferRegion",
              false);
}

void GraphicsCommandList::AtomicCopyBufferUINT(ID3D12Resource* to, UINT64 to_offset, ID3D12Resource* from,
                                               UINT64 from_offset, UINT, ID3D12Resource* const*,
                                               const D3D12_SUBRESOURCE_RANGE_UINT64*) {
  if (!begin(not_in_bundles, "AtomicCopyBufferUINT")) return;
  copy_buffer(com_cast<Resource>(to), to_offset, com_cast<Resource>(from), from_offset, 4, "AtomicCopyBufferUINT",
              true);
}

void GraphicsCommandList::AtomicCopyBufferUINT64(ID3D12Resource* to, UINT64 to_offset, ID3D12Resource* from,
                                                 UINT64 from_offset, UINT, ID3D12Resource* const*,
                                                 const D3D12_SUBRESOURCE_RANGE_UINT64*) {
  if (!begin(not_in_bundles, "AtomicCopyBufferUINT64")) return;
  copy_buffer(com_cast<Resource>(to), to_offset, com_cast<Resource>(from), from_offset, 8, "AtomicCopyBufferUINT64",
              true);
}

void GraphicsCommandList::CopyTextureRegion(const D3D12_TEXTURE_COPY_LOCATION* to, UINT x, UINT y, UINT z,
                                            const D3D12_TEXTURE_COPY_LOCATION* from, const D3D12_BOX* box) {
  const char* const method = "CopyTextureRegion";
  if (!begin(not_in_bundles, method)) return;
  if (to == nullptr || to->pResource == nullptr) {
    return error(E_INVALIDARG, D3D12_MESSAGE_ID_COPYTEXTUREREGION_NULLDST, method, "the destination is null");
  }
  if (from == nullptr || from->pResource == nullptr) {
    return error(E_INVALIDARG, D3D12_MESSAGE_ID_COPYTEXTUREREGION_NULLSRC, method, "the source is null");
  }
  const auto& destination = *com_cast<Resource>(to->pResource);
  const auto& source = *com_cast<Resource>(from->pResource);
  const CopySide to_side = side_of(destination, *to);
  const CopySide from_side = side_of(source, *from);
  const Verdict verdict = check_copy(to_side, x, y, z, from_side, box);
  if (!verdict.ok()) {
    return error(verdict.result, D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDSRCBOX, method, verdict.message);
  }
  CopyTexels copy;
  copy.to = destination.at(0);
  copy.from = source.at(0);
  copy.to_grid = grid_of_side(destination, to_side);
  copy.from_grid = grid_of_side(source, from_side);
  copy.box = box != nullptr ? *box : whole_box(copy.from_grid);
  copy.x = x;
  copy.y = y;
  copy.z = z;
  copy.masks_depth = is_24_bit_depth(destination.desc().Format, to_side);
  if (is_empty(copy.box)) return;
  if (const Verdict whole = check_whole_copy(to_side, x, y, z, from_side, box); !whole.ok()) {
    complain(D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDSRCBOX, method, whole.message + ": done all the same");
  }
  needs(destination, D3D12_RESOURCE_STATE_COPY_DEST, to_side.subresource);
  needs(source, D3D12_RESOURCE_STATE_COPY_SOURCE, from_side.subresource);
  writes(method, [&] { return texel_part(destination, copy.to_grid, destination_box(copy), to_side.subresource); });
  reads(method, [&] { return texel_part(source, copy.from_grid, copy.box, from_side.subresource); });
  const CopyTexture command = texture_command(route_between(source, destination), copy.from_grid, copy.box);
  recording_->add(command, std::move(copy));
}

void GraphicsCommandList::CopyResource(ID3D12Resource* to, ID3D12Resource* from) {
  const char* const method = "CopyResource";
  if (!begin(not_in_bundles, method)) return;
  if (to == nullptr || from == nullptr) {
    return error(E_INVALIDARG,
                 to == nullptr ? D3D12_MESSAGE_ID_COPYRESOURCE_NULLDST : D3D12_MESSAGE_ID_COPYRESOURCE_NULLSRC, method,
                 "expected a resource, found null");
  }
  const auto& destination = *com_cast<Resource>(to);
  const auto& source = *com_cast<Resource>(from);
  const Verdict verdict = check_resource_copy(destination.copy_side(), source.copy_side());
  if (!verdict.ok()) {
    return error(verdict.result, D3D12_MESSAGE_ID_COPYRESOURCE_INVALIDDSTRESOURCE, method, verdict.message);
  }
  const Verdict formats = check_resource_formats(destination.copy_side(), source.copy_side());
  if (!formats.ok()) return complain(D3D12_MESSAGE_ID_COPYRESOURCE_INVALIDDSTRESOURCE, method, formats.message);
  needs(destination, D3D12_RESOURCE_STATE_COPY_DEST, 0, subresource_count(destination.desc()));
  needs(source, D3D12_RESOURCE_STATE_COPY_SOURCE, 0, subresource_count(source.desc()));
  writes(method, [&] { return whole_part(destination); });
  reads(method, [&] { return whole_part(source); });
  const CopyRoute route = route_between(source, destination);
  const auto compact = [](const Resource& one) {
    return one.tiles() == nullptr && one.desc().Layout != D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  };
  if (!source.is_buffer() && !(compact(destination) && compact(source))) {
    // Tiles do not lie as rows do, nor rows with padding as those without.
    for (UINT i = 0; i < subresource_count(source.desc()); ++i) {
      CopyTexels copy{destination.at(0), source.at(0), grid_of(destination.layout(), i), grid_of(source.layout(), i)};
      copy.box = whole_box(copy.from_grid);
      const CopyTexture command = texture_command(route, copy.from_grid, copy.box);
      recording_->add(command, std::move(copy));
    }
    return;
  }
  const std::uint64_t bytes = source.bytes();
  recording_->add(CopyBuffer{route, bytes}, CopyBytes{destination.at(0), source.at(0), bytes});
}

void GraphicsCommandList::WriteBufferImmediate(UINT count, const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER* parameters,
                                               const D3D12_WRITEBUFFERIMMEDIATE_MODE* modes) {
  const char* const method = "WriteBufferImmediate";
  if (!begin(everywhere, method)) return;
  if (count > 0 && parameters == nullptr) {
    return error(E_INVALIDARG, D3D12_MESSAGE_ID_WRITEBUFFERIMMEDIATE_INVALID_DEST, method,
                 "expected parameters, found null");
  }
  for (UINT i = 0; i < count; ++i) {
    const std::uint64_t address = parameters[i].Dest;
    const auto memory = memory_at(address);
    if (address % 4 != 0 || memory == nullptr || address - memory->address() + 4 > memory->bytes()) {
      return error(E_INVALIDARG, D3D12_MESSAGE_ID_WRITEBUFFERIMMEDIATE_INVALID_DEST, method,
                   fmt::format("expected the address of 4 aligned bytes in a buffer, found {:#x}", address));
    }
    if (modes != nullptr && (modes[i] < 0 || modes[i] > D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT)) {
      return error(E_INVALIDARG, D3D12_MESSAGE_ID_WRITEBUFFERIMMEDIATE_INVALID_MODE, method,
                   fmt::format("expected mode 0, 1 or 2, found {}", static_cast<int>(modes[i])));
    }
    writes(method, [&] { return memory_part(memory, address - memory->address(), sizeof(UINT)); });
    WriteWord write{{memory, address - memory->address()}, parameters[i].Value};
    recording_->add(CopyBuffer{CopyRoute::device_to_device, sizeof(UINT)}, std::move(write));
  }
}

/// Fills rectangles of each slice that the view shows, of one plane.
void GraphicsCommandList::fill(const TargetView& view, std::uint32_t plane, const Element& value,
                               D3D12_RESOURCE_STATES state, UINT count, const D3D12_RECT* rects, const char* method) {
  const Resource& resource = *view.resource;
  const D3D12_RESOURCE_DESC& desc = resource.desc();
  const bool in_depth = desc.Dimension == D3D12_RESOURCE_DIMENSION_TEXTURE3D;
  const std::uint32_t layers = in_depth ? mip_extent(desc, view.mip).depth : array_size(desc);
  const std::uint32_t first = std::min(view.first_slice, layers);
  const std::uint32_t slices = std::min(view.slices, layers - first);
  const auto fill_slices = [&](std::uint32_t slice, UINT front, UINT back) {
    const std::uint32_t index = subresource_index(desc, {view.mip, slice, plane});
    needs(resource, state, index);
    TexelGrid grid = grid_of(resource.layout(), index);
    // Views show the elements that several texels share as texels.
    grid.texels.width /= std::exchange(grid.block_width, 1);
    grid.texels.height /= std::exchange(grid.block_height, 1);
    // A texel's samples lie one behind the other: each is an element of its own.
    const UINT samples = desc.SampleDesc.Count;
    grid.element_bytes /= samples;
    grid.texels.width *= samples;
    grid.tiles.columns = static_cast<std::uint16_t>(grid.tiles.columns * samples);
    FillTexels fill{resource.at(0), grid, whole_box(grid), value};
    if (in_depth) {
      fill.box.front = front;
      fill.box.back = back;
    }
    const D3D12_BOX whole = fill.box;
    for (UINT i = 0; i < std::max(count, 1U); ++i) {
      if (count > 0) {
        const auto clamp = [](LONG at, UINT most) {
          return static_cast<UINT>(std::clamp<LONG>(at, 0, static_cast<LONG>(most)));
        };
        fill.box.left = clamp(rects[i].left, whole.right / samples) * samples;
        fill.box.right = clamp(rects[i].right, whole.right / samples) * samples;
        fill.box.top = clamp(rects[i].top, whole.bottom);
        fill.box.bottom = clamp(rects[i].bottom, whole.bottom);
      }
      if (is_empty(fill.box)) continue;
      writes(method, [&] { return texel_part(resource, grid, fill.box, index); });
      recording_->add(Clear{copied_bytes(grid, fill.box)}, fill);
    }
  };
  if (in_depth) return fill_slices(0, first, first + slices);
  for (std::uint32_t slice = first; slice < first + slices; ++slice) fill_slices(slice, 0, 1);
}

void GraphicsCommandList::clear_color(const TargetView& view, const FLOAT color[4], UINT count, const D3D12_RECT* rects,
                                      const char* method) {
  if (!view.resource) return;
  fill(view, view.plane, encode_color(view.format, color), D3D12_RESOURCE_STATE_RENDER_TARGET,
       rects != nullptr ? count : 0, rects, method);
}

void GraphicsCommandList::clear_depth(const TargetView& view, D3D12_CLEAR_FLAGS flags, FLOAT depth, UINT8 stencil,
                                      UINT count, const D3D12_RECT* rects, const char* method) {
  constexpr UINT known = D3D12_CLEAR_FLAG_DEPTH | D3D12_CLEAR_FLAG_STENCIL;
  if ((flags & known) == 0 || (flags & ~known) != 0) {
    return error(E_INVALIDARG, D3D12_MESSAGE_ID_CLEARDEPTHSTENCILVIEW_INVALID, method,
                 fmt::format("expected DEPTH (1), STENCIL (2) or both, found {:#x}", static_cast<unsigned>(flags)));
  }
  if (!view.resource) return;
  const UINT rect_count = rects != nullptr ? count : 0;
  if ((flags & D3D12_CLEAR_FLAG_DEPTH) != 0)
    fill(view, 0, encode_depth(view.format, depth), D3D12_RESOURCE_STATE_DEPTH_WRITE, rect_count, rects, method);
  if ((flags & D3D12_CLEAR_FLAG_STENCIL) != 0 && plane_count(view.resource->desc().Format) > 1) {
    fill(view, 1, Element{std::byte{stencil}}, D3D12_RESOURCE_STATE_DEPTH_WRITE, rect_count, rects, method);
  }
}

void GraphicsCommandList::ClearRenderTargetView(D3D12_CPU_DESCRIPTOR_HANDLE handle, const FLOAT color[4], UINT count,
                                                const D3D12_RECT* rects) {
  const char* const method = "ClearRenderTargetView";
  if (!begin(direct_only, method)) return;
  if (color == nullptr) return invalid(method, "expected a colour, found null");
  if (const auto view = view_at(handle, method)) clear_color(*view, color, count, rects, method);
}

void GraphicsCommandList::ClearDepthStencilView(D3D12_CPU_DESCRIPTOR_HANDLE handle, D3D12_CLEAR_FLAGS flags,
                                                FLOAT depth, UINT8 stencil, UINT count, const D3D12_RECT* rects) {
  const char* const method = "ClearDepthStencilView";
  if (!begin(direct_only, method)) return;
  if (const auto view = view_at(handle, method)) clear_depth(*view, flags, depth, stencil, count, rects, method);
}

void GraphicsCommandList::clear_uav(const TargetView& view, const Resource* resource, const Element& value,
                                    std::uint32_t element_bytes, UINT count, const D3D12_RECT* rects,
                                    const char* method) {
  if (!view.resource) return;  // a null view takes the clear and shows nothing
  if (view.resource.get() != resource) return invalid(method, "the view is not one of the resource");
  const UINT rect_count = rects != nullptr ? count : 0;
  if (!resource->is_buffer())
    return fill(view, view.plane, value, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, rect_count, rects, method);
  needs(*resource, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  FillTexels fill{resource->at(view.first_byte), {}, {}, value};
  fill.grid.element_bytes = element_bytes;
  const auto elements = static_cast<UINT>(view.bytes / element_bytes);
  for (UINT i = 0; i < std::max(rect_count, 1U); ++i) {
    fill.box = {0, 0, 0, elements, 1, 1};
    if (rect_count > 0) {
      fill.box.left = static_cast<UINT>(std::clamp<LONG>(rects[i].left, 0, static_cast<LONG>(elements)));
      fill.box.right = static_cast<UINT>(std::clamp<LONG>(rects[i].right, 0, static_cast<LONG>(elements)));
    }
    if (is_empty(fill.box)) continue;
    const std::uint64_t bytes = std::uint64_t{fill.box.right - fill.box.left} * element_bytes;
    writes(method, [&] {
      return buffer_part(*resource, view.first_byte + std::uint64_t{fill.box.left} * element_bytes, bytes);
    });
    recording_->add(Clear{bytes}, fill);
  }
}

void GraphicsCommandList::ClearUnorderedAccessViewUint(D3D12_GPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE cpu,
                                                       ID3D12Resource* resource, const UINT values[4], UINT count,
                                                       const D3D12_RECT* rects) {
  const char* const method = "ClearUnorderedAccessViewUint";
  if (!begin(direct_and_compute, method)) return;
  if (values == nullptr) return invalid(method, "expected values, found null");
  const auto view = view_at(cpu, method);
  if (!view) return;
  const DXGI_FORMAT format = view->format;
  const Format* const known = find_format(format);
  clear_uav(*view, com_cast<Resource>(resource), encode_integers(format, values),
            known != nullptr ? known->block_bytes : 4, count, rects, method);
}

void GraphicsCommandList::ClearUnorderedAccessViewFloat(D3D12_GPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE cpu,
                                                        ID3D12Resource* resource, const FLOAT values[4], UINT count,
                                                        const D3D12_RECT* rects) {
  const char* const method = "ClearUnorderedAccessViewFloat";
  if (!begin(direct_and_compute, method)) return;
  if (values == nullptr) return invalid(method, "expected values, found null");
  const auto view = view_at(cpu, method);
  if (!view) return;
  const DXGI_FORMAT format = view->format;
  const Format* const known = find_format(format);
  clear_uav(*view, com_cast<Resource>(resource), encode_color(format, values),
            known != nullptr ? known->block_bytes : 4, count, rects, method);
}

void GraphicsCommandList::DiscardResource(ID3D12Resource* resource, const D3D12_DISCARD_REGION* region) {
  const char* const method = "DiscardResource";
  if (!begin(direct_and_compute, method)) return;
  const auto* const discarded = com_cast<Resource>(resource);
  if (discarded == nullptr) return invalid(method, "expected a resource, found null");
  if (region != nullptr && region->NumRects > 0) return;  // a part that is not kept
  const UINT count = static_cast<UINT>(discarded->layout().subresources().size());
  const UINT first = region != nullptr ? std::min(region->FirstSubresource, count) : 0;
  const UINT last = region != nullptr ? first + std::min(region->NumSubresources, count - first) : count;
  if (first == last) return;
  const bool own = discarded->pageable() != nullptr && discarded->tiles() == nullptr && !discarded->back_buffer();
  if (own && !discarded->in_host() && first == 0 && last == count) recording_->add_discard({discarded->memory(), 0});
  writes_between(method, [&] {
    return discarded->is_buffer() ? whole_part(*discarded) : subresource_part(*discarded, first, last - first);
  });
}

}  // namespace fenceline::d3d12
