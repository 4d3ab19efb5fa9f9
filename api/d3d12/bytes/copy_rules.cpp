// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/bytes/copy_rules.hpp"

#include "api/d3d12/bytes/texel_copy.hpp"
#include "api/d3d12/formats/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace fenceline::d3d12 {
namespace {

bool is_buffer(const CopySide& side) { return side.desc->Dimension == D3D12_RESOURCE_DIMENSION_BUFFER; }
bool is_placed(const CopySide& side) { return side.type == D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT; }

/// The grid without a place in memory: enough to check boxes.
TexelGrid grid_of_side(const CopySide& side) {
  if (is_placed(side)) return grid_of(side.footprint);
  const SubresourceShape shape = subresource_shape(*side.desc, side.subresource);
  TexelGrid grid;
  grid.block_width = shape.block_width;
  grid.block_height = shape.block_height;
  grid.texels = shape.texels;
  return grid;
}

DXGI_FORMAT format_of_side(const CopySide& side) {
  if (is_placed(side)) return side.footprint.Footprint.Format;
  return subresource_shape(*side.desc, side.subresource).plane.format;
}

/// From its first byte to its last; the most that 64 bits hold where that is not enough.
std::uint64_t footprint_bytes(const D3D12_SUBRESOURCE_FOOTPRINT& print, const Format& format) {
  using Wide = unsigned __int128;
  const Wide rows = print.Height / format.block_height;
  const Wide last_row = std::uint64_t{print.Width} / format.block_width * format.block_bytes;
  const Wide bytes = (rows * print.Depth - 1) * print.RowPitch + last_row;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return bytes > most ? most : static_cast<std::uint64_t>(bytes);
}

Verdict check_footprint(const char* name, const CopySide& side) {
  if (!is_buffer(side)) return invalid("{}: a PLACED_FOOTPRINT in a texture", name);
  const D3D12_SUBRESOURCE_FOOTPRINT& print = side.footprint.Footprint;
  const Format* format = find_format(print.Format);
  if (format == nullptr || print.Format == DXGI_FORMAT_UNKNOWN || is_opaque(*format) ||
      format->planes != PlaneScheme::one) {
    return invalid("{}: Footprint.Format: expected a format of one plane, found {}", name,
                   format == nullptr ? "no format" : format->name);
  }
  if (print.Width == 0 || print.Height == 0 || print.Depth == 0) {
    return invalid("{}: Footprint: expected at least 1 x 1 x 1, found {} x {} x {}", name, print.Width, print.Height,
                   print.Depth);
  }
  if (print.Width % format->block_width != 0 || print.Height % format->block_height != 0) {
    return invalid("{}: Footprint of {}: expected multiples of {} x {}, found {} x {}", name, format->name,
                   format->block_width, format->block_height, print.Width, print.Height);
  }
  if (print.RowPitch % D3D12_TEXTURE_DATA_PITCH_ALIGNMENT != 0) {
    return invalid("{}: RowPitch: expected a multiple of 256, found {}", name, print.RowPitch);
  }
  const std::uint64_t row_bytes = std::uint64_t{print.Width} / format->block_width * format->block_bytes;
  if (print.RowPitch < row_bytes) {
    return invalid("{}: RowPitch: expected at least {}, found {}", name, row_bytes, print.RowPitch);
  }
  if (side.footprint.Offset % D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT != 0) {
    return invalid("{}: Offset: expected a multiple of 512, found {}", name, side.footprint.Offset);
  }
  const std::uint64_t bytes = footprint_bytes(print, *format);
  if (side.footprint.Offset > side.desc->Width || bytes > side.desc->Width - side.footprint.Offset) {
    return invalid("{}: a footprint of {} bytes at {} in a buffer of {}", name, bytes, side.footprint.Offset,
                   side.desc->Width);
  }
  return {};
}

Verdict check_side(const char* name, const CopySide& side) {
  if (is_placed(side)) return check_footprint(name, side);
  if (side.type != D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX) {
    return invalid("{}: Type: expected SUBRESOURCE_INDEX or PLACED_FOOTPRINT, found {}", name,
                   static_cast<UINT>(side.type));
  }
  if (is_buffer(side)) return invalid("{}: a SUBRESOURCE_INDEX in a buffer", name);
  if (is_opaque(*find_format(side.desc->Format))) {
    return invalid("{}: {} cannot be copied", name, find_format(side.desc->Format)->name);
  }
  const UINT count = subresource_count(*side.desc);
  if (side.subresource >= count) {
    return invalid("{}: SubresourceIndex: expected less than {}, found {}", name, count, side.subresource);
  }
  return {};
}

Verdict check_box(const CopySide& from, const D3D12_BOX& box) {
  const TexelGrid grid = grid_of_side(from);
  if (box.right > grid.texels.width || box.bottom > grid.texels.height || box.back > grid.texels.depth) {
    return invalid("source box: expected within {} x {} x {}, found an end at {}, {}, {}", grid.texels.width,
                   grid.texels.height, grid.texels.depth, box.right, box.bottom, box.back);
  }
  // Also where the mip ends within a block: its texels are those up to the block's end.
  if (box.left % grid.block_width != 0 || box.top % grid.block_height != 0 || box.right % grid.block_width != 0 ||
      box.bottom % grid.block_height != 0) {
    return invalid("source box: expected edges on blocks of {} x {}, found {}, {} to {}, {}", grid.block_width,
                   grid.block_height, box.left, box.top, box.right, box.bottom);
  }
  return {};
}

/// Where the copy ends in the destination: from (x, y, z) on.
struct CopyEnd {
  std::uint64_t right, bottom, back;
};

/// Counted in elements, as blocks and texels may be copied to each other.
CopyEnd end_of_copy(const TexelGrid& to, UINT x, UINT y, UINT z, const TexelGrid& from, const D3D12_BOX& box) {
  const auto end = [](UINT at, UINT first, UINT last, std::uint32_t from_block, std::uint32_t to_block) {
    const std::uint64_t elements = (std::uint64_t{last} + from_block - 1) / from_block - first / from_block;
    return at + elements * to_block;
  };
  return {end(x, box.left, box.right, from.block_width, to.block_width),
          end(y, box.top, box.bottom, from.block_height, to.block_height), end(z, box.front, box.back, 1, 1)};
}

Verdict check_destination(const CopySide& to, UINT x, UINT y, UINT z, const CopySide& from, const D3D12_BOX& box) {
  const TexelGrid grid = grid_of_side(to);
  if (x % grid.block_width != 0 || y % grid.block_height != 0) {
    return invalid("DstX, DstY: expected multiples of {} and {}, found {} and {}", grid.block_width, grid.block_height,
                   x, y);
  }
  const CopyEnd end = end_of_copy(grid, x, y, z, grid_of_side(from), box);
  if (end.right > grid.texels.width || end.bottom > grid.texels.height || end.back > grid.texels.depth) {
    return invalid("destination: expected within {} x {} x {}, found an end at {}, {}, {}", grid.texels.width,
                   grid.texels.height, grid.texels.depth, end.right, end.bottom, end.back);
  }
  return {};
}

bool must_be_whole(const CopySide& side) {
  if (is_placed(side)) return false;
  const Format& format = *find_format(side.desc->Format);
  return side.desc->SampleDesc.Count > 1 || is_depth(format) || format.planes == PlaneScheme::depth_stencil;
}

UINT samples_of(const CopySide& side) { return is_placed(side) ? 1 : side.desc->SampleDesc.Count; }

Verdict check_formats(const CopySide& to, const CopySide& from) {
  const DXGI_FORMAT a = format_of_side(from);
  const DXGI_FORMAT b = format_of_side(to);
  if (!may_copy_between(a, b)) {
    return invalid("formats: expected ones that can be copied to each other, found {} to {}", find_format(a)->name,
                   find_format(b)->name);
  }
  // A plane goes to textures of its numbers, but not to the plane of another kind of depth.
  const auto depth_plane = [](const CopySide& side) {
    return !is_placed(side) && find_format(side.desc->Format)->planes == PlaneScheme::depth_stencil;
  };
  if (depth_plane(to) && depth_plane(from) && !may_copy_between(from.desc->Format, to.desc->Format)) {
    return invalid("formats: expected planes of one kind of depth, found {} to {}",
                   find_format(from.desc->Format)->name, find_format(to.desc->Format)->name);
  }
  return {};
}

bool is_whole(const D3D12_BOX& box, const D3D12_BOX& all) {
  return box.left == all.left && box.top == all.top && box.front == all.front && box.right == all.right &&
         box.bottom == all.bottom && box.back == all.back;
}

}  // namespace

bool overlap(UINT x, UINT y, UINT z, const D3D12_BOX& box) {
  const auto apart = [](UINT at, UINT first, UINT last) {
    return at >= last || std::uint64_t{at} + (last - first) <= first;
  };
  return !apart(x, box.left, box.right) && !apart(y, box.top, box.bottom) && !apart(z, box.front, box.back);
}

Verdict check_copy(const CopySide& to, UINT x, UINT y, UINT z, const CopySide& from, const D3D12_BOX* box) {
  Verdict verdict = check_side("destination", to);
  if (!verdict.ok()) return verdict;
  if (verdict = check_side("source", from); !verdict.ok()) return verdict;
  if (verdict = check_formats(to, from); !verdict.ok()) return verdict;
  if (samples_of(to) != samples_of(from)) {
    return invalid("samples: expected the same, found {} to {}", samples_of(from), samples_of(to));
  }
  const D3D12_BOX source = box == nullptr ? whole_box(grid_of_side(from)) : *box;
  if (source.left >= source.right || source.top >= source.bottom || source.front >= source.back) return {};
  if (verdict = check_box(from, source); !verdict.ok()) return verdict;
  if (verdict = check_destination(to, x, y, z, from, source); !verdict.ok()) return verdict;
  const bool same = to.resource != nullptr && to.resource == from.resource && !is_placed(to) && !is_placed(from) &&
                    to.subresource == from.subresource;
  if (same && overlap(x, y, z, source)) {
    return invalid("source and destination overlap in the same subresource, {}", to.subresource);
  }
  return {};
}

Verdict check_whole_copy(const CopySide& to, UINT x, UINT y, UINT z, const CopySide& from, const D3D12_BOX* box) {
  const D3D12_BOX source = box == nullptr ? whole_box(grid_of_side(from)) : *box;
  const TexelGrid grid = grid_of_side(to);
  const CopyEnd end = end_of_copy(grid, x, y, z, grid_of_side(from), source);
  const bool fills = x == 0 && y == 0 && z == 0 && end.right == grid.texels.width && end.bottom == grid.texels.height &&
                     end.back == grid.texels.depth;
  if ((must_be_whole(from) && !is_whole(source, whole_box(grid_of_side(from)))) || (must_be_whole(to) && !fills)) {
    return invalid("depth, stencil and multisampled textures: expected a copy of the whole subresource");
  }
  return {};
}

Verdict check_subresource_box(const CopySide& texture, UINT subresource, const D3D12_BOX& box) {
  CopySide side = texture;
  side.subresource = subresource;
  const Extent texels = grid_of_side(side).texels;
  if (box.left > texels.width || box.top > texels.height || box.front > texels.depth) {
    return invalid("box: expected within {} x {} x {}, found a start at {}, {}, {}", texels.width, texels.height,
                   texels.depth, box.left, box.top, box.front);
  }
  // A box may end with the texture, within a block.
  D3D12_BOX blocks = box;
  const Extent exact = mip_extent(*texture.desc, subresource_at(*texture.desc, subresource).mip);
  if (box.right == exact.width) blocks.right = texels.width;
  if (box.bottom == exact.height) blocks.bottom = texels.height;
  return check_box(side, blocks);
}

Verdict check_buffer_copy(const CopySide& to, UINT64 to_offset, const CopySide& from, UINT64 from_offset,
                          UINT64 bytes) {
  if (!is_buffer(to) || !is_buffer(from)) return invalid("CopyBufferRegion: expected two buffers, found a texture");
  const auto outside = [bytes](const CopySide& side, UINT64 offset) {
    return offset > side.desc->Width || bytes > side.desc->Width - offset;
  };
  if (outside(from, from_offset)) {
    return invalid("source: {} bytes at {} in a buffer of {}", bytes, from_offset, from.desc->Width);
  }
  if (outside(to, to_offset)) {
    return invalid("destination: {} bytes at {} in a buffer of {}", bytes, to_offset, to.desc->Width);
  }
  if (to.resource != nullptr && to.resource == from.resource && bytes != 0) {
    const UINT64 apart = std::max(to_offset, from_offset) - std::min(to_offset, from_offset);
    if (apart < bytes) return invalid("source and destination overlap, {} bytes apart", apart);
  }
  return {};
}

namespace {

/// Blocks and texels that stand for each other: as many in each mip.
Verdict check_elements(const D3D12_RESOURCE_DESC& from, const D3D12_RESOURCE_DESC& to) {
  for (UINT mip = 0; mip < mip_count(from); ++mip) {
    const SubresourceShape a = subresource_shape(from, mip);
    const SubresourceShape b = subresource_shape(to, mip);
    if (a.rows != b.rows || a.row_bytes != b.row_bytes) {
      return invalid("CopyResource: expected as many blocks as texels, found {} x {} of {} to {} x {} of {} in mip {}",
                     a.texels.width, a.texels.height, find_format(from.Format)->name, b.texels.width, b.texels.height,
                     find_format(to.Format)->name, mip);
    }
  }
  return {};
}

}  // namespace

Verdict check_resource_copy(const CopySide& to, const CopySide& from) {
  const D3D12_RESOURCE_DESC& a = *from.desc;
  const D3D12_RESOURCE_DESC& b = *to.desc;
  if (to.resource != nullptr && to.resource == from.resource) return invalid("source and destination are the same");
  if (a.Dimension != b.Dimension || a.DepthOrArraySize != b.DepthOrArraySize || mip_count(a) != mip_count(b)) {
    return invalid("CopyResource: expected resources of the same dimension, size and mips");
  }
  const bool blocks_to_texels =
      is_block_compressed(*find_format(a.Format)) != is_block_compressed(*find_format(b.Format));
  if (blocks_to_texels && may_copy_between(a.Format, b.Format)) {
    if (Verdict verdict = check_elements(a, b); !verdict.ok()) return verdict;
  } else if (a.Width != b.Width || a.Height != b.Height) {
    return invalid("CopyResource: expected resources of the same dimension, size and mips");
  }
  if (a.SampleDesc.Count != b.SampleDesc.Count || a.SampleDesc.Quality != b.SampleDesc.Quality) {
    return invalid("CopyResource: expected the same samples, found {} to {}", a.SampleDesc.Count, b.SampleDesc.Count);
  }
  return {};
}

Verdict check_resource_formats(const CopySide& to, const CopySide& from) {
  if (may_copy_between(from.desc->Format, to.desc->Format)) return {};
  return invalid("CopyResource: expected formats that can be copied to each other, found {} to {}",
                 find_format(from.desc->Format)->name, find_format(to.desc->Format)->name);
}

}  // namespace fenceline::d3d12
